import { appendFileSync, chmodSync, closeSync, mkdirSync, openSync, readSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Caller } from "../core/caller.ts";
import type { ToolEvent } from "../core/events.ts";
import { printableJson } from "../platform/text/printable.ts";
import { copyPlainData } from "./copy-plain-data.ts";

type EndEvent = ToolEvent & { type: "tool.complete" | "tool.failed" };

/** A line of the log before it is written: plain JSON, with secrets masked. `callOfEntry` reads it. */
export type AuditEntry = Readonly<Record<string, unknown>>;

const FLUSH_MS = 50;
/** How long lines are formatted at once, before other work goes on. */
const SLICE_MS = 10;
/** The maximum number of calls that wait to be written. Their inputs stay in memory until then. */
const MAX_UNWRITTEN = 200;
const MAX_BYTES = 10 * 1024 * 1024;

/** Writes one line of JSON per finished call, secrets masked, to a file only the user can read. */
export class AuditLog {
  readonly #file: string;
  readonly #mask: () => (value: unknown) => unknown;
  readonly #written: (entries: readonly AuditEntry[]) => void;
  readonly #unwritten: { readonly end: EndEvent; readonly input: unknown; readonly caller: Caller }[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** `mask` is called for each write, because the secret values may change. `written` is called after each write. */
  constructor(
    file: string,
    mask: () => (value: unknown) => unknown,
    written: (entries: readonly AuditEntry[]) => void = () => {},
  ) {
    this.#file = file;
    this.#mask = mask;
    this.#written = written;
  }

  /** Copies the input now, and formats and writes the line later: the call does not wait for it. */
  record(end: EndEvent, input: unknown, caller: Caller): void {
    if (this.#unwritten.push({ end, input: copyPlainData(input), caller }) >= MAX_UNWRITTEN) return this.flush();
    if (this.#timer) return;
    this.#flushAfter(FLUSH_MS);
    writeAtExit(this);
  }

  #flushAfter(ms: number): void {
    this.#timer = setTimeout(() => this.flush(SLICE_MS), ms).unref();
  }

  /** Writes the waiting lines, for so long at once. An error is ignored: a call must not fail because of the log. */
  flush(ms: number = Number.POSITIVE_INFINITY): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const entries: AuditEntry[] = [];
    try {
      const mask = this.#mask();
      const until = performance.now() + ms;
      do {
        const next = this.#unwritten.shift();
        if (!next) break;
        entries.push(entryFor(next.end, next.input, next.caller, mask));
      } while (performance.now() < until);
    } catch {
      // Neither these lines nor the next ones can be formatted.
      this.#unwritten.length = 0;
    }
    if (this.#unwritten.length > 0) this.#flushAfter(0);
    else waiting.delete(this);
    if (entries.length > 0) this.#write(entries);
  }

  #write(entries: readonly AuditEntry[]): void {
    try {
      const text = entries.map((entry) => `${printableJson(entry)}\n`).join("");
      mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
      this.#rotate();
      // If the disk was full, the file may end in the middle of a line.
      appendFileSync(this.#file, `${endsMidLine(this.#file) ? "\n" : ""}${text}`, { mode: 0o600 });
    } catch {}
    this.#written(entries);
  }

  #rotate(): void {
    const stat = statSync(this.#file, { throwIfNoEntry: false });
    if (!stat) return;
    if ((stat.mode & 0o077) !== 0 && process.platform !== "win32") chmodSync(this.#file, 0o600);
    if (stat.size > MAX_BYTES) renameSync(this.#file, `${this.#file}.1`);
  }
}

function endsMidLine(file: string): boolean {
  const { size } = statSync(file, { throwIfNoEntry: false }) ?? { size: 0 };
  if (size === 0) return false;
  const opened = openSync(file, "r");
  try {
    const last = Buffer.alloc(1);
    return readSync(opened, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a;
  } finally {
    closeSync(opened);
  }
}

/** The logs with lines that wait to be written. */
const waiting = new Set<AuditLog>();
let isListening = false;

/** A process may exit before the timer fires. */
function writeAtExit(log: AuditLog): void {
  waiting.add(log);
  if (isListening) return;
  isListening = true;
  process.on("exit", () => {
    for (const each of waiting) each.flush();
  });
}

function entryFor(
  { callID, tool, sessionID, messageID, agent, parentID, at, result }: EndEvent,
  input: unknown,
  caller: Caller,
  mask: (value: unknown) => unknown,
): AuditEntry {
  const { durationMs, thrownAt, causes } = result.notes;
  const thrown = { ...(thrownAt === undefined ? {} : { at: thrownAt }), ...(causes === undefined ? {} : { causes }) };
  const error = result.ok ? {} : { error: { code: result.error.code, message: result.error.message, ...thrown } };
  const line = {
    at: new Date(at).toISOString(),
    ...(mask({ tool, callID, sessionID, messageID, agent, parentID }) as object),
    caller,
  };
  return { ...line, ok: result.ok, durationMs, ...(mask({ ...error, input }) as object) };
}
