import { isDeeper } from "../core/json-levels.ts";
import { DEEPEST } from "./checks.ts";

/** What an author's value becomes when it is sent. Throws, in words for the author, where it has no form in JSON. */
export function plainJson(value: unknown): unknown {
  const json: string | undefined = JSON.stringify(value);
  if (json === undefined) return undefined;
  const plain: unknown = JSON.parse(json);
  mustBeShallow(plain, json);
  return plain;
}

/** Throws for what is nested too deeply to be sent. `json` is the same as text. */
export function mustBeShallow(value: unknown, json: string): void {
  // Each level takes two characters at least.
  if (json.length <= DEEPEST * 2 || !isDeeper(value, DEEPEST)) return;
  throw new RangeError(`Data that is nested more than ${DEEPEST} levels deep cannot be sent. Make it flatter.`);
}
