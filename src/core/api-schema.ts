/** A check of a field that JSON Schema cannot express, or that the OpenAPI document does not have. */
export type ApiFormat =
  | "action"
  | "arguments"
  | "branch point"
  | "cursor"
  | "directory"
  | "filter"
  | "name"
  | "page size"
  | "position"
  | "prompt"
  | "recorded session"
  | "rendered result"
  | "rule position"
  | "time"
  | "tool names";

/**
 * A value in the REST API: JSON Schema 2020-12 with a few more keywords. The type of a schema with `items` is array, with
 * `properties` object: it has all properties that are not optional, and no others. A schema within another one is written
 * `OTHER as typeof OTHER`, because of isolated declarations.
 */
export interface ApiSchema {
  readonly type?: "string" | "integer" | "number" | "boolean" | "object" | "null";
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly const?: string | boolean;
  readonly anyOf?: readonly ApiSchema[];
  readonly oneOf?: readonly ApiSchema[];
  readonly items?: ApiSchema;
  readonly properties?: Readonly<Record<string, ApiSchema>>;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly default?: string | number;
  /** Another schema for the same value. */
  readonly ref?: ApiSchema;
  /** The object whose properties come before these. */
  readonly extends?: ApiSchema;
  /** The field of this value may be left out. */
  readonly optional?: true;
  readonly format?: ApiFormat;
  /** What a parameter of a query is for. */
  readonly summary?: string;
}

/** Schemas by their name in the OpenAPI document. */
export type ApiSchemas = Readonly<Record<string, ApiSchema>>;

/** A schema of values whose type is declared elsewhere. */
export type Typed<T> = ApiSchema & { readonly typed?: (value: T) => T };

/** The values of a schema. */
export type FromSchema<S> = S extends { readonly typed?: (value: infer T) => unknown } & ApiSchema
  ? unknown extends T
    ? FromKeywords<S>
    : T
  : FromKeywords<S>;

type FromKeywords<S> = S extends { readonly enum: readonly (infer V)[] } | { readonly const: infer V }
  ? V
  : S extends { readonly anyOf: readonly (infer E)[] }
    ? FromSchema<E>
    : S extends { readonly ref: infer R }
      ? FromSchema<R>
      : S extends { readonly items: infer I }
        ? readonly FromSchema<I>[]
        : S extends { readonly properties: infer P }
          ? Flat<(S extends { readonly extends: infer B } ? Omit<FromSchema<B>, keyof P> : unknown) & Fields<P>>
          : S extends { readonly type: infer T extends keyof Values }
            ? Values[T]
            : unknown;

interface Values {
  readonly string: string;
  readonly integer: number;
  readonly number: number;
  readonly boolean: boolean;
  readonly object: Readonly<Record<string, unknown>>;
  readonly null: null;
}

type Optional = { readonly optional: true };
type Fields<P> = { readonly [K in keyof P as P[K] extends Optional ? never : K]: FromSchema<P[K]> } & {
  readonly [K in keyof P as P[K] extends Optional ? K : never]?: FromSchema<P[K]>;
};
type Flat<T> = { [K in keyof T]: T[K] };

/** A route of the REST API. Its key is its method and path, such as `GET /api/tools/{name}`. */
export interface ApiRoute {
  readonly summary: string;
  readonly description?: string;
  /** It needs no token. */
  readonly open?: true;
  readonly query?: ApiSchema;
  readonly headers?: Readonly<Record<string, ApiSchema>>;
  readonly body?: ApiSchema;
  /** A body that is valid, for error messages. */
  readonly example?: string;
  /** A sentence for a client that sends an unknown field. */
  readonly hint?: string;
  /** 200 by default. */
  readonly status?: number;
  /** What a successful response means. */
  readonly returns: string;
  /** The JSON of the response; absent if it has other content. */
  readonly answer?: ApiSchema;
  /** The content types of a response that is not JSON. */
  readonly content?: readonly string[];
  /** Why requests are refused, by status. */
  readonly refusals?: Readonly<Record<number, string>>;
  /** Why calls fail that are answered with their result, by status. */
  readonly failures?: Readonly<Record<number, string>>;
}

export type AnswerOf<R> = R extends { readonly answer: infer S } ? FromSchema<S> : unknown;
export type BodyOf<R> = R extends { readonly body: infer S } ? FromSchema<S> : undefined;
export type QueryOf<R> = R extends { readonly query: infer S } ? FromSchema<S> : undefined;

/** The names of the parameters in a path. */
export type PathNames<P> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | PathNames<Rest> : never;
