import { attempt } from "../core/attempt.ts";
/** One export of a module. Reading it may throw: it may be a getter, or not be runInit yet. */
export interface ModuleExport {
  readonly exportName: string;
  read(): unknown;
}

/** The exports of a module, default first, each thing once: as default where it is exported as both. */
export function listExports(module: Record<string, unknown>, path: string): ModuleExport[] {
  const fallback = attempt(() => module.default);
  const holder =
    isCommonJs(module, fallback, path) && !isTool(fallback) ? (fallback as Record<string, unknown>) : module;
  const main = attempt(() => holder.default);
  return Object.keys(holder)
    .filter((name) => name !== "module.exports" && name !== "__esModule")
    .sort((a, b) => Number(b === "default") - Number(a === "default"))
    .filter((name) => name === "default" || main === undefined || attempt(() => holder[name]) !== main)
    .map((exportName) => ({ exportName, read: () => holder[exportName] }));
}

/**
 * Node gives a CommonJS module's whole `module.exports` as default, beside the names it could find in its source. From
 * Node 23 on it says so; before, the names say it, or the file's extension.
 */
function isCommonJs(module: Record<string, unknown>, exported: unknown, path: string): boolean {
  if (typeof exported !== "object" || exported === null || Array.isArray(exported)) return false;
  if ("module.exports" in module || path.endsWith(".cjs")) return true;
  const names = Object.keys(module).filter((name) => name !== "default");
  return (
    names.length > 0 &&
    names.every((name) => attempt(() => module[name] === (exported as Record<string, unknown>)[name]))
  );
}

/** `module.exports = tool`: what is exported is the tool, in whichever form, and not a set of exports. */
function isTool(exported: unknown): boolean {
  const isOne = ({ execute, name, handler, invoke, id, init }: Record<string, unknown>): boolean =>
    typeof execute === "function" ||
    (typeof name === "string" && [handler, invoke].some((member) => typeof member === "function")) ||
    (typeof id === "string" && typeof init === "function");
  return attempt(() => isOne(exported as Record<string, unknown>)) !== false;
}
