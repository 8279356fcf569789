import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { XMCP_CONFIG_FILES } from "../../../core/xmcp-config.ts";
import { isObject } from "../../../platform/values/is-object.ts";
import { tryOrUndefined } from "../../../platform/values/try-or-undefined.ts";
import type { LoadedSource } from "../contributions.ts";
import { importsPackage } from "../factory-evidence.ts";

/** The exports of a tool file of xmcp. */
export interface XmcpModule {
  readonly default: (args: unknown, extra: object) => unknown;
  readonly schema?: unknown;
  readonly outputSchema?: unknown;
  readonly metadata?: unknown;
}

/**
 * Whether a file is a tool of xmcp: its default export is a function, and its place or its imports say that it is written for
 * xmcp. Outside of the tools folder of a project it must also describe itself, as other files may import xmcp too.
 */
export function isXmcpTool(module: object, from: LoadedSource): module is XmcpModule {
  const { default: handler, metadata, schema } = fieldsOf(module);
  if (typeof handler !== "function" || /^class\b/.test(Function.prototype.toString.call(handler))) return false;
  if (from.file.system === "xmcp") return true;
  if (!isObject(metadata) && !isObject(schema)) return false;
  return importsPackage(from, /^xmcp(?:\/|$)/) || isInProject(from.file.path);
}

function fieldsOf(module: object): Record<string, unknown> {
  const read = (name: string): unknown => tryOrUndefined(() => (module as Record<string, unknown>)[name]);
  return { default: read("default"), metadata: read("metadata"), schema: read("schema") };
}

/** Whether a folder above the file has a configuration of xmcp. */
function isInProject(path: string): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (XMCP_CONFIG_FILES.some((name) => existsSync(join(folder, name)))) return true;
    if (existsSync(join(folder, "package.json")) || dirname(folder) === folder) return false;
  }
}
