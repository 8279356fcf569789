/**
 * Replaces every character in comments, strings and regular expressions by a space, and keeps quotes and line ends.
 * Offsets do not change. Never throws.
 */
export function codeOnly(source: string): string {
  return separate(source).code;
}

/** The comments in a file, each with its delimiters. */
export function commentsIn(source: string): string[] {
  return separate(source).comments;
}

function separate(source: string): { code: string; comments: string[] } {
  let code = "";
  const comments: string[] = [];
  /** For each open template literal: the number of open braces in its current expression. */
  const templates: number[] = [];
  const unclosed: Unclosed = { '"': 0, "'": 0, "`": 0 };
  while (code.length < source.length) {
    const token = nextToken(source, code, templates.at(-1) === 0, unclosed);
    const isComment = /^(?:\/[/*]|#!)/.test(token);
    if (isComment) comments.push(token);
    code += isComment ? blank(token) : isQuoted(token) ? token[0] + blank(token.slice(1, -1)) + token.at(-1) : token;
    count(templates, token);
  }
  return { code, comments };
}

/** `#!` begins a comment in the first line only. */
const COMMENT = /(?<![\s\S])#!.*|\/\/.*|\/\*[\s\S]*?(?:\*\/|$)/y;
/** A text without its closing quote. */
const TEXT = /"(?:\\[\s\S]|[^"\\\n])*|'(?:\\[\s\S]|[^'\\\n])*/y;
/** Part of a template literal: from "`" or the "}" after an expression, to its end or the next expression. */
const TEMPLATE = /[`}](?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?:`|\$\{)/y;
const REGEX = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/[\\\n])+\/\w*/y;
/** Plain code, or a single character. */
const PLAIN = /[^"'`/{}]+|[\s\S]/y;

/** Where the search for a closing quote of this kind ended: a text that begins before that has none either. */
type Unclosed = Record<'"' | "'" | "`", number>;

function nextToken(source: string, code: string, endsExpression: boolean, unclosed: Unclosed): string {
  const at = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = code.length;
    return pattern.exec(source)?.[0];
  };
  const first = source.charAt(code.length);
  const special =
    first === "/" || (first === "#" && code === "")
      ? (at(COMMENT) ?? (BEFORE_REGEX.test(code.slice(-200)) ? at(REGEX) : undefined))
      : first === "`" || (first === "}" && endsExpression)
        ? template()
        : first === '"' || first === "'"
          ? text(first)
          : undefined;
  return special ?? at(PLAIN) ?? first;

  function text(quote: '"' | "'"): string | undefined {
    if (code.length < unclosed[quote]) return undefined;
    const open = at(TEXT) ?? "";
    const end = code.length + open.length;
    if (source.charAt(end) === quote) return open + quote;
    unclosed[quote] = end;
    return undefined;
  }

  function template(): string | undefined {
    if (code.length < unclosed["`"]) return undefined;
    const found = at(TEMPLATE);
    if (found === undefined) unclosed["`"] = source.length;
    return found;
  }
}

/** The code before a "/" that starts a regular expression. Otherwise "/" is a division. */
const BEFORE_REGEX =
  /(?:^|[=(,:[!&|?{;+\-*%<>~^]|\b(?:return|typeof|case|in|of|do|else|void|delete|throw|await|yield))\s*$/;

function isQuoted(token: string): boolean {
  return token.length > 1 && /^["'`/}]/.test(token);
}

function blank(text: string): string {
  return text.replace(/[^\n\r]/g, " ");
}

/** Updates the open template literals after a token. */
function count(templates: number[], token: string): void {
  const last = templates.length - 1;
  if (token.length > 1 && token.startsWith("}")) templates.pop();
  if (isQuoted(token) && token.endsWith("${") && /^[`}]/.test(token)) templates.push(0);
  else if (last >= 0 && token === "{") templates[last] = (templates[last] ?? 0) + 1;
  else if (last >= 0 && token === "}") templates[last] = (templates[last] ?? 0) - 1;
}
