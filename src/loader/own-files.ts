import { fileURLToPath } from "node:url";

/** True when this package runs from its TypeScript sources, as its own tests do; false in the built package. */
const FROM_SOURCE: boolean = import.meta.url.endsWith(".ts");

/** The built package is flat: every chunk lies beside these two. */
const FILES: { readonly [name in "index" | "host"]: URL } = FROM_SOURCE
  ? { index: new URL("../index.ts", import.meta.url), host: new URL("../host/child.ts", import.meta.url) }
  : { index: new URL("./index.mjs", import.meta.url), host: new URL("./host.mjs", import.meta.url) };

/** A file of this package that is reached by path: the authors' door, or the entry of a host process. */
export function ownFile(name: "index" | "host"): string {
  return fileURLToPath(FILES[name]);
}
