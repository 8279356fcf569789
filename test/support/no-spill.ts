import type { Spill } from "../../src/output/spill.ts";

/** Nowhere to keep a whole output: a full disk, say. */
export const noSpill: Spill = { open: () => undefined };
