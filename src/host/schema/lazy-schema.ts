import { messageOf } from "../../core/error.ts";
import type { Checked, JsonSchema, Schema } from "../../core/schema.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";
import { copyInput } from "./json-copy.ts";
import { limitTime, type SchemaCheck, SlowCheck } from "./slow-check.ts";
import { slowPartsOf } from "./slow-parts.ts";

/** A schema that is compiled on first use. */
export interface LazySchema extends Schema {
  /** Compiles it now. Rejects if the schema is invalid. Later calls return the same promise. */
  compile(): Promise<SchemaCheck>;
}

/** A `Schema` whose check is created with the first input. Its `check` throws `SlowCheck` if a value takes too long. */
export function lazySchema(json: JsonSchema, prepare: () => Promise<SchemaCheck>): LazySchema {
  let pending: Promise<SchemaCheck> | undefined;
  let ready: SchemaCheck | undefined;
  const compile = (): Promise<SchemaCheck> => {
    pending ??= prepare().then((check) => {
      const slow = slowPartsOf(json);
      ready = slow.length > 0 ? limitTime(check, slow) : check;
      return ready;
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

function checkSafely(check: SchemaCheck, value: unknown): Checked | Promise<Checked> {
  try {
    const checked = check(copyInput(value));
    return checked instanceof Promise ? checked.catch(refuse) : checked;
  } catch (thrown) {
    return refuse(thrown);
  }
}

/** Author's code (a transform, a refinement) threw, or the input is nested too deeply for the stack. */
function refuse(thrown: unknown): Checked {
  if (SlowCheck.is(thrown)) throw thrown;
  if (tryOrUndefined(() => thrown instanceof RangeError))
    return refused("is nested too deeply, or refers to itself: send a flatter value");
  return refused(`was refused by the tool's schema: ${messageOf(thrown)}`);
}

function refused(message: string): Checked {
  return { ok: false, issues: [{ path: "", message }] };
}

/** Why a schema cannot be compiled; undefined if it can. Runs no author's code. */
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
