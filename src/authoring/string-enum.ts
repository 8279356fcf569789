import type { TUnsafe as TUnsafe0 } from "@sinclair/typebox";
import type { TUnsafe as TUnsafe1 } from "typebox";

type StringEnumSchema<T extends string> = TUnsafe0<T> & TUnsafe1<T>;

/** A schema `{ type: "string", enum }`, which all providers accept. Works in objects of TypeBox 0.x and 1.x. */
export function StringEnum<const T extends string>(
  values: readonly T[],
  options: { description?: string; default?: T } = {},
): StringEnumSchema<T> {
  const defined = Object.entries(options).filter(([, value]) => value !== undefined);
  const schema = { type: "string", enum: [...values], ...Object.fromEntries(defined), [KIND]: "Unsafe" };
  return Object.defineProperty(schema, "~unsafe", { value: null, enumerable: false }) as never;
}

const KIND = Symbol.for("TypeBox.Kind");

/** The same for a property that may be missing. */
export function optionalStringEnum<const T extends string>(
  values: readonly T[],
  options: { description?: string; default?: T } = {},
): StringEnumSchema<T> {
  const schema = Object.assign(StringEnum(values, options), { [OPTIONAL]: "Optional" });
  return Object.defineProperty(schema, "~optional", { value: true, enumerable: false });
}

const OPTIONAL = Symbol.for("TypeBox.Optional");
