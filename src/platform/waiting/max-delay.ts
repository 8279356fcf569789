/** The maximum delay of a timer. Node fires a timer with a longer delay at once. */
export const MAX_DELAY_MS: number = 2 ** 31 - 1;
