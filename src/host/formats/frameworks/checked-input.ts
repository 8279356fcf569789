import type { Checked, Schema } from "../../../core/schema.ts";
import { lazySchema, verifySchema } from "../../schema/lazy-schema.ts";

/** A schema that passes the outcome of each check, and the input, to `change`. */
export function mapChecked(
  schema: Schema,
  change: (checked: Checked, input: unknown) => Checked | Promise<Checked>,
): Schema {
  return lazySchema(schema.json, async () => {
    const wrong = await verifySchema(schema);
    if (wrong !== undefined) throw new Error(wrong);
    return async (input) => change(await schema.check(input), input);
  });
}

/** For tools that parse their input themselves: a valid input is passed unparsed, so that transforms run once. */
export function passRawInput(schema: Schema): Schema {
  return mapChecked(schema, (checked, input) => (checked.ok ? { ok: true, value: input } : checked));
}
