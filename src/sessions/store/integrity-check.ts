import { statSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { retryWhileBusy } from "./busy-retry.ts";
import type { OpenDatabase } from "./open-database.ts";
import type { SqlDatabase } from "./sqlite-driver.ts";
import { corruptError } from "./store-failure.ts";

/** A database of this size is checked in a few milliseconds. */
const SMALL_BYTES = 2 * 1024 * 1024;

/** The first line of the result only names the database. */
const CHECK = "PRAGMA quick_check(1)";

/** Runs in a thread, in Node and Bun. A check that fails posts nothing. */
const THREAD = `const { parentPort, workerData } = require("node:worker_threads");
const open = (file) => process.versions.bun
  ? new (require("bun:sqlite").Database)(file, { readonly: true })
  : new (require("node:sqlite").DatabaseSync)(file, { readOnly: true });
const database = open(workerData);
parentPort.postMessage(String(database.prepare(${JSON.stringify(CHECK)}).get().quick_check));
database.close();`;

/** Whether the database is checked completely each time it is opened. */
export function isSmall(file: string): boolean {
  return statSync(file).size <= SMALL_BYTES;
}

/**
 * Rejects if the structure of the database is damaged. Reads all of it: that of a large one in another thread, because the event
 * loop would wait.
 */
export async function checkIntegrity({ database, file }: OpenDatabase): Promise<void> {
  const inThread = isSmall(file) ? undefined : await checkInThread(file);
  const result = inThread ?? (await retryWhileBusy(file, () => quickCheck(database)));
  if (result !== "ok") throw corruptError(file, result.split("\n").at(-1) ?? result);
}

function quickCheck(database: SqlDatabase): string {
  return String(database.prepare(CHECK).get()?.quick_check);
}

/** Undefined if the thread cannot read the database. */
function checkInThread(file: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const thread = new Worker(THREAD, {
      eval: true,
      workerData: file,
      execArgv: [],
      env: {},
      stdout: true,
      stderr: true,
    });
    thread.once("message", (result) => resolve(String(result)));
    thread.once("error", () => resolve(undefined));
    thread.once("exit", () => resolve(undefined));
  });
}
