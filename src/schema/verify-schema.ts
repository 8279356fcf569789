import { messageOf } from "../core/error.ts";
import type { Schema } from "../core/schema.ts";
import type { LazySchema } from "./lazy-schema.ts";

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
