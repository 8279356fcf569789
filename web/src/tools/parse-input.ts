import { type ParseError, parse } from "jsonc-parser";

/** JSON that a person wrote, or why it is not an input, with the place of the error. */
export type ParsedInput =
  | { readonly ok: true; readonly input: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly message: string; readonly line: number; readonly column: number };

/** Any JSON that a person wrote. */
type ParsedJson = { readonly ok: true; readonly value: unknown } | (ParsedInput & { readonly ok: false });

/** Empty text is an empty input. */
export function parseInput(text: string): ParsedInput {
  if (text.trim() === "") return { ok: true, input: {} };
  const parsed = parseJson(text);
  if (!parsed.ok) return parsed;
  const { value } = parsed;
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return { ok: true, input: value as Readonly<Record<string, unknown>> };
  return {
    ok: false,
    message: `The input must be an object such as {}, but it is ${kindOf(value)}.`,
    line: 1,
    column: 1,
  };
}

export function parseJson(text: string): ParsedJson {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false, ...firstError(text) };
  }
}

/** By the codes of jsonc-parser. The messages of browsers differ and do not always name the place. */
function firstError(text: string): { message: string; line: number; column: number } {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  const { error, offset } = errors[0] ?? { error: 1, offset: 0 };
  const before = text.slice(0, offset).split("\n");
  return {
    message: MESSAGES[error] ?? "This is not JSON.",
    line: before.length,
    column: (before.at(-1)?.length ?? 0) + 1,
  };
}

const MESSAGES: Readonly<Record<number, string>> = {
  1: "This word is not JSON. Texts need double quotes.",
  2: "This number is not valid.",
  3: "A name in double quotes is missing here.",
  4: "A value is missing here. Is there a comma too much?",
  5: "A colon is missing here.",
  6: "A comma is missing here.",
  7: "A closing brace } is missing here.",
  8: "A closing bracket ] is missing here.",
  9: "Nothing may follow the end of the object.",
  10: "JSON has no comments.",
  11: "The comment does not end.",
  12: "The text in double quotes does not end.",
  13: "The number does not end.",
  14: "The \\u needs four hexadecimal digits.",
  15: "This escape is not valid in JSON. A backslash is written \\\\.",
  16: "This character must be escaped, such as \\n for the end of a line.",
};

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : `a ${typeof value}`;
}
