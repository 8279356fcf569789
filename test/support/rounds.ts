/** How often a test that looks for a race, or tries random inputs, does so. More with `ROUNDS=200`. */
export const ROUNDS: number = Number(process.env.ROUNDS ?? 20);
