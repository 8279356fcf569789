/** A schema with a static type: Zod 4, Zod 3 or TypeBox 0.34, of any installed copy. */
type Typed =
  | { readonly _zod: { readonly output: unknown } }
  | { readonly _output: unknown }
  | { readonly static: unknown; readonly params: unknown };

/** The type of `args`: an object of field schemas, or one schema of an object. */
export type ToolArgs = Typed | Readonly<Record<string, unknown>>;

/** The type of the first argument of `execute`. */
export type ArgsOf<A> = A extends Typed
  ? FieldOf<A>
  : A extends { readonly type: string }
    ? Record<string, unknown>
    : string extends keyof A
      ? Record<string, unknown>
      : Flat<
          { -readonly [K in RequiredKeys<A>]: FieldOf<A[K]> } & { -readonly [K in OptionalKeys<A>]?: FieldOf<A[K]> }
        >;

/** The type of a parsed field; `unknown` if it cannot be inferred. */
export type FieldOf<F> = F extends { readonly _zod: { readonly output: infer O } }
  ? O
  : F extends { readonly _output: infer O }
    ? O
    : F extends { readonly static: infer O; readonly params: unknown }
      ? O
      : JsonOf<F>;

type JsonOf<F> = F extends { readonly enum: readonly (infer E)[] }
  ? E
  : F extends { readonly const: infer C }
    ? C
    : F extends { readonly type: "array"; readonly items: infer I }
      ? JsonOf<I>[]
      : F extends { readonly type: infer T extends keyof JsonTypes }
        ? JsonTypes[T]
        : unknown;

interface JsonTypes {
  string: string;
  number: number;
  integer: number;
  boolean: boolean;
  null: null;
  array: unknown[];
  object: Record<string, unknown>;
}

type OptionalKeys<A> = { [K in keyof A]: IsOptional<A[K]> extends true ? K : never }[keyof A];
type RequiredKeys<A> = Exclude<keyof A, OptionalKeys<A>>;

type IsOptional<F> = F extends { readonly _zod: { readonly optout: "optional" } }
  ? true
  : F extends { readonly _zod: unknown }
    ? false
    : F extends { readonly _output: infer O }
      ? undefined extends O
        ? true
        : false
      : false;

type Flat<T> = { [K in keyof T]: T[K] } & {};
