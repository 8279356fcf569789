import type { FieldOf, ToolArgs } from "./args.ts";

/** What may be given as `output`: fields, each a schema, or one schema, which need not be of an object. */
export type ToolOutput = ToolArgs;

/**
 * What `execute` may return where the tool has this `output`: the data itself, or, for a text of its own beside it, the data
 * as `metadata`, `details` or `structuredContent`. Anything where its type cannot be told.
 */
export type ReturnedFor<O> = unknown extends DataOf<O> ? unknown : DataOf<O> | WithText<DataOf<O>>;

type WithText<D> =
  | {
      readonly title?: string;
      readonly output: string;
      readonly metadata: D;
      readonly attachments?: readonly unknown[];
    }
  | { readonly title?: string; readonly content: readonly unknown[]; readonly details: D; readonly isError?: boolean }
  | { readonly content: readonly unknown[]; readonly structuredContent: D; readonly isError?: boolean }
  | { readonly content: readonly unknown[]; readonly isError: boolean };

/** The data before the schema has parsed it: what has a default may be left out. */
type DataOf<O> = O extends Whole
  ? GivenOf<O>
  : O extends { readonly type: string }
    ? unknown
    : string extends keyof O
      ? unknown
      : { readonly [K in Exclude<keyof O, OptionalKeys<O>>]: GivenOf<O[K]> } & {
          readonly [K in OptionalKeys<O>]?: GivenOf<O[K]>;
        };

type Whole =
  | { readonly _zod: { readonly input: unknown } }
  | { readonly _input: unknown }
  | { readonly static: unknown; readonly params: unknown };

type GivenOf<F> = F extends { readonly _zod: { readonly input: infer I } }
  ? I
  : F extends { readonly _input: infer I }
    ? I
    : FieldOf<F>;

type OptionalKeys<O> = { [K in keyof O]: undefined extends GivenOf<O[K]> ? MaybeLeftOut<O[K], K> : never }[keyof O];

/** What may be anything may be left out only where it says so. */
type MaybeLeftOut<F, K> = unknown extends GivenOf<F> ? never : K;
