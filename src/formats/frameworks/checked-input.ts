import type { Checked, Schema } from "../../core/schema.ts";
import { lazySchema } from "../../schema/lazy-schema.ts";
import { verifySchema } from "../../schema/verify-schema.ts";

/** A schema whose answers are changed on their way: `change` is given what it says of an input, and that input. */
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

/** For tools that parse their input themselves: what is right is given on as it came, for transforms must not be applied twice. */
export function passRawInput(schema: Schema): Schema {
  return mapChecked(schema, (checked, input) => (checked.ok ? { ok: true, value: input } : checked));
}
