import { codeOnly } from "../../platform/text/code-only.ts";

/**
 * Whether a function surely returns no value: it has a body without a `return` that has one. Returns of inner functions do not
 * count. False for functions that may be meant so: they never end, always throw, exit, or write their output.
 */
export function returnsNothing(author: (...args: never[]) => unknown): boolean {
  const source = sourceOf(author);
  const body = source === undefined ? undefined : bodyOf(codeOnly(source));
  if (body === undefined) return false;
  const own = withoutInnerFunctions(body);
  return !RETURN.test(own) && !MEANT.test(own) && !WRITES.test(body);
}

/** A `return` with a value on the same line, or in parentheses. */
const RETURN = /\breturn\b(?![ \t]*(?:[;}]|\r?\n|$))/;
const MEANT = /\bthrow\b|\bfor\s*\(\s*;\s*;\s*\)|\bwhile\s*\(\s*(?:true|1)\s*\)|\bprocess\s*\.\s*exit\b|\byield\b/;
/** `context.write()`, and partial results of pi. */
const WRITES = /\.\s*write\s*\(|\bonUpdate\b|\bpartial\s*\(/;

function sourceOf(author: (...args: never[]) => unknown): string | undefined {
  const source = Function.prototype.toString.call(author);
  return source.includes("[native code]") || /^(?:async\s+)?(?:function\s*)?\*|^class\b/.test(source)
    ? undefined
    : source;
}

/** The text in the braces of a function; undefined for an arrow function whose body is an expression. */
function bodyOf(code: string): string | undefined {
  const parameters = code.indexOf("(");
  const arrow = code.indexOf("=>");
  // An arrow function with one parameter has no parentheses.
  const afterParameters = arrow >= 0 && (parameters < 0 || arrow < parameters) ? arrow : endOf(code, parameters);
  const [prefix = ""] = /^\s*(?:=>)?\s*/.exec(code.slice(afterParameters)) ?? [];
  const start = afterParameters + prefix.length;
  return code[start] === "{" ? code.slice(start + 1, endOf(code, start) - 1) : undefined;
}

/** The offset after the bracket that closes the one at `start`. */
function endOf(code: string, start: number): number {
  let depth = 0;
  for (let at = Math.max(0, start); at < code.length; at++) {
    if ("([{".includes(code.charAt(at))) depth += 1;
    else if (")]}".includes(code.charAt(at)) && --depth === 0) return at + 1;
  }
  return code.length;
}

/** Replaces the bodies of functions, methods and classes in a body. */
function withoutInnerFunctions(body: string): string {
  let own = "";
  for (let at = 0; at < body.length; ) {
    if (body[at] === "{" && startsFunction(body, at)) {
      own += "{}";
      at = endOf(body, at);
    } else {
      own += body.charAt(at);
      at += 1;
    }
  }
  return own;
}

const CONTROL = /\b(?:if|for|while|switch|catch|with|await)\s*$/;
/** The longest keyword, and the space around it. */
const CONTROL_LENGTH = 20;

/** Whether the "{" at an offset starts the body of a function or a class. Looks only at the code just before it. */
function startsFunction(code: string, brace: number): boolean {
  let last = brace - 1;
  while (last >= 0 && /\s/.test(code.charAt(last))) last -= 1;
  if (code.slice(last - 1, last + 1) === "=>") return true;
  if (code[last] === ")") {
    const start = startOf(code, last);
    return !CONTROL.test(code.slice(Math.max(0, start - CONTROL_LENGTH), start));
  }
  let first = last;
  while (first >= 0 && !"{}()".includes(code.charAt(first))) first -= 1;
  return /\bclass\b/.test(code.slice(first + 1, brace));
}

/** The offset of the parenthesis that is closed at `end`. */
function startOf(code: string, end: number): number {
  let depth = 0;
  for (let at = end; at >= 0; at--) {
    if (code[at] === ")") depth += 1;
    else if (code[at] === "(" && --depth === 0) return at;
  }
  return 0;
}
