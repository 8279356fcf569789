import { appendFileSync, chmodSync, closeSync, mkdirSync, openSync, readSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { ToolEvent } from "../core/events.ts";
import { copyPlainData } from "./copy-plain-data.ts";

type EndEvent = ToolEvent & { type: "tool.complete" | "tool.failed" };

const FLUSH_MS = 50;
/** Calls that wait to be written; what was given to them is kept until then. */
const MOST_UNWRITTEN = 200;
const MAX_BYTES = 10 * 1024 * 1024;

/** Writes one line of JSON per finished call, secrets masked, to a file only the user can read. */
export class AuditLog {
  readonly #file: string;
  readonly #mask: () => (value: unknown) => unknown;
  #unwritten: { readonly end: EndEvent; readonly input: unknown }[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** The mask is asked for anew each time: which values are secret may change. */
  constructor(file: string, mask: () => (value: unknown) => unknown) {
    this.#file = file;
    this.#mask = mask;
  }

  /** Nobody waits for the line: it is made when it is written, of the input as it is now. */
  record(end: EndEvent, input: unknown): void {
    if (this.#unwritten.push({ end, input: copyPlainData(input) }) >= MOST_UNWRITTEN) return this.flush();
    if (this.#timer) return;
    this.#timer = setTimeout(() => this.flush(), FLUSH_MS).unref();
    writeAtExit(this);
  }

  /** Writes what has not been written. A log that cannot be written costs no call. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    waiting.delete(this);
    const unwritten = this.#unwritten;
    if (unwritten.length === 0) return;
    this.#unwritten = [];
    try {
      const mask = this.#mask();
      const text = unwritten.map(({ end, input }) => `${lineFor(end, input, mask)}\n`).join("");
      mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
      this.#rotate();
      // A disk that was full may have taken half a line.
      appendFileSync(this.#file, `${endsMidLine(this.#file) ? "\n" : ""}${text}`, { mode: 0o600 });
    } catch {
      // Nobody to tell: the call itself went well.
    }
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

/** The logs in which something waits to be written. */
const waiting = new Set<AuditLog>();
let listens = false;

/** A process may exit before the time has come. */
function writeAtExit(log: AuditLog): void {
  waiting.add(log);
  if (listens) return;
  listens = true;
  process.on("exit", () => {
    for (const each of waiting) each.flush();
  });
}

function lineFor(
  { callID, tool, sessionID, messageID, agent, at, result }: EndEvent,
  input: unknown,
  mask: (value: unknown) => unknown,
): string {
  const { durationMs } = result.notes;
  const error = result.ok ? {} : { error: { code: result.error.code, message: result.error.message } };
  const line = { at: new Date(at).toISOString(), ...(mask({ tool, callID, sessionID, messageID, agent }) as object) };
  return JSON.stringify({ ...line, ok: result.ok, durationMs, ...(mask({ ...error, input }) as object) });
}
