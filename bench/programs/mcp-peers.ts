import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "oxc-transform";
import { cleanEnvironment, PACKAGE, program } from "../places.ts";
import type { Launch } from "./mcp-stdio-client.ts";

/** How to start Node with these arguments, with the folder as working directory and home. */
export function launch(folder: string, ...args: string[]): Launch {
  return { command: process.execPath, args, cwd: folder, env: cleanEnvironment(folder) };
}

/** Writes tool files; the first is named `hello`. */
export function writeTools(project: string, count: number): void {
  const tools = join(project, ".toolwright", "tools");
  mkdirSync(tools, { recursive: true });
  for (let index = 0; index < count; index += 1) {
    writeFileSync(join(tools, `${index === 0 ? "hello" : `hello-${index}`}.ts`), TOOL);
  }
}

const TOOL = `import { tool } from "toolwright";

export default tool({
  description: "Says hello",
  args: { name: tool.schema.string() },
  execute: ({ name }) => "Hello, " + name,
});
`;

/** The peers compiled to JavaScript, so that type stripping does not slow their start. */
export function preparePeers(folder: string): Readonly<Record<"sdk" | "hello" | "floor" | "fastmcp", string>> {
  const modules = join(PACKAGE, "node_modules");
  return {
    sdk: compiled(folder, "mcp-sdk", modules),
    hello: compiled(folder, "mcp-sdk-hello", modules),
    floor: compiled(folder, "mcp-floor", modules),
    fastmcp: compiled(folder, "mcp-fastmcp", installFastmcp()),
  };
}

function compiled(folder: string, name: string, modules: string): string {
  const target = join(folder, name);
  mkdirSync(target, { recursive: true });
  symlinkSync(modules, join(target, "node_modules"), "dir");
  const file = join(target, `${name}.mjs`);
  writeFileSync(file, transformSync(`${name}.ts`, readFileSync(program(`${name}.ts`), "utf8")).code);
  return file;
}

/** Returns its `node_modules` folder. */
function installFastmcp(): string {
  const cwd = join(PACKAGE, "e2e", "bench");
  const modules = join(cwd, "node_modules");
  if (!existsSync(join(modules, ".package-lock.json"))) {
    execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--ignore-scripts"], { cwd, stdio: "pipe" });
  }
  return modules;
}
