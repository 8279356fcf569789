import { isCountKey, isSecretKey, isWorkingDirectory } from "./secret-key.ts";

/** The position of a secret in a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Characters that every pattern below needs. Many texts have none of them. */
const MAY_HOLD_ONE = /[:=_.,<-]|bearer|basic|\bset|A(?:KIA|SIA|ROA|IDA|Iza)/i;

/** Ids of calls and sessions. No pattern below matches such a text, and every line of a log has several. */
const HEX_ID = /^[\da-f-]*$/;

/**
 * Finds the secrets in a text by their form. Takes linear time: no pattern has a repetition that starts at every character
 * and runs to the end.
 */
export function secretSpans(text: string): Span[] {
  if (!MAY_HOLD_ONE.test(text) || HEX_ID.test(text)) return [];
  return [...SHAPES.flatMap((shape) => shapeSpans(text, shape)), ...NAMES.flatMap((name) => namedSpans(text, name))];
}

/** Finds all occurrences of these texts. */
export function valueSpans(text: string, values: readonly string[]): Span[] {
  return values.flatMap((value) => (text.includes(value) ? occurrences(text, value) : []));
}

/**
 * Finds one text in another, also overlapping occurrences, in linear time (Knuth, Morris and Pratt): a secret such as `aaaa`
 * may occur at every character.
 */
function occurrences(text: string, value: string): Span[] {
  const borders = [0];
  for (let at = 1, length = 0; at < value.length; at++) {
    while (length > 0 && value.charCodeAt(at) !== value.charCodeAt(length)) length = borders[length - 1] ?? 0;
    if (value.charCodeAt(at) === value.charCodeAt(length)) length++;
    borders.push(length);
  }
  const spans: Span[] = [];
  for (let at = 0, length = 0; at < text.length; at++) {
    while (length > 0 && text.charCodeAt(at) !== value.charCodeAt(length)) length = borders[length - 1] ?? 0;
    if (text.charCodeAt(at) === value.charCodeAt(length)) length++;
    if (length < value.length) continue;
    const start = at + 1 - length;
    const last = spans.at(-1);
    if (last && last.end >= start) spans[spans.length - 1] = { start: last.start, end: at + 1 };
    else spans.push({ start, end: at + 1 });
  }
  return spans;
}

/** Secrets with a recognisable form. If a pattern has a group `secret`, only the group is masked. */
const SHAPES: readonly RegExp[] = [
  // A name and a password in a URL.
  /:\/\/(?<secret>[^\s/?#"'<>]*)@/dg,
  /(?<![\w.:/-])(?!mailto|npm:|jsr:|acct:|sip:|xmpp:|workspace:)[\w.+-]{1,64}:(?<secret>[^\s@:/"'<>]{3,128})@(?:[A-Za-z][\w-]{0,62}\.[A-Za-z]|localhost\b|\d{1,3}(?:\.\d{1,3}){3})/dg,
  /\bbearer +(?<secret>[\w.~+/=-]+)/dgi,
  /\b[Bb](?:asic|ASIC) +(?=[a-z+/-]{0,100}[A-Z\d=])(?<secret>[\w+/=-]{8,})/dg,
  // curl -u name:password, docker login -p password, mysql -ppassword; not docker run -u 1000:1000.
  /(?<![\w-])(?:-u|--user|--proxy-user)[ =]{0,3}[^\s:"'=-][^\s:"']{0,127}:(?!\d+(?!\S))(?<secret>[^\s"']+)/dg,
  /(?<![\w-])(?:-u|--user|--proxy-user)[ =]{0,3}"[^:"\n]{1,128}:(?<secret>[^"]+)/dg,
  /(?<![\w-])(?:-u|--user|--proxy-user)[ =]{0,3}'[^:'\n]{1,128}:(?<secret>[^']+)/dg,
  /\b(?:sshpass|(?:docker|podman|buildah|skopeo|az|oc) login\b[^\n|;&]{0,200}?) +-p *(?<secret>"[^"]*"?|'[^']*'?|\S+)/dg,
  /\b(?:zip|unzip)\b[^\n|;&]{0,200}? -P *(?<secret>"[^"]*"?|'[^']*'?|\S+)/dg,
  /\bredis-cli\b[^\n|;&]{0,200}? -a +(?<secret>"[^"]*"?|'[^']*'?|\S+)/dg,
  /\b7z[ar]?\b[^\n|;&]{0,200}? -p(?<secret>"[^"]*"?|'[^']*'?|\S+)/dg,
  /\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n|;&]{0,200}? -p(?<secret>"[^"]*"?|'[^']*'?|[^\s"'-]\S*)/dg,
  // GitHub, GitLab, npm, PyPI, Docker, Hugging Face, Shopify, DigitalOcean, Linear.
  /\b(?:gh[opsur]_|hf_|shp(?:at|ca|pa|ss)_|do[opr]_v1_|lin_api_)[A-Za-z0-9]{10,}/dg,
  /\bnpm_[A-Za-z0-9]{20,}|\b(?:github_pat_|dckr_pat_)[\w-]{10,}/dg,
  /\b(?:gl(?:pat|ptt|dt|rt|cbt|oas|soat|ft|imt|agent)|pypi)-[\w-]{10,}/dg,
  // OpenAI, Anthropic and similar; Stripe and webhook secrets.
  /(?<![\w-])sk-(?=[\w-]{0,60}\d)[\w-]{10,}/dg,
  /\b(?:sk|rk|pk)_(?:live|test)_\w{8,}|\bwhsec_\w{8,}/dg,
  // AWS, Google, SendGrid, age.
  /\b(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{12,}/dg,
  /\bAIza[\w-]{20,}|\bya29\.[\w-]{10,}|\bGOCSPX-[\w-]{10,}|(?<![\w.-])SG\.[\w-]{10,}\.[\w-]{10,}|\bAGE-SECRET-KEY-1\w{10,}/dg,
  // Slack and Discord.
  /\bxox[abeoprs]-[\w-]{8,}|\bxapp-[\w-]{8,}/dg,
  /\bhooks\.slack\.com\/(?:services|workflows|triggers)\/(?<secret>[\w/-]+)/dg,
  /\bdiscord(?:app)?\.com\/api\/webhooks\/(?<secret>[\w/-]+)/dg,
  // JSON Web Tokens.
  /(?<![\w-])eyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*)?/dg,
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?<secret>[\s\S]*?)(?:-----END|$)/dg,
];

function shapeSpans(text: string, shape: RegExp): Span[] {
  return matches(text, shape).map(({ indices }) => {
    const [start, end] = indices?.groups?.secret ?? indices?.[0] ?? [0, 0];
    return { start, end };
  });
}

/** Like `matchAll`, which copies the pattern each time: most texts have no match. No pattern matches an empty text. */
function matches(text: string, pattern: RegExp): RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) found.push(match);
  return found;
}

/** A name before its value. The match ends where the value begins. */
interface NameForm {
  readonly name: RegExp;
  /** The end of a value without quotes. */
  readonly bare: RegExp;
}

/** Continues after a quote within a word, as in `pa"ss wo"rd`. */
const WORD = /(?:\\.|[^\s&;"'\\]|"(?=[^\s"',;)\]}&|])[^"\n]{0,200}"|'(?=[^\s"',;)\]}&|])[^'\n]{0,200}')+/y;
/** The rest of a line, or the indented lines of a YAML block. */
const LINE = /[|>][-+\d]*[ \t]*\n(?:[ \t]+[^\n]*(?:\n|$))+|[^\s"'][^\n"']*/y;
const NAMES: readonly NameForm[] = [
  { name: /(?<!\w)([A-Za-z_][\w.-]{0,63})(?:=>?| =>? | ?:= ?)/g, bare: WORD },
  { name: /(?<![\w-])--?([A-Za-z][\w-]{0,63})[ \t]+(?!-)/g, bare: WORD },
  { name: /(?<![\w-])([A-Za-z_][\w-]{0,63}): {0,3}/g, bare: LINE },
  { name: /["']([\w .-]{1,64})\\{0,7}["']\]?\s{0,3}(?::|=>?|,)\s{0,3}(?!\\{0,7}["']value\b)/g, bare: /[\w.+-]+/y },
  // A YAML value on the next line.
  { name: /(?<![\w-])([A-Za-z_][\w-]{0,63}):[ \t]{0,9}\n[ \t]{1,99}/g, bare: /[^\s"':{[-][^\n"':]*(?=\n|$)/y },
  // npm config set NAME value. A name in lower case could be any word of a sentence.
  {
    name: /\b(?:set|setx|setenv|config)(?:[ \t]{1,9}--?[\w-]{1,20}){0,3}[ \t]{1,9}(?=[a-z/-]{0,64}[A-Z_.:])([\w./:-]{1,80})[ \t]{1,9}(?!-)/g,
    bare: WORD,
  },
  { name: /<([A-Za-z][\w.-]{0,63})>/g, bare: /[^<]+(?=<\/)/y },
  // name: NAME, value: … in YAML, XML and JSON.
  {
    name: /\b(?:name|key)\\{0,7}["']?\s{0,3}[:=]\s{0,3}\\{0,7}["']?([\w.-]{1,64})\\{0,7}["']?[\s,]{1,40}\\{0,7}["']?value\\{0,7}["']?\s{0,3}[:=]\s{0,3}/gi,
    bare: LINE,
  },
];
const SCHEME = /(?:bearer|basic) +/iy;

function namedSpans(text: string, { name, bare }: NameForm): Span[] {
  const spans: Span[] = [];
  let covered = 0;
  for (const found of matches(text, name)) {
    const key = found[1] ?? "";
    const start = after(SCHEME, text, found.index + found[0].length);
    if (start < covered || !isSecretKey(key)) continue;
    const value = valueAt(text, start, bare);
    if (value === undefined || isPlain(key, text.slice(value.start, value.end))) continue;
    spans.push(value);
    covered = value.end;
  }
  return spans;
}

function isPlain(key: string, value: string): boolean {
  if (/^(?:true|false|null|undefined|none)$/i.test(value)) return true;
  return (/^\d+$/.test(value) && isCountKey(key)) || isWorkingDirectory(key, value);
}

/** A value in quotes, a list or an object in brackets, or a word. */
function valueAt(text: string, start: number, bare: RegExp): Span | undefined {
  const opening = /(\\*)(["'])/y;
  opening.lastIndex = start;
  const [quote, escapes = "", mark = ""] = opening.exec(text) ?? [];
  if (quote !== undefined) {
    const inside = start + quote.length;
    return { start: inside, end: closingQuote(text, inside, escapes.length, mark) };
  }
  if (text[start] === "[" || text[start] === "{") return { start, end: closingBracket(text, start) };
  const end = after(bare, text, start);
  return end > start ? { start, end } : undefined;
}

/** In JSON inside a JSON string, the quote that ends a value has as many backslashes as the one that begins it. */
function closingQuote(text: string, from: number, escapes: number, mark: string): number {
  for (let at = text.indexOf(mark, from); at >= 0; at = text.indexOf(mark, at + 1)) {
    let before = 0;
    while (at - before > from && text[at - before - 1] === "\\") before++;
    const ends = escapes === 0 ? before % 2 === 0 : before <= escapes;
    if (ends) return at - Math.min(before, escapes);
  }
  return text.length;
}

function closingBracket(text: string, from: number): number {
  const bracket = /[[\]{}]/g;
  bracket.lastIndex = from;
  let depth = 0;
  for (let found = bracket.exec(text); found; found = bracket.exec(text)) {
    depth += found[0] === "[" || found[0] === "{" ? 1 : -1;
    if (depth === 0) return found.index + 1;
  }
  return text.length;
}

/** The end of a pattern that matches at this position; the position itself if it does not match. */
function after(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return start + (pattern.exec(text)?.[0].length ?? 0);
}
