import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "oxc-transform";
import { PACKAGE } from "./places.ts";

/** The number of shared sibling modules. Each tool also imports one module that no other tool imports. */
const SHARED = 20;

/** The same tools as TypeScript files and as compiled modules. */
export interface Generated {
  readonly project: string;
  /** A module that imports every compiled tool and prints how many there are. */
  readonly compiledEntry: string;
}

/** Writes `count` tools and their siblings in both forms. */
export function generateTools(folder: string, count: number): Generated {
  const project = join(folder, "project");
  const sources = join(project, ".toolwright", "tools");
  const compiled = join(folder, "compiled");
  for (const each of [sources, compiled]) mkdirSync(join(each, "lib"), { recursive: true });
  const write = (name: string, source: string): void => {
    writeFileSync(join(sources, `${name}.ts`), source);
    writeFileSync(join(compiled, `${name}.mjs`), compile(name, source));
  };
  for (let index = 0; index < SHARED; index++) write(`lib/part${index}`, sharedFile(index));
  for (let index = 0; index < count; index++) {
    write(toolName(index), toolFile(index));
    write(`lib/${toolName(index)}`, packageFile(index));
  }
  linkPackage(compiled);
  const compiledEntry = join(compiled, "entry.mjs");
  writeFileSync(compiledEntry, entry(count));
  return { project, compiledEntry };
}

function toolName(index: number): string {
  return `tool${String(index).padStart(3, "0")}`;
}

function toolFile(index: number): string {
  const a = index % SHARED;
  const b = (index * 7 + 3) % SHARED === a ? (a + 1) % SHARED : (index * 7 + 3) % SHARED;
  return `import { tool } from "toolwright";
import { label${a}, type Options${a} } from "./lib/part${a}";
import { label${b} } from "./lib/part${b}";
import { lines } from "./lib/${toolName(index)}";

const z = tool.schema;
const options: Options${a} = { retries: ${index % 5}, verbose: false };

export default tool({
  description: "Looks up record ${index} of the inventory and returns its fields. Use it before changing the record.",
  args: {
    path: z.string().describe("The file to read, relative to the project"),
    limit: z.number().int().min(1).max(${100 + index}).default(${10 + (index % 40)}).describe("How many lines to return"),
    kind: z.enum(["summary", "details", "raw"]).describe("The level of detail"),
    ${index % 2 === 0 ? 'tags: z.array(z.string()).optional().describe("Only entries with one of these tags"),' : ""}
  },
  async execute({ path, limit, kind }, context): Promise<string> {
    const head: string = label${a}(path) + label${b}(kind);
    return lines([head, options.retries, context.directory], limit);
  },
});
`;
}

function packageFile(index: number): string {
  return `export function lines(parts: readonly unknown[], limit: number): string {
  return parts.slice(0, limit).map((part): string => "${index} " + String(part)).join("\\n");
}
`;
}

function sharedFile(index: number): string {
  return `export interface Options${index} {
  retries: number;
  verbose: boolean;
}

export function label${index}(text: string): string {
  return "[${index}: " + text.trim() + "]";
}
`;
}

function compile(name: string, source: string): string {
  const { code, errors } = transformSync(`${name}.ts`, source);
  if (errors[0]) throw new Error(`${name}.ts: ${errors[0].message}`);
  return code.replace(/"(\.\/lib\/\w+)"/g, '"$1.mjs"');
}

function linkPackage(folder: string): void {
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(PACKAGE, join(folder, "node_modules", "toolwright"), "dir");
}

function entry(count: number): string {
  const names = Array.from({ length: count }, (_, index) => `./${toolName(index)}.mjs`);
  return `const names = ${JSON.stringify(names)};
let tools = 0;
for (const name of names) if ((await import(name)).default.description) tools += 1;
console.log(tools);
`;
}
