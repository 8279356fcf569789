import { readFileSync } from "node:fs";
import { tryOrUndefined } from "../values/try-or-undefined.ts";

/** The text of a file; "" if it cannot be read. */
export function textOrEmpty(file: string): string {
  return tryOrUndefined(() => readFileSync(file, "utf8")) ?? "";
}
