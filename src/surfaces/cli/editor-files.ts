import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { VERSION } from "../../core/version.ts";

/** A file that makes an editor understand tool files. */
export interface EditorFile {
  /** From the `.toolwright` folder. */
  readonly path: string;
  readonly text: string;
  /** Ours to bring up to date; any other belongs to the user once it is there. */
  readonly generated: boolean;
}

const MARK = "// Written by `toolwright init`";

function generatedBy(): string {
  return `${MARK} (${VERSION}), which replaces it when it is run again.`;
}

/** Whether a file was written by an earlier run, and nobody has made it their own. */
export function isGenerated(text: string): boolean {
  return text.startsWith(MARK);
}

/**
 * The types on disk and the `tsconfig.json` that leads to them. The types are copies, so that they are there in a
 * fresh clone too, on a machine that has installed nothing.
 */
export function editorFiles(project: string): EditorFile[] {
  const nodeTypes = hasNodeTypes(project);
  const ambient = { path: join("types", "ambient.d.ts"), text: ambientText(nodeTypes), generated: true };
  const tsconfig = { path: "tsconfig.json", text: tsconfigText(nodeTypes), generated: false };
  return [...typeFiles(), ambient, tsconfig];
}

function typeFiles(): EditorFile[] {
  const folder = builtTypes();
  return readdirSync(folder)
    .filter((name) => name.endsWith(".d.mts"))
    .map((name) => ({
      path: join("types", name),
      text: `${generatedBy()}\n${readFileSync(join(folder, name), "utf8")}`,
      generated: true,
    }));
}

/** Beside the built program; from the sources, where the build puts them. */
function builtTypes(): string {
  const beside = import.meta.url.endsWith(".ts") ? "../../../dist/editor" : "./editor";
  const folder = fileURLToPath(new URL(beside, import.meta.url));
  if (existsSync(folder)) return folder;
  throw new Error(`The types for editors are missing from ${folder}. Install toolwright again.`);
}

/**
 * What tool files use and no package on disk describes: it has no types then, but it is no error either. Node's own
 * modules are left to @types/node where that is installed.
 */
function ambientText(nodeTypes: boolean): string {
  const node = `declare module "node:*";
declare const process: any;
declare const Buffer: any;
declare const require: any;
declare const __dirname: string;
declare const __filename: string;
interface ImportMeta {
  readonly url: string;
  readonly dirname: string;
  readonly filename: string;
}
`;
  return `${generatedBy()}
declare module "*.txt" {
  const text: string;
  export default text;
}
declare module "*.md" {
  const text: string;
  export default text;
}
declare module "typebox";
declare module "typebox/*";
declare module "@sinclair/typebox";
declare module "@sinclair/typebox/*";
${nodeTypes ? "" : node}`;
}

/** Named only where they are: TypeScript refuses a name that it cannot find. */
function hasNodeTypes(directory: string): boolean {
  if (existsSync(join(directory, "node_modules", "@types", "node"))) return true;
  const parent = dirname(directory);
  return parent !== directory && hasNodeTypes(parent);
}

function tsconfigText(nodeTypes: boolean): string {
  return `// Written by \`toolwright init\` so that editors know what tool files import. It is yours to change.
{
  "compilerOptions": {
    "target": "es2023",
    "lib": ["es2023", "dom", "dom.iterable"],
    "module": "esnext",
    "moduleResolution": "bundler",
    "allowImportingTsExtensions": true,
    "noEmit": true,
    "strict": true,
    "skipLibCheck": true,${nodeTypes ? '\n    "types": ["node"],' : ""}
    "paths": {
      "toolwright": ["./types/toolwright.d.mts"],
      "@atomic/plugin": ["./types/toolwright.d.mts"],
      "@opencode-ai/plugin": ["./types/toolwright.d.mts"],
      "@opencode-ai/plugin/tool": ["./types/toolwright.d.mts"],
      "zod": ["./types/zod.d.mts"]
    }
  },
  "include": ["tools", "types/ambient.d.ts"]
}
`;
}
