import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";

const MAX_BYTES = 5 * 1024 * 1024;

/** Writes what tools print to a file that only the user can read. Keeps the last 5 to 10 MB. */
export class LogFile {
  readonly #file: string;
  #written: number | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** Never throws: text that cannot be written is dropped. */
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
