/** Where truncation lives: it is not part of the public door, so the benchmark reaches it here and nowhere else. */
export { OutputCollector } from "../src/output/collector.ts";
export { fullOutputStore } from "../src/output/outputs.ts";
export { truncate } from "../src/output/truncate.ts";
