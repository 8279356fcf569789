import type { System } from "../../core/tool.ts";

/** Of `execute` after the id and the arguments: "signal-first" is (signal, onUpdate, ctx), "update-first" (onUpdate, ctx, signal). */
export type ArgumentOrder = "signal-first" | "update-first";

/** How a file gave a tool: with `registerTool`, as what its function returned, or as an export. */
export type ProvidedAs = "registered" | "returned" | "exported";

/** The system that a file was written for: by what it imports, types included, else by the folder it lies in. */
export function writtenFor(source: string, folder: System): "pi" | "omp" | undefined {
  if (/["']@oh-my-pi\//.test(source)) return "omp";
  if (/["']@(?:mariozechner|earendil-works)\/pi-/.test(source)) return "pi";
  return folder === "pi" || folder === "omp" ? folder : undefined;
}

/**
 * The order in which an author expects the last three arguments. Each system has had both, so the names of the
 * parameters decide where they are telling; else the system that the file was written for. Their number says nothing.
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

/** Whether the first parameter is the input and not the id of the call, as far as it says so: by its name, or taken apart. */
export function takesInputFirst(execute: unknown): boolean {
  if (typeof execute !== "function") return false;
  const text = withoutTexts(execute);
  const bare = /^(?:async\s+)?([\w$]+)\s*=>/.exec(text)?.[1];
  const [first = ""] = bare === undefined ? splitParameters(text) : [bare];
  return /^\s*(?:\{|_*(?:args?|arguments|inputs?|params?|parameters|data|options)\b)/i.test(first);
}

const isSignal = (name: string): boolean => /signal$|^abort/i.test(name);
const isUpdate = (name: string): boolean => /^(?:on)?(?:update|progress)/i.test(name);
const isContext = (name: string): boolean => /^(?:ctx|context)$/i.test(name);

const COMMENTS_AND_TEXTS = /\/\*[\s\S]*?\*\/|\/\/.*$|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/gm;

/** The names as they are written, without leading underscores; empty for one that is taken apart. */
function parameterNames(execute: unknown): string[] {
  if (typeof execute !== "function") return [];
  return splitParameters(withoutTexts(execute)).map((written) => /^\s*(?:\.\.\.)?_*([\w$]*)/.exec(written)?.[1] ?? "");
}

function withoutTexts(execute: object): string {
  return Function.prototype.toString.call(execute).replace(COMMENTS_AND_TEXTS, "");
}

/** What stands between the commas of the parameter list. */
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
