/** Truncation is not part of the public API: this is the only file in bench/ that imports it from src/. */
export { OutputCutter } from "../src/host/output/output-cutter.ts";
export { fullOutputStore } from "../src/host/output/outputs.ts";
export { truncate } from "../src/host/output/truncate.ts";
