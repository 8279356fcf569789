/** A random token. */
export function createToken(): string {
  // Loaded on use, because a server over stdio has no token and must start fast.
  const { randomBytes } = process.getBuiltinModule("node:crypto");
  return randomBytes(32).toString("base64url");
}

/** Why a token that the user chose is not valid; undefined if it is. */
export function tokenFault(token: string): string | undefined {
  if (/^[\x21-\x7e]{16,500}$/.test(token)) return undefined;
  return "A token must be 16 to 500 printable ASCII characters without spaces.";
}
