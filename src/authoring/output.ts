import type { FieldOf, ToolArgs } from "./args.ts";

/** The type of `output`: an object of field schemas, or one schema of any type. */
export type ToolOutput = ToolArgs;

/**
 * The return type of `execute` for an `output`: the data, or a result with a text and the data as `metadata`, `details` or
 * `structuredContent`. `unknown` if the type cannot be inferred.
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

/** The data before it is parsed: fields with a default are optional. */
type DataOf<O> = O extends Whole
  ? UnparsedOf<O>
  : O extends { readonly type: string }
    ? unknown
    : string extends keyof O
      ? unknown
      : { readonly [K in Exclude<keyof O, OptionalKeys<O>>]: UnparsedOf<O[K]> } & {
          readonly [K in OptionalKeys<O>]?: UnparsedOf<O[K]>;
        };

type Whole =
  | { readonly _zod: { readonly input: unknown } }
  | { readonly _input: unknown }
  | { readonly static: unknown; readonly params: unknown };

type UnparsedOf<F> = F extends { readonly _zod: { readonly input: infer I } }
  ? I
  : F extends { readonly _input: infer I }
    ? I
    : FieldOf<F>;

type OptionalKeys<O> = { [K in keyof O]: undefined extends UnparsedOf<O[K]> ? OptionalKey<O[K], K> : never }[keyof O];

/** A field of type `unknown` is not optional just because it may be undefined. */
type OptionalKey<F, K> = unknown extends UnparsedOf<F> ? never : K;
