/** Whether something thrown is a system error with one of these codes. */
export function hasCode(thrown: unknown, ...codes: readonly string[]): boolean {
  return thrown instanceof Error && "code" in thrown && codes.some((code) => code === thrown.code);
}

/** Whether something thrown says that there is no room for more on a disk. */
export function isDiskFull(thrown: unknown): boolean {
  return hasCode(thrown, "ENOSPC", "EDQUOT", "EFBIG");
}
