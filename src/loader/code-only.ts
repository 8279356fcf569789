/**
 * The same text with a space for every character inside its comments, texts and regular expressions; quotes and line
 * ends are kept. What is left is code, and stands where it stood. Never throws, whatever the text is.
 */
export function codeOnly(source: string): string {
  let code = "";
  /** For each template that is open, how many braces are open in the expression at hand. */
  const templates: number[] = [];
  while (code.length < source.length) {
    const token = nextToken(source, code, templates.at(-1) === 0);
    code += /^\/[/*]/.test(token)
      ? blank(token)
      : isQuoted(token)
        ? token[0] + blank(token.slice(1, -1)) + token.at(-1)
        : token;
    count(templates, token);
  }
  return code;
}

const COMMENT = /\/\/.*|\/\*[\s\S]*?(?:\*\/|$)/y;
const TEXT = /"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'/y;
/** From a "`", or from the "}" that ends an expression in it, to its end or to the next expression. */
const TEMPLATE = /[`}](?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?:`|\$\{)/y;
const REGEX = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/[\\\n])+\/\w*/y;
/** As much as can be passed over at once, else a single character. */
const PLAIN = /[^"'`/{}]+|[\s\S]/y;

function nextToken(source: string, code: string, endsExpression: boolean): string {
  const at = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = code.length;
    return pattern.exec(source)?.[0];
  };
  const first = source.charAt(code.length);
  const special =
    first === "/"
      ? (at(COMMENT) ?? (BEFORE_REGEX.test(code.slice(-200)) ? at(REGEX) : undefined))
      : first === "`" || (first === "}" && endsExpression)
        ? at(TEMPLATE)
        : at(TEXT);
  return special ?? at(PLAIN) ?? first;
}

/** What a "/" follows when it begins a regular expression; after anything else it divides. */
const BEFORE_REGEX =
  /(?:^|[=(,:[!&|?{;+\-*%<>~^]|\b(?:return|typeof|case|in|of|do|else|void|delete|throw|await|yield))\s*$/;

function isQuoted(token: string): boolean {
  return token.length > 1 && /^["'`/}]/.test(token);
}

function blank(text: string): string {
  return text.replace(/[^\n\r]/g, " ");
}

/** A template that goes on is the innermost again; one that has ended is none. */
function count(templates: number[], token: string): void {
  const last = templates.length - 1;
  if (token.length > 1 && token.startsWith("}")) templates.pop();
  if (isQuoted(token) && token.endsWith("${") && /^[`}]/.test(token)) templates.push(0);
  else if (last >= 0 && token === "{") templates[last] = (templates[last] ?? 0) + 1;
  else if (last >= 0 && token === "}") templates[last] = (templates[last] ?? 0) - 1;
}
