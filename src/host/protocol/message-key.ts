import { isObject } from "../../platform/values/is-object.ts";
import { InvalidMessage } from "./validate-message.ts";

/** The characters of a key. */
const LENGTH = 16;

/**
 * A secret that a host creates before it runs authors' code, and sends with each message. Tools can write to the channel of
 * their process, but do not know the key, so their messages are refused.
 */
export function newMessageKey(): string {
  return crypto.randomUUID().replaceAll("-", "").slice(-LENGTH);
}

/** A message with the key of its host, over IPC. Over a pipe, each line begins with the key. */
export interface Keyed {
  readonly key: string;
  readonly message: unknown;
}

/** Reads the messages of one host. The first one sets the key. Throws for messages with another key. */
export class KeyedMessages {
  #key: string | undefined;

  fromLine(line: string): unknown {
    this.#key ??= line.slice(0, LENGTH);
    if (!line.startsWith(this.#key)) throw new InvalidMessage(NOT_OURS);
    return JSON.parse(line.slice(LENGTH));
  }

  fromValue(value: unknown): unknown {
    const { key, message } = isObject(value) ? value : {};
    if (this.#key === undefined && typeof key === "string") this.#key = key;
    if (key === undefined || key !== this.#key) throw new InvalidMessage(NOT_OURS);
    return message;
  }
}

const NOT_OURS = "not written by Toolwright";
