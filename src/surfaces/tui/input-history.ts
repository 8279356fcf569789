import { closeSync, constants, fchmodSync, fstatSync, openSync, readSync, statSync, writeSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { linesBackwards } from "../../platform/files/lines-backwards.ts";
import { isObject } from "../../platform/values/is-object.ts";
import { withLock } from "../../settings/lock.ts";
import { writePrivateFile } from "../../settings/private-file.ts";
import type { ProjectInfo } from "../../toolbox/toolbox.ts";

/** What a user has typed, and in which project. */
interface Entry {
  readonly project: string;
  readonly text: string;
}

const MAX_ENTRIES = 1_000;
const MAX_BYTES = 1_000_000;
/** Longer entries, such as pasted files, are not kept. */
const MAX_ENTRY_BYTES = 50_000;

/**
 * What the user has typed in chats, kept over runs: one JSON object per line, in a file that only the user can read.
 * Terminals that use it at the same time lose no entries of each other. Text that begins with a space is not kept. A file that
 * cannot be read or written is ignored: no method rejects.
 */
export class InputHistory {
  readonly #file: string;
  readonly #project: string;
  /** Writes, one after another. */
  #writing: Promise<void> = Promise.resolve();

  constructor({ root, homes }: Pick<ProjectInfo, "root" | "homes">) {
    this.#file = join(homes.toolwrightHome, "chat-history.jsonl");
    this.#project = root;
  }

  /** Up to `limit` texts, each once. Those of this project are last, and the latest of them is the last. */
  async read(limit = 100): Promise<readonly string[]> {
    const entries = await readEntries(this.#file);
    const isOwn = ({ project }: Entry): boolean => project === this.#project;
    const newestFirst = [...entries.filter(isOwn), ...entries.filter((entry) => !isOwn(entry))];
    return [...new Set(newestFirst.map(({ text }) => text))].slice(0, limit).reverse();
  }

  /** Keeps a text. Resolves when it is on disk, or cannot be written. */
  add(text: string): Promise<void> {
    const line = `${JSON.stringify({ project: this.#project, text })}\n`;
    if (/^\s/.test(text) || text.trim() === "" || Buffer.byteLength(line) > MAX_ENTRY_BYTES) return this.#writing;
    this.#writing = this.#writing.then(() => this.#write(line)).catch(() => {});
    return this.#writing;
  }

  async #write(line: string): Promise<void> {
    const size = await withLock(this.#file, () => append(this.#file, line));
    if (size > MAX_BYTES) await this.#shorten();
  }

  /** Keeps the latest entries. They are read again under the lock if another process adds one meanwhile. */
  async #shorten(): Promise<void> {
    for (let attempts = 0; attempts < 5; attempts += 1) {
      const { size } = statSync(this.#file);
      const kept = await readEntries(this.#file, MAX_BYTES / 2);
      const text = kept.map((entry) => `${JSON.stringify(entry)}\n`).toReversed();
      const isDone = await withLock(this.#file, () => {
        if (statSync(this.#file).size !== size) return false;
        writePrivateFile(this.#file, text.join(""));
        return true;
      });
      if (isDone) return;
    }
  }
}

/** Returns the size of the file afterwards. A line that was written only in part, on a full disk, spoils no other. */
function append(file: string, line: string): number {
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK;
  const descriptor = openSync(file, flags, 0o600);
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) return 0;
    if ((stat.mode & 0o077) !== 0) fchmodSync(descriptor, 0o600);
    const last = Buffer.alloc(1);
    if (stat.size > 0) readSync(descriptor, last, 0, 1, stat.size - 1);
    const isWhole = stat.size === 0 || last.toString() === "\n";
    writeSync(descriptor, isWhole ? line : `\n${line}`);
    return stat.size + line.length;
  } finally {
    closeSync(descriptor);
  }
}

/** The latest entries first. Lines that are not entries are left out. */
async function readEntries(file: string, maxBytes = MAX_BYTES): Promise<Entry[]> {
  const entries: Entry[] = [];
  try {
    // A pipe or a device would block.
    if (!statSync(file).isFile()) return entries;
    await using handle = await open(file, "r");
    const { size } = await handle.stat();
    for await (const { start, text } of linesBackwards(handle, size, MAX_ENTRY_BYTES)) {
      const entry = toEntry(text);
      if (entry) entries.push(entry);
      if (entries.length >= MAX_ENTRIES || size - start > maxBytes) break;
    }
  } catch {
    // There is no history yet, or it cannot be read.
  }
  return entries;
}

function toEntry(line: string): Entry | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (!isObject(value) || typeof value.project !== "string" || typeof value.text !== "string") return undefined;
    return { project: value.project, text: value.text };
  } catch {
    return undefined;
  }
}
