import { readText } from "./read-text.ts";

/** What a JSON file of another program holds; undefined where it cannot be read, for whatever reason. */
export function readPlainJson(file: string): unknown {
  try {
    return JSON.parse(readText(file) ?? "");
  } catch {
    return undefined;
  }
}
