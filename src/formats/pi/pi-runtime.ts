import { AsyncLocalStorage } from "node:async_hooks";
import type { FormatHost, ModuleFile } from "../contributions.ts";
import { writtenFor } from "./argument-order.ts";

/** What all that one file is given has in common. */
export interface PiRuntime {
  readonly file: ModuleFile;
  readonly source: string;
  readonly host: FormatHost;
  readonly system: "pi" | "omp" | undefined;
  /** The directory of the call that is running, else that of the toolbox. */
  directory(): string;
  inDirectory<T>(directory: string, work: () => T): T;
  /** Says in the log that something has no effect here, the first time only. */
  ignored(what: string): void;
  failed(what: string, error: unknown): void;
}

export function createPiRuntime(file: ModuleFile, source: string, host: FormatHost): PiRuntime {
  const directories = new AsyncLocalStorage<string>();
  const said = new Set<string>();
  return {
    file,
    source,
    host,
    system: writtenFor(source, file.system),
    directory: () => directories.getStore() ?? host.cwd,
    inDirectory: (directory, work) => directories.run(directory, work),
    ignored: (what) => {
      if (said.has(what)) return;
      said.add(what);
      host.log("info", `${file.path}: ${what} has no effect here.`);
    },
    failed: (what, error) => host.log("warn", `${file.path}: ${what} failed: ${readable(error)}`),
  };
}

function readable(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
