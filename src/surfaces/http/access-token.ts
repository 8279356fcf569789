/** A token that nobody can guess. */
export function createToken(): string {
  // Loaded on use: a server over stdin and stdout, which an agent waits for, has no token.
  const { randomBytes } = process.getBuiltinModule("node:crypto");
  return randomBytes(32).toString("base64url");
}

/** What is wrong with a token that somebody chose, as a sentence; undefined where it will do. */
export function tokenFault(token: string): string | undefined {
  if (/^[\x21-\x7e]{16,500}$/.test(token)) return undefined;
  return "A token is 16 to 500 letters, digits and signs without spaces, on one line.";
}
