import { isCountKey, isSecretKey, isWorkingDirectory } from "./secret-key.ts";
import { type Span, secretSpans, valueSpans } from "./secret-spans.ts";

const MASK = "***";
const MAX_DEPTH = 16;
const MAX_VALUES = 10_000;
const MAX_STRING = 10_000;
/** The limit for all texts of one value together. */
const MAX_CHARACTERS = 200_000;
const MIN_SECRET_LENGTH = 4;
/** The maximum number of secrets of one value that are searched for in all of its texts, and their maximum length. */
const MAX_FOUND = 50;
const MAX_FOUND_LENGTH = 10_000;
/** How many characters after the cut of a long text are searched: the cut may fall inside a secret. */
const LOOK_AHEAD = 4_096;

/** Copies a value, so that the copy may be written to a log. */
export type Mask = (value: unknown) => unknown;

/**
 * Returns a function that copies a value and masks its secrets: values of keys that look secret, every occurrence of `values`
 * (of 4 characters or more), tokens of well-known forms, credentials in URLs, and values that follow a secret name in a text.
 * A secret that is found in one place is masked everywhere in the same value. The copy is plain JSON of bounded size. The
 * function never throws.
 */
export function createMask({ values }: { values: readonly string[] }): Mask {
  const secrets = spellings(values);
  return (value) => {
    const first = new Copy(secrets);
    const copy = first.of(value, 0, "");
    return first.found.size === 0 ? copy : new Copy([...secrets, ...spellings(first.found)]).of(value, 0, "");
  };
}

class Copy {
  /** The secrets that were found by their keys or names. */
  readonly found = new Set<string>();
  readonly #secrets: readonly string[];
  readonly #above = new Set<object>();
  #left = MAX_VALUES;
  #characters = MAX_CHARACTERS;

  constructor(secrets: readonly string[]) {
    this.#secrets = secrets;
  }

  /** `secretKey` is the nearest key above that looks secret, or "". */
  of(value: unknown, depth: number, secretKey: string): unknown {
    if (--this.#left < 0) return "[left out]";
    if (typeof value === "string") {
      return secretKey && !isWorkingDirectory(secretKey, value) ? this.#hidden(value) : this.#maskText(value);
    }
    if (typeof value === "number") return secretKey && !isCountKey(secretKey) ? this.#hidden(String(value)) : value;
    if (typeof value === "bigint") return secretKey ? this.#hidden(value.toString()) : value.toString();
    if (typeof value !== "object") return typeof value === "boolean" ? value : undefined;
    if (value === null) return null;
    return this.#ofObject(value, depth, secretKey);
  }

  #hidden(secret: string): string {
    if (this.found.size < MAX_FOUND && secret.length <= MAX_FOUND_LENGTH) this.found.add(secret);
    return MASK;
  }

  #maskText(text: string): string {
    const limit = Math.min(text.length, MAX_STRING, this.#characters);
    this.#characters -= limit;
    const isCut = limit < text.length;
    if (limit === 0) return isCut ? leftOut(text.length) : "";
    const longest = this.#secrets[0]?.length ?? 0;
    const searched = isCut ? text.slice(0, limit + Math.max(LOOK_AHEAD, longest)) : text;
    const inForm = secretSpans(searched);
    for (const { start, end } of inForm) this.#hidden(searched.slice(start, end));
    const masked = withoutSpans(searched, [...inForm, ...valueSpans(searched, this.#secrets)], limit);
    return isCut ? `${masked}${leftOut(text.length - limit)}`.toWellFormed() : masked;
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
    if (value instanceof Set) return this.#ofList([...value], depth, secretKey);
    if (value instanceof Map) return this.#ofFields(Object.fromEntries(value), depth, secretKey);
    return Object.fromEntries(this.#entries(value, depth, secretKey));
  }

  #ofList(list: readonly unknown[], depth: number, secretKey: string): unknown[] {
    const copy: unknown[] = [];
    for (const item of list) {
      if (this.#left <= 0) return [...copy, `[${list.length - copy.length} more]`];
      const before = list[copy.length - 1];
      const named = typeof item === "string" && typeof before === "string" && isSecretFlag(before) ? before : secretKey;
      copy.push(this.of(item, depth + 1, named) ?? null);
    }
    return copy;
  }

  #entries(value: object, depth: number, secretKey: string): [string, unknown][] {
    const entries: [string, unknown][] = [];
    const fields = value as Record<string, unknown>;
    const named = NAMING_KEYS.map((key) => fields[key]).find((name) => typeof name === "string" && looksSecret(name));
    for (const key of Object.keys(fields)) {
      if (this.#left <= 0) break;
      const isNamed = typeof named === "string" && VALUE_KEYS.has(key);
      const inner = looksSecret(key) ? key : isNamed ? named : secretKey;
      const copy = this.of(fields[key], depth + 1, inner);
      if (copy !== undefined) entries.push([this.#maskText(key), copy]);
    }
    return entries;
  }
}

/** `{ "name": "TOKEN", "value": "…" }`, as in lists of headers and variables. */
const NAMING_KEYS: readonly string[] = ["name", "key", "header", "field", "variable"];
const VALUE_KEYS: ReadonlySet<string> = new Set(["value", "values", "val", "content", "data"]);

/** In a list, the value of an option or a header follows its name. */
function isSecretFlag(item: string): boolean {
  return /^-{0,2}[A-Za-z][\w-]{0,63}:?$/.test(item) && looksSecret(item);
}

const MAX_CACHED_KEYS = 1_000;
const MAX_CACHED_KEY_LENGTH = 64;
const secretKeys = new Map<string, boolean>();

/** Cached: calls have few different keys. */
function looksSecret(key: string): boolean {
  const cached = secretKeys.get(key);
  if (cached !== undefined) return cached;
  const is = isSecretKey(key);
  if (secretKeys.size < MAX_CACHED_KEYS && key.length <= MAX_CACHED_KEY_LENGTH) secretKeys.set(key, is);
  return is;
}

/** The spellings of a secret in plain text, JSON and URLs, the longest first. */
function spellings(values: Iterable<string>): string[] {
  const spelt = [...values]
    .filter((value) => value.length >= MIN_SECRET_LENGTH)
    .flatMap((value) => [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value.toWellFormed())]);
  return [...new Set(spelt)].sort((a, b) => b.length - a.length);
}

function leftOut(characters: number): string {
  return `[${characters} characters left out]`;
}

/** The masked text up to the limit. Overlapping spans are merged. */
function withoutSpans(text: string, spans: readonly Span[], limit: number): string {
  let masked = "";
  let copied = 0;
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    if (start >= limit) break;
    if (start >= copied && end > start) masked += text.slice(copied, start) + MASK;
    copied = Math.max(copied, end);
  }
  return masked + text.slice(copied, limit);
}
