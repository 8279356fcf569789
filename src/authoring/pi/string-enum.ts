import type { TUnsafe as TUnsafe0 } from "@sinclair/typebox";
import type { TUnsafe as TUnsafe1 } from "typebox";

/** A schema of one of some texts, for either line of TypeBox. */
export type StringEnumSchema<T extends string> = TUnsafe0<T> & TUnsafe1<T>;

/**
 * One of some texts, as `{ type: "string", enum }`, which all providers take. It fits into the objects of either line
 * of TypeBox, and needs neither.
 */
export function StringEnum<const T extends string>(
  values: readonly T[],
  options: { description?: string; default?: T } = {},
): StringEnumSchema<T> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const schema = { type: "string", enum: [...values], ...Object.fromEntries(given), [KIND]: "Unsafe" };
  return Object.defineProperty(schema, "~unsafe", { value: null, enumerable: false }) as never;
}

const KIND = Symbol.for("TypeBox.Kind");
