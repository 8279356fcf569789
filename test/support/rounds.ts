/** The number of rounds of tests that search for races or use random inputs. `ROUNDS=200` runs more. */
export const ROUNDS: number = Number(process.env.ROUNDS ?? 20);
