import { randomBytes } from "node:crypto";

/** A token that nobody can guess. */
export function createToken(): string {
  return randomBytes(32).toString("base64url");
}

/** What is wrong with a token that somebody chose, as a sentence; undefined where it will do. */
export function tokenFault(token: string): string | undefined {
  if (/^[\x21-\x7e]{16,500}$/.test(token)) return undefined;
  return "A token is 16 to 500 letters, digits and signs without spaces, on one line.";
}
