import { devNull } from "node:os";
import { packageFile } from "../../platform/files/package-files.ts";

/** The program and arguments that start a host process. */
export interface RuntimeCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** A pipe on file descriptor 3, or Node's IPC channel. */
  readonly carrier: "pipe" | "ipc";
  /** Whether files cannot be imported concurrently. */
  readonly readsOneByOne?: true;
}

/** The program that runs this process, usually Node, with a heap limit. */
export function nodeRuntime(memoryMb: number): RuntimeCommand {
  return {
    command: process.execPath,
    args: [`--max-old-space-size=${memoryMb}`, "--disable-warning=ExperimentalWarning", packageFile("host")],
    carrier: process.versions.bun === undefined ? "pipe" : "ipc",
  };
}

/** Older versions do not notice that their parent has exited, and read file times only in milliseconds. */
const OLDEST_BUN = "1.3.14";

/** Why this version of Bun cannot run tools; undefined if it can. */
export function bunTooOld(version: string): string | undefined {
  if (version.localeCompare(OLDEST_BUN, "en", { numeric: true }) >= 0) return undefined;
  return `Bun ${version} is too old, and ${OLDEST_BUN} or later is needed: run "bun upgrade"`;
}

/**
 * Bun without automatic installs, `.env` files and `bunfig.toml`, through which a project could run code. Bun has no flag
 * for memory: the supervisor checks it.
 */
export function bunRuntime(path: string): RuntimeCommand {
  return {
    command: path,
    args: ["--no-install", "--env-file=", `--config=${devNull}`, packageFile("host")],
    carrier: "ipc",
    readsOneByOne: true,
  };
}
