import type { Dirent } from "node:fs";
import { closeSync, mkdirSync, openSync, unlinkSync, writeSync } from "node:fs";
import { lstat, readdir, readFile, rename, rmdir, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { safeName } from "../../platform/text/safe-name.ts";
import { type AgeReference, ageReference, expiryTime } from "../../platform/values/age-reference.ts";
import { tryOrUndefined } from "../../platform/values/try-or-undefined.ts";
import type { FullOutputFile, FullOutputStore } from "./output-cutter.ts";

const CHUNK = 64 * 1024;
const MB = 1024 * 1024;

/** The call of an output. The ids may contain any characters: `safeName` converts them to file names. */
export interface OutputOwner {
  readonly sessionID: string;
  readonly callID: string;
}

/** The folder of full outputs, in the user's Toolwright folder. */
export function outputsFolder(root: string): string {
  return join(root, "outputs");
}

/** Stores the full output of one call in a file that only the user can read, unless it exceeds `maxMb`. */
export function fullOutputStore(
  folder: string,
  owner: OutputOwner,
  { maxMb = 1024, extension = "txt" }: { maxMb?: number; extension?: string } = {},
): FullOutputStore {
  const maxBytes = maxMb * MB;
  return {
    open() {
      const opened = openNew(join(folder, safeName(owner.sessionID)), safeName(owner.callID), extension);
      return opened && new OutputFile(opened.path, opened.descriptor, maxBytes);
    },
  };
}

/**
 * Deletes outputs older than `keepDays`, then the oldest until the rest is no larger than `maxMb`. A clock that jumps ahead makes
 * nothing old before it has stayed there for a day. Deletes only files in `outputs/<session>/`. Does not follow links. Never throws.
 */
export async function sweepOutputs(
  root: string,
  { keepDays = 7, maxMb = 1024, now }: { keepDays?: number; maxMb?: number; now: number },
): Promise<void> {
  const outputs = await listOutputs(outputsFolder(root));
  if (outputs.length === 0) return;
  const expiry = await expiryOf(outputsFolder(root), now, keepDays);
  let total = outputs.reduce((sum, output) => sum + output.size, 0);
  for (const output of outputs.sort((a, b) => a.modified - b.modified)) {
    if (output.modified >= expiry && total <= maxMb * MB) break;
    if (await succeeds(unlink(output.path))) total -= output.size;
  }
  // `rmdir` fails for folders that are not empty.
  for (const session of new Set(outputs.map((output) => output.session))) await succeeds(rmdir(session));
}

/** Outputs are deleted seldom, so their age is measured against the time of an earlier look, not against the newest of them. */
async function expiryOf(folder: string, now: number, keepDays: number): Promise<number> {
  const file = join(folder, AGES);
  const before = await readReference(file);
  const reference = ageReference(before, now, now);
  if (reference !== before) {
    await writeFile(`${file}.new`, JSON.stringify(reference), { mode: 0o600 }).catch(() => {});
    await rename(`${file}.new`, file).catch(() => {});
  }
  return expiryTime(reference, now, now, keepDays);
}

const AGES = "ages.json";
/** Makes nothing old: the file is damaged. */
const UNKNOWN: AgeReference = { time: 0, candidate: 0, chosenAt: 0 };

async function readReference(file: string): Promise<AgeReference | undefined> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const reference = tryOrUndefined(() => JSON.parse(text) as AgeReference);
  const isValid = [reference?.time, reference?.candidate, reference?.chosenAt].every(Number.isFinite);
  return isValid ? reference : UNKNOWN;
}

/** The names of stored outputs and attachments. */
const OUTPUT_NAME = /^[\w-]+\.(?:txt|attached\.[a-z0-9]+)$/;

interface Output {
  readonly path: string;
  readonly session: string;
  readonly size: number;
  readonly modified: number;
}

async function listOutputs(folder: string): Promise<Output[]> {
  const found: Output[] = [];
  if (!(await isRealFolder(folder))) return found;
  for (const session of await entries(folder)) {
    if (!session.isDirectory()) continue;
    const path = join(folder, session.name);
    for (const file of await entries(path)) {
      if (!file.isFile() || !OUTPUT_NAME.test(file.name)) continue;
      const stats = await lstat(join(path, file.name)).catch(() => undefined);
      if (stats) found.push({ path: join(path, file.name), session: path, size: stats.size, modified: stats.mtimeMs });
    }
  }
  return found;
}

async function isRealFolder(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  return stats?.isDirectory() ?? false;
}

async function entries(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}

function succeeds(work: Promise<void>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

class OutputFile implements FullOutputFile {
  readonly #path: string;
  readonly #descriptor: number;
  readonly #pending: Buffer = Buffer.allocUnsafeSlow(CHUNK);
  #used = 0;
  /** The bytes left before the limit. */
  #room: number;
  #state: "open" | "failed" | "closed" = "open";

  constructor(path: string, descriptor: number, maxBytes: number) {
    this.#path = path;
    this.#descriptor = descriptor;
    this.#room = maxBytes;
  }

  write(chunk: Uint8Array): void {
    this.#room -= chunk.length;
    if (this.#room < 0) this.#fail();
    if (this.#used + chunk.length > CHUNK) this.#flush();
    if (chunk.length > CHUNK) this.#writeAll(chunk);
    else this.#append(chunk);
  }

  close(): string | undefined {
    this.#flush();
    if (this.#state === "open") this.#end("closed");
    return this.#state === "closed" ? this.#path : undefined;
  }

  #append(chunk: Uint8Array): void {
    this.#pending.set(chunk, this.#used);
    this.#used += chunk.length;
  }

  #flush(): void {
    this.#writeAll(this.#pending.subarray(0, this.#used));
    this.#used = 0;
  }

  #writeAll(bytes: Uint8Array): void {
    if (this.#state !== "open") return;
    try {
      for (let at = 0; at < bytes.length; ) {
        at += writeSync(this.#descriptor, bytes, at, Math.min(CHUNK, bytes.length - at));
      }
    } catch {
      this.#fail();
    }
  }

  /** Deletes the file: an incomplete output must not look complete. */
  #fail(): void {
    if (this.#state !== "open") return;
    this.#end("failed");
    tryOrUndefined(() => unlinkSync(this.#path));
  }

  #end(state: "failed" | "closed"): void {
    this.#state = state;
    tryOrUndefined(() => closeSync(this.#descriptor));
  }
}

/** Creates the folder on every attempt: `sweepOutputs` may remove it while it is empty. */
function openNew(folder: string, name: string, extension: string): { path: string; descriptor: number } | undefined {
  for (const suffix of ["", unique(), unique()]) {
    const path = join(folder, `${name}${suffix}.${extension}`);
    const descriptor = tryOrUndefined(() => {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      return openSync(path, "wx", 0o600);
    });
    if (descriptor !== undefined) return { path, descriptor };
  }
  return undefined;
}

function unique(): string {
  return `-${Math.random().toString(36).slice(2, 10)}`;
}
