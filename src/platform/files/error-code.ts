/** Whether an error is a system error with one of these codes. */
export function hasCode(thrown: unknown, ...codes: readonly string[]): boolean {
  return thrown instanceof Error && "code" in thrown && codes.some((code) => code === thrown.code);
}

/** Whether an error means that the disk is full. */
export function isDiskFull(thrown: unknown): boolean {
  return hasCode(thrown, "ENOSPC", "EDQUOT", "EFBIG");
}
