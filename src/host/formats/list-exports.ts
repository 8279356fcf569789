import { isObject } from "../../platform/values/is-object.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";

/** One export of a module. `read` may throw: the export may be a getter, or not be initialised yet. */
export interface ModuleExport {
  readonly exportName: string;
  read(): unknown;
}

/** The exports of a module, default first. A value that is exported twice is listed once, as default if it is that. */
export function listExports(module: Record<string, unknown>, path: string): ModuleExport[] {
  const fallback = tryOrUndefined(() => module.default);
  const holder =
    isCommonJs(module, fallback, path) && !isTool(fallback) ? (fallback as Record<string, unknown>) : module;
  const main = tryOrUndefined(() => holder.default);
  return Object.keys(holder)
    .filter((name) => name !== "module.exports" && name !== "__esModule")
    .sort((a, b) => Number(b === "default") - Number(a === "default"))
    .filter((name) => name === "default" || main === undefined || tryOrUndefined(() => holder[name]) !== main)
    .map((exportName) => ({ exportName, read: () => holder[exportName] }));
}

/**
 * Node exports `module.exports` of a CommonJS module as default, plus the names that it found in the source. From Node 23
 * on there is a "module.exports" export too. In older versions, only equal names or the extension
 * indicate it.
 */
function isCommonJs(module: Record<string, unknown>, exported: unknown, path: string): boolean {
  if (typeof exported !== "object" || exported === null || Array.isArray(exported)) return false;
  if ("module.exports" in module || path.endsWith(".cjs")) return true;
  const names = Object.keys(module).filter((name) => name !== "default");
  return (
    names.length > 0 &&
    names.every((name) => tryOrUndefined(() => module[name] === (exported as Record<string, unknown>)[name]))
  );
}

/** Whether `module.exports` is itself a tool, of any form, and not a set of exports. */
function isTool(exported: unknown): boolean {
  const isFunction = (member: unknown): boolean => typeof member === "function";
  const isOne = (fields: Record<string, unknown>): boolean => {
    const { execute, name, handler, invoke, run, runAsync, call, toolSpec, id, init, server, setup, effect, tui } =
      fields;
    const { register, activate } = fields;
    if (isFunction(execute) || "__toolSide" in fields) return true;
    if (typeof name === "string" && [handler, invoke, run, runAsync, register].some(isFunction)) return true;
    if (isObject(toolSpec) || (isFunction(call) && isObject(fields.metadata))) return true;
    return typeof id === "string" && [init, server, setup, effect, tui, register, activate].some(isFunction);
  };
  return tryOrUndefined(() => isOne(exported as Record<string, unknown>)) !== false;
}
