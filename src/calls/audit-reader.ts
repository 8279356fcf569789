import { hash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { ApiCall, ApiCallQuery, ApiCalls } from "../core/api-page.ts";
import { linesBackwards } from "../platform/files/lines-backwards.ts";
import { printableJson } from "../platform/text/printable.ts";
import { callOfLine } from "./audit-entry.ts";

const MAX_LINE_BYTES = 2_000_000;
/** The entries of one page may have so many bytes; the next page has the others. */
const MAX_PAGE_BYTES = 1_000_000;
/** Several processes write to the log, each a little later than its calls end: lines are only roughly in order of time. */
const DISORDER_MS = 60_000;

/** The place of a line in the log: the identity of its file, and the offset. */
interface Place {
  readonly file: string;
  readonly offset: number;
}

interface FoundCall {
  readonly call: ApiCall;
  readonly place: Place;
  readonly bytes: number;
}

/** A page of the calls in an audit log, the latest first. Rejects with a `RangeError` if the cursor is not valid. */
export async function listCalls(file: string, { cursor, limit = 50, ...filter }: ApiCallQuery): Promise<ApiCalls> {
  const calls: ApiCall[] = [];
  let bytes = 0;
  let last: Place | undefined;
  for await (const found of callsBackwards(file, filter, cursor === undefined ? undefined : parseCursor(cursor))) {
    if (calls.length >= limit || (calls.length > 0 && bytes + found.bytes > MAX_PAGE_BYTES)) {
      return { calls, ...(last ? { next: `${last.file}.${last.offset}` } : {}) };
    }
    calls.push(found.call);
    bytes += found.bytes;
    last = found.place;
  }
  return { calls };
}

/** The calls that match, the latest first. Reads the rotated log after the current one. Missing files are empty. */
export async function* callsBackwards(
  file: string,
  filter: Omit<ApiCallQuery, "cursor" | "limit">,
  before?: Place,
): AsyncGenerator<FoundCall> {
  // Both are opened at once, so that a rotation in the meantime does not matter.
  const opened = await openAll([file, `${file}.1`]);
  try {
    const from = before ? opened.findIndex(({ identity }) => identity === before.file) : 0;
    // The file of the cursor has been deleted, and all before it.
    if (from < 0) return;
    // Most lines are left out without parsing them. Characters that the log escapes were not escaped by earlier versions.
    const needed = [filter.tool, filter.sessionID, filter.agent, filter.caller].flatMap((text) =>
      text === undefined || printableJson(text) !== JSON.stringify(text) ? [] : [JSON.stringify(text)],
    );
    for (const [at, { handle, identity, size }] of opened.slice(from).entries()) {
      const end = at === 0 && before ? Math.min(before.offset, size) : size;
      for await (const { start, text } of linesBackwards(handle, end, MAX_LINE_BYTES)) {
        const call = needed.every((part) => text.includes(part)) ? callOfLine(text) : undefined;
        if (!call) continue;
        if (filter.since !== undefined && call.at < filter.since - DISORDER_MS) return;
        if (matches(call, filter)) yield { call, place: { file: identity, offset: start }, bytes: text.length };
      }
    }
  } finally {
    await Promise.all(opened.map(({ handle }) => handle.close()));
  }
}

/** Without waiting for a writer, if the file is a named pipe. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

interface OpenedLog {
  readonly handle: FileHandle;
  readonly inode: bigint;
  readonly identity: string;
  readonly size: number;
}

async function openAll(files: readonly string[]): Promise<OpenedLog[]> {
  const opened: OpenedLog[] = [];
  for (const file of files) {
    const handle = await open(file, FLAGS).catch(() => undefined);
    if (!handle) continue;
    const stat = await handle.stat({ bigint: true });
    const { ino: inode, size } = stat;
    // It is open already if the log was rotated after the first file was opened.
    if (stat.isFile() && !opened.some((each) => each.inode === inode)) {
      opened.push({ handle, inode, identity: await identityOf(handle, inode), size: Number(size) });
    } else await handle.close();
  }
  return opened;
}

/** A rotated file keeps its inode, but a new file may get that of a deleted one: the first line tells them apart. */
async function identityOf(handle: FileHandle, inode: bigint): Promise<string> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(FIRST_BYTES), 0, FIRST_BYTES, 0);
  const [first = ""] = buffer.toString("latin1", 0, bytesRead).split("\n", 1);
  return `${inode}-${hash("sha256", first).slice(0, 8)}`;
}

/** Enough for the time and the id of a call. */
const FIRST_BYTES = 200;

function matches(call: ApiCall, { tool, outcome, sessionID, agent, caller, since }: ApiCallQuery): boolean {
  return (
    (tool === undefined || call.tool === tool) &&
    (outcome === undefined || call.ok === (outcome === "ok")) &&
    (sessionID === undefined || call.sessionID === sessionID) &&
    (agent === undefined || call.agent === agent) &&
    (caller === undefined || call.caller === caller) &&
    (since === undefined || call.at >= since)
  );
}

function parseCursor(cursor: string): Place {
  const [, file, offset] = /^(\d{1,20}-[\da-f]{8})\.(\d{1,15})$/.exec(cursor) ?? [];
  if (file === undefined || offset === undefined) {
    throw new RangeError('"cursor" is not valid. Use the "next" of the page before.');
  }
  return { file, offset: Number(offset) };
}
