import { messageOf } from "../../core/error.ts";

const MAX_INNER = 5;
const MAX_DEPTH = 5;
/** How many levels of errors that collect others are shown. */
const MAX_NESTED = 2;

/** The text of a thrown value: the message of an error, with those of the errors that it collects. */
export function textOfThrown(thrown: unknown): { readonly text: string; readonly isEmpty: boolean } {
  return textAt(thrown, 0);
}

function textAt(thrown: unknown, depth: number): { readonly text: string; readonly isEmpty: boolean } {
  try {
    if (typeof thrown === "string" && thrown.trim() !== "") return { text: thrown, isEmpty: false };
    if (isErrorLike(thrown)) {
      const { message } = thrown;
      const inner = innerMessages(thrown, depth);
      if (inner.length > 0)
        return { text: message ? `${message}: ${inner.join("; ")}` : inner.join("; "), isEmpty: false };
      if (message.trim() !== "") return { text: message, isEmpty: false };
    }
    const json = typeof thrown === "object" && !(thrown instanceof Error) ? JSON.stringify(thrown) : "{}";
    if (json !== "{}" && json !== "null" && json !== undefined) return { text: json, isEmpty: false };
    return { text: describe(thrown), isEmpty: true };
  } catch {
    return { text: "a value that cannot be printed", isEmpty: true };
  }
}

/** The messages of the causes of an error, outermost first, without those that an outer message repeats. */
export function causesOf(thrown: unknown): string[] {
  const causes: string[] = [];
  let text = messageOf(thrown);
  for (const each of withCauses(thrown).slice(1)) {
    const cause = textOfThrown(each).text;
    if (!text.includes(cause)) causes.push(cause);
    text = cause;
  }
  return causes;
}

/** A thrown value, its cause, and so on, as far as they are shown. Never throws: an error may be its own cause, and a getter may throw. */
export function withCauses(thrown: unknown): readonly unknown[] {
  const found = [thrown];
  try {
    for (let each = thrown; found.length <= MAX_DEPTH; found.push(each)) {
      each = causeOf(each);
      if (each === undefined) break;
    }
  } catch {
    // A getter of the author threw.
  }
  return found;
}

function causeOf(thrown: unknown): unknown {
  return typeof thrown === "object" && thrown !== null && "cause" in thrown ? thrown.cause : undefined;
}

function isErrorLike(thrown: unknown): thrown is { readonly message: string } {
  return typeof thrown === "object" && thrown !== null && "message" in thrown && typeof thrown.message === "string";
}

/** Of an `AggregateError`, such as that of `Promise.any`. It may contain others, and itself. */
function innerMessages(thrown: object, depth: number): string[] {
  if (!(thrown instanceof AggregateError) || depth >= MAX_NESTED) return [];
  const texts = thrown.errors.slice(0, MAX_INNER).map((each: unknown) => textAt(each, depth + 1).text);
  const more = thrown.errors.length - texts.length;
  return more > 0 ? [...texts, `and ${more} more`] : texts;
}

/** Continues "threw", for a value without a message. */
function describe(thrown: unknown): string {
  if (thrown instanceof Error) {
    const name = typeof thrown.name === "string" && thrown.name !== "" ? thrown.name : "Error";
    const code = "code" in thrown && typeof thrown.code === "string" ? ` with the code ${thrown.code}` : "";
    return name === "Error"
      ? `an error without a message${code}`
      : `${/^[aeiou]/i.test(name) ? "an" : "a"} ${name} without a message${code}`;
  }
  if (thrown === "") return "an empty text";
  if (typeof thrown === "function") return "a function";
  return typeof thrown !== "object" || thrown === null ? String(thrown) : "an object without a message";
}
