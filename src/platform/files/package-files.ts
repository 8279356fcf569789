import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Whether this package runs from its TypeScript sources, as in its own tests. */
const FROM_SOURCE: boolean = import.meta.url.endsWith(".ts");

/**
 * Files of this package that are loaded by path: the public entry, the entries of a host process and of the guard
 * process, the extension of a pi that runs a session, and the stand-ins for the packages of pi, with and without its components, of OpenCode, Copilot, OpenClaw, Roo Code and xmcp, and the built-in tools as values. The built package is flat.
 */
const SOURCES = {
  index: "../../index.ts",
  host: "../../host/process/child.ts",
  "guard-process": "../processes/guard-process.ts",
  "pi-session": "../../surfaces/pi/session-extension.ts",
  pi: "../../authoring/pi/index.ts",
  "pi-values": "../../authoring/pi/values.ts",
  opencode: "../../authoring/opencode/index.ts",
  atomic: "../../authoring/pi/atomic.ts",
  copilot: "../../authoring/copilot/extension.ts",
  roo: "../../authoring/roo/index.ts",
  builtins: "../../builtins/exports/index.ts",
  openclaw: "../../authoring/openclaw/index.ts",
  xmcp: "../../authoring/xmcp/index.ts",
} as const;

type PackageFile = keyof typeof SOURCES;

/** The path of a file of this package. */
export function packageFile(name: PackageFile): string {
  return fileURLToPath(new URL(FROM_SOURCE ? SOURCES[name] : `./${name}.mjs`, import.meta.url));
}

/**
 * Returns a function from the name of a built-in tool to the path of its code. Its description is in the same folder.
 */
export function builtinFiles(): (name: string) => string {
  const folder = join(dirname(packageFile("index")), "builtins");
  return (name) => join(folder, `${name}.${FROM_SOURCE ? "ts" : "mjs"}`);
}

/** The folder of the built page. In the sources it is missing until the page is built. */
export function pageFolder(): string {
  return fileURLToPath(new URL(FROM_SOURCE ? "../../../dist/web" : "./web", import.meta.url));
}
