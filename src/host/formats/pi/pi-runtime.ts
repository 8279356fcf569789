import { AsyncLocalStorage } from "node:async_hooks";
import type { FormatHost, ModuleFile } from "../contributions.ts";
import { writtenFor } from "./argument-order.ts";

/** State that the API objects of one file share: its host, its log, and the directory of the running call. */
export interface PiRuntime {
  readonly file: ModuleFile;
  readonly source: string;
  readonly host: FormatHost;
  readonly system: "pi" | "omp" | undefined;
  /** The directory of the running call, else of the toolbox. */
  directory(): string;
  inDirectory<T>(directory: string, work: () => T): T;
  /** Logs that something has no effect in Toolwright, once per file. */
  logIgnored(what: string): void;
  logFailure(what: string, error: unknown): void;
}

export function createPiRuntime(file: ModuleFile, source: string, host: FormatHost): PiRuntime {
  const directories = new AsyncLocalStorage<string>();
  const logged = new Set<string>();
  return {
    file,
    source,
    host,
    system: writtenFor(source, file.system),
    directory: () => directories.getStore() ?? host.cwd,
    inDirectory: (directory, work) => directories.run(directory, work),
    logIgnored: (what) => {
      if (logged.has(what)) return;
      logged.add(what);
      host.log("info", `${file.path}: ${what} has no effect in Toolwright.`);
    },
    logFailure: (what, error) => host.log("warn", `${file.path}: ${what} failed: ${stackOf(error)}`),
  };
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
