import type { FullOutputStore } from "../../src/host/output/output-cutter.ts";

/** A store that cannot save full outputs, as on a full disk. */
export const noFullOutput: FullOutputStore = { open: () => undefined };
