import { ownFile } from "../loader/own-files.ts";

/** How a host process is started: which program, with which arguments before the entry's own. */
export interface Runtime {
  readonly command: string;
  readonly args: readonly string[];
  /** How messages cross: structured clone between Node processes, JSON with others. */
  readonly serialization: "advanced" | "json";
}

/** The Node that runs this process, with its heap held near the memory limit. */
export function nodeRuntime(memoryMb: number): Runtime {
  return {
    command: process.execPath,
    args: [`--max-old-space-size=${memoryMb}`, "--disable-warning=ExperimentalWarning", ownFile("host")],
    serialization: "advanced",
  };
}
