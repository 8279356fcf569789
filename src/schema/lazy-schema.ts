import { messageOf } from "../core/error.ts";
import type { Checked, JsonSchema, Schema } from "../core/schema.ts";
import { copyInput } from "./json-copy.ts";

/** Checks one input. It is given a copy of its own, and may throw for a bad value. */
export type Check = (input: unknown) => Checked | Promise<Checked>;

/** A schema that does its costly work on its first use. */
export interface LazySchema extends Schema {
  /** Does that work now; rejects when the schema itself is wrong. Done once, whatever the number of calls. */
  compile(): Promise<Check>;
}

/** A `Schema` of a document and of something that makes its check when the first input comes. */
export function lazySchema(json: JsonSchema, prepare: () => Promise<Check>): LazySchema {
  let pending: Promise<Check> | undefined;
  let ready: Check | undefined;
  const compile = (): Promise<Check> => {
    pending ??= prepare().then((check) => {
      ready = check;
      return check;
    });
    return pending;
  };
  return {
    json,
    compile,
    warmUp: () => (ready ? undefined : compile()),
    check: (value) => (ready ? checkSafely(ready, value) : compile().then((check) => checkSafely(check, value))),
  };
}

function checkSafely(check: Check, value: unknown): Checked | Promise<Checked> {
  try {
    const checked = check(copyInput(value));
    return checked instanceof Promise ? checked.catch(refuse) : checked;
  } catch (thrown) {
    return refuse(thrown);
  }
}

/** Author's code (a transform, a refinement) threw, or the input is nested beyond what the stack holds. */
function refuse(thrown: unknown): Checked {
  if (thrown instanceof RangeError) return refused("is nested too deeply, or refers to itself: send a flatter value");
  return refused(`was refused by the tool's schema: ${messageOf(thrown)}`);
}

function refused(message: string): Checked {
  return { ok: false, issues: [{ path: "", message }] };
}

/** Why a schema cannot be used, or undefined when it can. It runs none of the author's code, and no input is needed. */
export async function verifySchema(schema: Schema): Promise<string | undefined> {
  if (!isLazy(schema)) return undefined;
  try {
    await schema.compile();
    return undefined;
  } catch (thrown) {
    return messageOf(thrown);
  }
}

function isLazy(schema: Schema): schema is LazySchema {
  return "compile" in schema && typeof schema.compile === "function";
}
