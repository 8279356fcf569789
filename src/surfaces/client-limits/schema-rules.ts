/** The restrictions of a client on schemas. An absent rule leaves that part of a schema unchanged. */
export interface SchemaRules {
  /** The root is one object, without alternatives, conditions, `not`, `enum`, `const` or references. */
  readonly plainRoot?: true;
  readonly refs?: "inlined";
  readonly oneOf?: "anyOf";
  readonly allOf?: "merged";
  readonly typeLists?: "anyOf" | "nullable";
  /** Every schema has a type. The value says how "any type" is written. */
  readonly everyType?: "list" | "anyOf";
  /** `true` and `false` are not allowed as schemas. */
  readonly booleans?: "objects";
  /** Only strings are allowed in `enum`. */
  readonly enums?: "strings";
  /** Arrays have one schema for all items. */
  readonly tuples?: "items";
  readonly arrays?: "have items";
  /** Every object has `properties`, and requires only these. */
  readonly objects?: "have properties";
  /** Each alternative has exactly one type, which is not "integer". */
  readonly alternatives?: "typed";
  /** The only allowed keywords. */
  readonly keywords?: ReadonlySet<string>;
  /** Keywords that are not allowed. */
  readonly refused?: ReadonlySet<string>;
  /** The only allowed formats. */
  readonly formats?: ReadonlySet<string>;
  /** The pattern for names of top-level fields. */
  readonly fieldNames?: RegExp;
}
