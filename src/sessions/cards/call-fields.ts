import type { Card } from "../../core/card.ts";
import type { LoggedResult } from "../../core/session-log.ts";
import { isObject } from "../../platform/values/is-object.ts";

/** A call as a log has it: any field may have an unexpected type. */
export interface ViewedCall {
  readonly card?: Card;
  readonly input: unknown;
  readonly result?: LoggedResult;
}

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a call that its card names. A field of another type than expected counts as missing, and stays in `rest`. */
export class CallFields {
  readonly #input: Fields;
  readonly #data: Fields;
  readonly #directory: string | undefined;
  readonly #shown = new Set<string>();

  constructor({ result }: ViewedCall, input: Fields, directory: string | undefined) {
    this.#input = input;
    this.#data = isObject(result?.data) ? result.data : {};
    this.#directory = directory;
  }

  /** The fields of the input that were not read. */
  get rest(): Fields {
    return Object.fromEntries(Object.entries(this.#input).filter(([name]) => !this.#shown.has(name)));
  }

  value(field: string | undefined): unknown {
    return this.#read(field, (value) => value);
  }

  text(field: string | undefined): string | undefined {
    return this.#read(field, (value) => (typeof value === "string" ? value : undefined));
  }

  texts(field: string | undefined): readonly string[] | undefined {
    return this.list(field, (value) => (typeof value === "string" ? value : undefined));
  }

  numbers(field: string | undefined): readonly number[] | undefined {
    return this.list(field, toLine);
  }

  /** Undefined if one of the values is. */
  list<T>(field: string | undefined, read: (value: unknown) => T | undefined): readonly T[] | undefined {
    return this.#read(field, (values) => {
      if (!Array.isArray(values) || values.length === 0) return undefined;
      const known = values.map(read);
      return known.every((value) => value !== undefined) ? known : undefined;
    });
  }

  number(field: string | undefined): number | undefined {
    return this.#read(field, toLine);
  }

  /** A field of the data of the result. */
  resultValue(field: string | undefined): unknown {
    return field !== undefined && Object.hasOwn(this.#data, field) ? this.#data[field] : undefined;
  }

  /** A path in the directory of the session, relative to it. */
  shortPath(path: string): string {
    const start = `${this.#directory}/`;
    return this.#directory && path.startsWith(start) && path.length > start.length ? path.slice(start.length) : path;
  }

  #read<T>(field: string | undefined, read: (value: unknown) => T | undefined): T | undefined {
    const value = typeof field === "string" && Object.hasOwn(this.#input, field) ? this.#input[field] : undefined;
    const known = read(value);
    if (known !== undefined) this.#shown.add(field as string);
    return known;
  }
}

function toLine(value: unknown): number | undefined {
  return Number.isSafeInteger(value) ? (value as number) : undefined;
}
