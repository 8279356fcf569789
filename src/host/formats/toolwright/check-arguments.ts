import { ToolError } from "../../../core/error.ts";
import { invalidInputText } from "../../protocol/invalid-input.ts";
import { definedInput } from "./defined-input.ts";

/** The schemas of definitions that were checked before. */
const schemas = new WeakMap<object, ReturnType<typeof definedInput>>();

/** Returns the arguments as the `parameters` of a definition parse them. Rejects with "invalid_input" if they are invalid. */
export async function checkArguments(definition: object, id: string, args: unknown): Promise<unknown> {
  const reading = schemas.get(definition) ?? definedInput(definition, id);
  schemas.set(definition, reading);
  const checked = await (await reading).check(args ?? {});
  if (checked.ok) return checked.value;
  const { issues } = checked;
  throw new ToolError("invalid_input", invalidInputText(id, issues), { data: { issues } });
}
