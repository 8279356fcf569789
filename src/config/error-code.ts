/** Whether something thrown is a system error with one of these codes. */
export function hasCode(thrown: unknown, ...codes: readonly string[]): boolean {
  return thrown instanceof Error && "code" in thrown && codes.some((code) => code === thrown.code);
}
