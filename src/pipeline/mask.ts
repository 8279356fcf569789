import { isSecretKey, isSecretNumber } from "./secret-key.ts";

const MASK = "***";
const MAX_DEPTH = 16;
const MAX_VALUES = 10_000;
const MAX_STRING = 10_000;
const SHORTEST_SECRET = 4;

/** A copy of a value that may be written to a log. */
export type Mask = (value: unknown) => unknown;

/**
 * Makes a function that copies a value without its secrets: what stands under keys that look secret, every occurrence of
 * the given values (of 4 characters or more), credentials in addresses, `Bearer` and `Basic` headers, and in text also
 * `name=value`, `--name value`, `name: value` and `"name":"value"` where the name looks secret. The copy is plain JSON of bounded size; making it never throws.
 */
export function createMask({ values }: { values: readonly string[] }): Mask {
  const secrets = spellings(values);
  return (value) => new Copy((text) => maskText(text, secrets)).of(value, 0, "");
}

class Copy {
  readonly #maskText: (text: string) => string;
  readonly #above = new Set<object>();
  #left = MAX_VALUES;

  constructor(maskTextOf: (text: string) => string) {
    this.#maskText = maskTextOf;
  }

  /** `secretKey` is the nearest key above that looks secret, "" where there is none. */
  of(value: unknown, depth: number, secretKey: string): unknown {
    if (--this.#left < 0) return "[left out]";
    if (typeof value === "string") return secretKey ? MASK : this.#maskText(value);
    if (typeof value === "number") return secretKey && isSecretNumber(secretKey) ? MASK : value;
    if (typeof value === "bigint") return secretKey ? MASK : value.toString();
    if (typeof value !== "object") return typeof value === "boolean" ? value : undefined;
    if (value === null) return null;
    return this.#ofObject(value, depth, secretKey);
  }

  #ofObject(value: object, depth: number, secretKey: string): unknown {
    if (this.#above.has(value)) return "[circular]";
    if (depth >= MAX_DEPTH) return "[too deep]";
    this.#above.add(value);
    try {
      return this.#ofFields(value, depth, secretKey);
    } catch {
      return "[unreadable]";
    } finally {
      this.#above.delete(value);
    }
  }

  #ofFields(value: object, depth: number, secretKey: string): unknown {
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
    if ("toJSON" in value && typeof value.toJSON === "function") return this.of(value.toJSON(), depth + 1, secretKey);
    if (value instanceof Error) return this.of(`${value.name}: ${value.message}`, depth + 1, secretKey);
    if (Array.isArray(value)) return this.#ofList(value, depth, secretKey);
    return Object.fromEntries(this.#entries(value, depth, secretKey));
  }

  #ofList(list: readonly unknown[], depth: number, secretKey: string): unknown[] {
    const copy: unknown[] = [];
    for (const item of list) {
      if (this.#left <= 0) return [...copy, `[${list.length - copy.length} more]`];
      copy.push(this.of(item, depth + 1, secretKey) ?? null);
    }
    return copy;
  }

  #entries(value: object, depth: number, secretKey: string): [string, unknown][] {
    const entries: [string, unknown][] = [];
    for (const key of Object.keys(value)) {
      if (this.#left <= 0) break;
      const inner = looksSecret(key) ? key : secretKey;
      const copy = this.of((value as Record<string, unknown>)[key], depth + 1, inner);
      if (copy !== undefined) entries.push([this.#maskText(key), copy]);
    }
    return entries;
  }
}

const MOST_KNOWN = 1_000;
const LONGEST_KNOWN = 64;
const known = new Map<string, boolean>();

/** Calls have few different keys: most have been looked at before. */
function looksSecret(key: string): boolean {
  const before = known.get(key);
  if (before !== undefined) return before;
  const is = isSecretKey(key);
  if (known.size < MOST_KNOWN && key.length <= LONGEST_KNOWN) known.set(key, is);
  return is;
}

/** A secret may also stand in JSON or in an address. Longest first, so that no secret leaves the rest of a longer one. */
function spellings(values: readonly string[]): string[] {
  const spelt = values
    .filter((value) => value.length >= SHORTEST_SECRET)
    .flatMap((value) => [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value.toWellFormed())]);
  return [...new Set(spelt)].sort((a, b) => b.length - a.length);
}

function maskText(text: string, secrets: readonly string[]): string {
  if (text.length <= MAX_STRING) return withoutPatterns(withoutValues(text, secrets));
  const beginning = withoutPartAtEnd(withoutValues(text.slice(0, MAX_STRING), secrets), secrets);
  return `${withoutPatterns(beginning)}[${text.length - MAX_STRING} characters left out]`.toWellFormed();
}

function withoutValues(text: string, secrets: readonly string[]): string {
  return secrets.reduce((masked, secret) => masked.replaceAll(secret, MASK), text);
}

/** The cut may fall inside a secret, whose beginning is then at the end. */
function withoutPartAtEnd(text: string, secrets: readonly string[]): string {
  for (const secret of secrets) {
    for (let length = secret.length - 1; length > 0; length--) {
      if (text.endsWith(secret.slice(0, length))) return text.slice(0, -length) + MASK;
    }
  }
  return text;
}

/** What every pattern below needs; most texts have none of it. */
const MAY_HOLD_ONE = /[:=]|--|bearer|basic/i;

/** Each pattern takes linear time: no repetition may begin at every character and run to the end. */
function withoutPatterns(text: string): string {
  if (!MAY_HOLD_ONE.test(text)) return text;
  const masked = text
    .replace(/:\/\/[^\s/?#"'<>]*@/g, `://${MASK}@`)
    .replace(/\b(bearer) +[\w.~+/=-]+/gi, `$1 ${MASK}`)
    .replace(/\b(basic) +[\w+/=-]{8,}/gi, `$1 ${MASK}`);
  return NAMED_VALUES.reduce(withoutNamedValues, masked);
}

/** How a name and its value stand in text: `name` ends where the value begins. */
const NAMED_VALUES: readonly { readonly name: RegExp; readonly value: RegExp }[] = [
  { name: /\b([A-Za-z_][\w-]{0,63})=/g, value: /"[^"]*"|'[^']*'|[^\s&;"']+/y },
  { name: /(?<=\s--)([A-Za-z][\w-]{0,63}) /g, value: /"[^"]*"|'[^']*'|[^\s"'-][^\s"']*/y },
  { name: /\b([A-Za-z][\w-]{0,63}): ?/g, value: /(?!bearer |basic )[^\s"'][^\n"']*/iy },
  { name: /"([\w-]{1,64})" ?: ?"/g, value: /(?:[^"\\]|\\.)+/y },
];

function withoutNamedValues(text: string, form: { readonly name: RegExp; readonly value: RegExp }): string {
  let masked = "";
  let copied = 0;
  for (const found of text.matchAll(form.name)) {
    const start = found.index + found[0].length;
    if (start <= copied || !isSecretKey(found[1] ?? "")) continue;
    form.value.lastIndex = start;
    const value = form.value.exec(text)?.[0];
    if (value === undefined) continue;
    masked += text.slice(copied, start) + MASK;
    copied = start + value.length;
  }
  return masked + text.slice(copied);
}
