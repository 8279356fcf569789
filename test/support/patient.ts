/** The limit of waits for what a loaded machine may delay. No promise of the product: the test fails long before its own limit. */
export const PATIENT = { timeout: 20_000, interval: 20 } as const;
