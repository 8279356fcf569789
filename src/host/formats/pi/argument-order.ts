import type { System } from "../../../core/tool.ts";

/** The last three parameters of `execute`: (signal, onUpdate, ctx), or (onUpdate, ctx, signal). */
export type ArgumentOrder = "signal-first" | "update-first";

/** How a file provides a tool: by `registerTool`, as the return value of its function, or as an export. */
export type ProvidedAs = "registered" | "returned" | "exported";

/** The system that a file is written for: by its imports, of types too, else by its folder. */
export function writtenFor(source: string, folder: System): "pi" | "omp" | undefined {
  if (/["']@oh-my-pi\//.test(source)) return "omp";
  if (/["']@(?:(?:mariozechner|earendil-works)\/pi-|bastani\/atomic\b)/.test(source)) return "pi";
  return folder === "pi" || folder === "omp" ? folder : undefined;
}

/**
 * The order in which a tool expects its last three arguments. Both systems have used both orders, so the parameter names
 * decide if they are known names, else the system. The number of parameters is not used.
 */
export function argumentOrder(
  execute: unknown,
  providedAs: ProvidedAs,
  system: "pi" | "omp" | undefined,
): ArgumentOrder {
  const named = orderByNames(parameterNames(execute));
  if (named) return named;
  if (system === "omp" || providedAs === "returned") return "update-first";
  return system === "pi" || providedAs === "registered" ? "signal-first" : "update-first";
}

function orderByNames(names: readonly string[]): ArgumentOrder | undefined {
  const [third = "", fourth = "", fifth = ""] = names.slice(2);
  if (isSignal(third) || isUpdate(fourth) || isContext(fifth)) return "signal-first";
  if (isUpdate(third) || isContext(fourth) || isSignal(fifth)) return "update-first";
  return undefined;
}

/** Whether the first parameter is the input, not the call id: by its name, or because it is destructured. */
export function takesInputFirst(execute: unknown): boolean {
  if (typeof execute !== "function") return false;
  const text = withoutComments(execute);
  const bare = /^(?:async\s+)?([\w$]+)\s*=>/.exec(text)?.[1];
  const [first = ""] = bare === undefined ? splitParameters(text) : [bare];
  return /^\s*(?:\{|_*(?:args?|arguments|inputs?|params?|parameters|data|options)\b)/i.test(first);
}

const isSignal = (name: string): boolean => /signal$|^abort/i.test(name);
const isUpdate = (name: string): boolean => /^(?:on)?(?:update|progress)/i.test(name);
const isContext = (name: string): boolean => /^(?:ctx|context)$/i.test(name);

const COMMENTS_AND_STRINGS = /\/\*[\s\S]*?\*\/|\/\/.*$|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/gm;

/** Parameter names without leading underscores. A destructured parameter has an empty name. */
function parameterNames(execute: unknown): string[] {
  if (typeof execute !== "function") return [];
  return splitParameters(withoutComments(execute)).map(
    (written) => /^\s*(?:\.\.\.)?_*([\w$]*)/.exec(written)?.[1] ?? "",
  );
}

function withoutComments(execute: object): string {
  return Function.prototype.toString.call(execute).replace(COMMENTS_AND_STRINGS, "");
}

function splitParameters(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let current = "";
  for (const character of text.slice(text.indexOf("("))) {
    if (")]}".includes(character)) depth -= 1;
    if (depth === 0 && parts.length + current.length > 0) break;
    if (depth === 1 && character === ",") {
      parts.push(current);
      current = "";
    } else if (depth > 0) current += character;
    if ("([{".includes(character)) depth += 1;
  }
  return [...parts, current];
}
