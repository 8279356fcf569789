import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** True when this package runs from its TypeScript sources, as its own tests do; false in the built package. */
const FROM_SOURCE: boolean = import.meta.url.endsWith(".ts");

/**
 * Files that are reached by path: the authors' door, the entry of a host process, and what tool files import from the
 * packages of pi, with its components and without. The built package is flat: every chunk lies beside these.
 */
const SOURCES = {
  index: "../index.ts",
  host: "../host/child.ts",
  pi: "../authoring/pi/index.ts",
  "pi-values": "../authoring/pi/values.ts",
} as const;

export type PackageFile = keyof typeof SOURCES;

/** Where a file of this package is. */
export function packageFile(name: PackageFile): string {
  return fileURLToPath(new URL(FROM_SOURCE ? SOURCES[name] : `./${name}.mjs`, import.meta.url));
}

/** Says where the code of a built-in tool is; its description lies beside it. */
export function builtinFiles(): (name: string) => string {
  const folder = join(dirname(packageFile("index")), "builtins");
  return (name) => join(folder, `${name}.${FROM_SOURCE ? "ts" : "mjs"}`);
}
