import type { ToolFile } from "../discovery/tool-file.ts";
import { stampOf } from "../files/stamp.ts";

/** A file that is being imported. */
export interface Reading {
  readonly file: ToolFile;
  /** Of the version that is imported. */
  readonly stamp: string;
  /** Whether an import of this very version was begun before and never ended: then only who must know waits for it. */
  readonly isDoubtful: boolean;
}

/** The files that are being imported, each in its newest version. */
export class Readings {
  readonly #byFile = new Map<string, Reading>();
  /** Those that have been waited for long enough. */
  readonly #late = new WeakSet<Reading>();
  readonly #waiting = new Set<() => void>();

  get isEmpty(): boolean {
    return this.#byFile.size === 0;
  }

  /** `unfinished` is the stamp of the version whose import has never ended, if there is one. */
  begin(file: ToolFile, unfinished: string | undefined): Reading {
    const stamp = stampOf(file.file);
    const reading = { file, stamp, isDoubtful: stamp === unfinished };
    this.#byFile.set(file.file, reading);
    return reading;
  }

  has(file: string): boolean {
    return this.#byFile.has(file);
  }

  /** Whether a file is being imported that is still waited for. */
  isAwaited(file: string): boolean {
    const reading = this.#byFile.get(file);
    return reading !== undefined && !reading.isDoubtful && !this.#late.has(reading);
  }

  /** Whether the file is being imported as it is now. */
  isCurrent({ file, server }: ToolFile): boolean {
    const reading = this.#byFile.get(file);
    if (!reading || reading.stamp !== stampOf(file)) return false;
    return JSON.stringify(reading.file.server) === JSON.stringify(server);
  }

  /** Whether nothing has followed it: another import, since the file was changed, or the end. */
  isOn(reading: Reading): boolean {
    return this.#byFile.get(reading.file.file) === reading;
  }

  /** Answers whether it was still on. */
  end(reading: Reading): boolean {
    const wasOn = this.isOn(reading) && this.#byFile.delete(reading.file.file);
    for (const look of [...this.#waiting]) look();
    return wasOn;
  }

  keepOnly(files: ReadonlySet<string>): void {
    for (const reading of [...this.#byFile.values()]) if (!files.has(reading.file.file)) this.end(reading);
  }

  /** When all have ended, or this time has passed: then nobody waits so for what is left again, nor for what is doubtful. */
  ended(waitMs: number | undefined): Promise<void> {
    const isWaitedFor = (reading: Reading): boolean =>
      waitMs === undefined || (!reading.isDoubtful && !this.#late.has(reading));
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(look);
        resolve();
      };
      const look = (): void => {
        if (![...this.#byFile.values()].some(isWaitedFor)) done();
      };
      const giveUp = (): void => {
        for (const reading of this.#byFile.values()) this.#late.add(reading);
        done();
      };
      const timer = waitMs === undefined ? undefined : setTimeout(giveUp, waitMs);
      this.#waiting.add(look);
      look();
    });
  }
}
