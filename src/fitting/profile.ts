/** What a client does with names and schemas, as far as that is known. */
export interface Profile {
  /** How it is called on the command line. */
  readonly id: string;
  readonly title: string;
  /** What it calls itself, as wildcards. */
  readonly clientNames: readonly string[];
  readonly names: NameRules;
  /** Absent where schemas are sent as they were written. */
  readonly schemas?: SchemaRules;
  /** Set where it can do nothing with the schema of an output, and takes no structured content. */
  readonly outputs?: "none";
}

/** What a name must look like once the client has put its own in front. */
export interface NameRules {
  /** What the client puts before a name; `{server}` is what the server is called in the client's settings. */
  readonly prefix: string;
  /** The most characters, those of the prefix included. */
  readonly most: number;
  /** Whether a digit or a dash may not come first. */
  readonly letterFirst?: true;
}

/** What a client refuses, drops or garbles in a schema. Where a rule is absent, that part of the schema stays as it is. */
export interface SchemaRules {
  /** The root is one object: no alternatives, conditions, exclusions or references. */
  readonly plainRoot?: true;
  readonly refs?: "written out";
  readonly oneOf?: "anyOf";
  readonly allOf?: "merged";
  readonly typeLists?: "anyOf" | "nullable";
  /** Every schema says its type. The value is how "of any type" is said. */
  readonly everyType?: "list" | "anyOf";
  /** `true` and `false` are no schemas. */
  readonly booleans?: "objects";
  /** Values to choose from are texts. */
  readonly enums?: "strings";
  /** Lists have one schema for all of their items. */
  readonly tuples?: "items";
  /** Each list says what its items are. */
  readonly arrays?: "have items";
  /** Each object has a list of fields, be it empty, and requires no others. */
  readonly objects?: "have properties";
  /** Alternatives are told apart by a single type each, and a whole number is a number. */
  readonly alternatives?: "typed";
  /** The keywords that get through. */
  readonly keywords?: ReadonlySet<string>;
  /** Keywords that do not. */
  readonly refused?: ReadonlySet<string>;
  /** The formats that get through. */
  readonly formats?: ReadonlySet<string>;
  /** What the names of the outermost fields look like. */
  readonly fieldNames?: RegExp;
}
