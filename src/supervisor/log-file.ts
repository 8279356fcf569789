import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";

const MAX_BYTES = 5 * 1024 * 1024;

/** Keeps what tools print, in a file only the user can read: the newest few megabytes of it. */
export class LogFile {
  readonly #file: string;
  #written: number | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** Never throws: a log that cannot be written costs nothing else. */
  write(text: string): void {
    try {
      if (this.#written === undefined) mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
      this.#written ??= statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0;
      if (this.#written > MAX_BYTES) {
        renameSync(this.#file, `${this.#file}.1`);
        this.#written = 0;
      }
      appendFileSync(this.#file, text, { mode: 0o600 });
      this.#written += Buffer.byteLength(text);
    } catch {
      this.#written = 0;
    }
  }
}
