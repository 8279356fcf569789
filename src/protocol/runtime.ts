import { devNull } from "node:os";
import { packageFile } from "../files/package-files.ts";

/** How a host process is started: which program, with which arguments before the entry's own. */
export interface Runtime {
  readonly command: string;
  readonly args: readonly string[];
  /** What messages cross over: a pipe of our own, or Node's channel for those that cannot open one. */
  readonly carrier: "pipe" | "ipc";
  /** Where several files cannot be imported at the same time. */
  readonly readsOneByOne?: true;
}

/** What runs this process, Node as a rule, with its heap held near the memory limit. */
export function nodeRuntime(memoryMb: number): Runtime {
  return {
    command: process.execPath,
    args: [`--max-old-space-size=${memoryMb}`, "--disable-warning=ExperimentalWarning", packageFile("host")],
    carrier: process.versions.bun === undefined ? "pipe" : "ipc",
  };
}

/** Earlier ones do not notice that their parent has gone, and know the time of a file only to the millisecond. */
const OLDEST_BUN = "1.3.14";

/** Why a Bun of this version cannot run tools, for the last words of a host; undefined when it can. */
export function bunTooOld(version: string): string | undefined {
  if (version.localeCompare(OLDEST_BUN, "en", { numeric: true }) >= 0) return undefined;
  return `Bun ${version} is too old, and ${OLDEST_BUN} or later is needed: run "bun upgrade"`;
}

/**
 * A Bun on its own: it installs nothing, and reads neither the `.env` files nor the `bunfig.toml` of the folder it runs
 * in, which could have it run code. It has no flag for memory: that is watched from outside.
 */
export function bunRuntime(path: string): Runtime {
  return {
    command: path,
    args: ["--no-install", "--env-file=", `--config=${devNull}`, packageFile("host")],
    carrier: "ipc",
    readsOneByOne: true,
  };
}
