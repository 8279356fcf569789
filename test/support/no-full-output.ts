import type { FullOutputStore } from "../../src/output/collector.ts";

/** Nowhere to keep a whole output: a full disk, say. */
export const noFullOutput: FullOutputStore = { open: () => undefined };
