import type { FullOutputStore } from "../../src/output/full-output.ts";

/** Nowhere to keep a whole output: a full disk, say. */
export const noFullOutput: FullOutputStore = { open: () => undefined };
