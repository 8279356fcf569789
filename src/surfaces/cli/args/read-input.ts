import { fstatSync } from "node:fs";
import type { ParseError } from "jsonc-parser";
import type { JsonSchema } from "../../../core/schema.ts";
import { type Invocation, optionValue } from "./command.ts";
import { applyFields, InputError } from "./parse-fields.ts";
import { fieldsOf, otherFields } from "./schema-view.ts";
import { UsageError } from "./usage-error.ts";

const NO_INPUT = "Waiting for JSON input on stdin. For an empty input, use: --input '{}'";
const NOTICE_MS = 1_000;

/** The input of a call: `--input`, else stdin; fields override. Throws a `UsageError`. */
export async function readInput(invocation: Invocation, schema: JsonSchema): Promise<unknown> {
  const whole = await readWhole(invocation, schema);
  try {
    return applyFields(whole, invocation.fields, schema);
  } catch (error) {
    if (error instanceof InputError) throw new UsageError(error.message, "invalid_input");
    throw error;
  }
}

async function readWhole(invocation: Invocation, schema: JsonSchema): Promise<unknown> {
  const option = optionValue(invocation, "input");
  if (option === "-") return parse(await readStdin(invocation, NO_INPUT), "The input on stdin");
  if (option !== undefined) return parse(option, "--input");
  if (invocation.fields.length > 0 || !takesInput(schema) || !isPiped(invocation)) return {};
  return parse(await readStdin(invocation, NO_INPUT), "The input on stdin");
}

/** A tool without arguments does not wait for input. */
function takesInput(schema: JsonSchema): boolean {
  return fieldsOf(schema).length > 0 || otherFields(schema, "anything", schema) !== undefined;
}

/** Whether stdin is a pipe, a socket or a file. A terminal and /dev/null are devices. */
export function isPiped({ terminal }: Invocation): boolean {
  try {
    const stat = fstatSync(0);
    return stat.isFIFO() || stat.isSocket() || stat.isFile();
  } catch {
    return terminal.stdin.isTTY !== true;
  }
}

/** The text on stdin. `notice` is printed if nothing arrives for a second. */
export async function readStdin({ terminal }: Invocation, notice: string): Promise<string> {
  const chunks: Buffer[] = [];
  const timer = setTimeout(() => terminal.stderr.write(`${notice}\n`), NOTICE_MS);
  try {
    for await (const chunk of terminal.stdin) {
      clearTimeout(timer);
      chunks.push(Buffer.from(chunk as Uint8Array));
    }
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks)
    .toString("utf8")
    .replace(/^\uFEFF/, "");
}

async function parse(text: string, what: string): Promise<unknown> {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${what} is not valid JSON: ${await explain(text)}`, "invalid_input");
  }
}

/** The reason with line and column, which the message of V8 often lacks. */
async function explain(text: string): Promise<string> {
  const { parse, printParseErrorCode } = await import("jsonc-parser");
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true });
  const [first] = errors;
  if (!first) return "it cannot be read.";
  const before = text.slice(0, first.offset).split("\n");
  const reason = printParseErrorCode(first.error)
    .replace(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase();
  return `${reason} at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}.`;
}
