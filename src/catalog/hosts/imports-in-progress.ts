import { stampOf } from "../../platform/files/stamp.ts";
import { within } from "../../platform/waiting/within.ts";
import type { ToolFile } from "../discovery/tool-file.ts";

/** A file that is being imported. */
export interface FileImport {
  readonly file: ToolFile;
  readonly stamp: string;
  /** Whether an earlier import of this version never ended: lists do not wait for it. */
  readonly neverEnded: boolean;
  readonly begunAt: number;
}

/** How long a reading waits for imports. */
export interface WaitOptions {
  /** By default until they end. */
  readonly waitMs?: number | undefined;
  /** Also waits for imports that did not end in an earlier process. */
  readonly waitForUnfinished?: boolean | undefined;
}

/** The files that are being imported, each in its newest version. */
export class ImportsInProgress {
  readonly #byFile = new Map<string, FileImport>();
  /** Imports that a list no longer waits for. */
  readonly #givenUp = new WeakSet<FileImport>();
  readonly #waiting = new Set<() => void>();

  get isEmpty(): boolean {
    return this.#byFile.size === 0;
  }

  /** `unfinished` is the stamp of the version whose import never ended, if any. */
  begin(file: ToolFile, unfinished: string | undefined): FileImport {
    const stamp = stampOf(file.file);
    const fileImport = { file, stamp, neverEnded: stamp === unfinished, begunAt: performance.now() };
    this.#byFile.set(file.file, fileImport);
    return fileImport;
  }

  get all(): readonly FileImport[] {
    return [...this.#byFile.values()];
  }

  get(file: string): FileImport | undefined {
    return this.#byFile.get(file);
  }

  has(file: string): boolean {
    return this.#byFile.has(file);
  }

  /** Whether the file may be what takes long. `importing` are the files that certainly do not wait for others. */
  mayHang({ file, server }: ToolFile, importing: ReadonlySet<string>): boolean {
    const fileImport = this.#byFile.get(file);
    if (!fileImport) return false;
    return server !== undefined || fileImport.neverEnded || importing.has(file) || this.#byFile.size === 1;
  }

  isAwaited(file: string): boolean {
    const fileImport = this.#byFile.get(file);
    return fileImport !== undefined && !fileImport.neverEnded && !this.#givenUp.has(fileImport);
  }

  /** Whether the current version of the file is being imported. */
  isCurrent({ file, server }: ToolFile): boolean {
    const fileImport = this.#byFile.get(file);
    if (!fileImport || fileImport.stamp !== stampOf(file)) return false;
    return JSON.stringify(fileImport.file.server) === JSON.stringify(server);
  }

  /** Whether the import has neither ended nor been replaced by one of a newer version. */
  isLatest(fileImport: FileImport): boolean {
    return this.#byFile.get(fileImport.file.file) === fileImport;
  }

  /** Returns whether it was the latest import of its file. */
  end(fileImport: FileImport): boolean {
    const wasLatest = this.isLatest(fileImport) && this.#byFile.delete(fileImport.file.file);
    for (const look of [...this.#waiting]) look();
    return wasLatest;
  }

  keepOnly(files: ReadonlySet<string>): void {
    for (const fileImport of [...this.#byFile.values()]) if (!files.has(fileImport.file.file)) this.end(fileImport);
  }

  /**
   * Resolves when all imports have ended, or after `waitMs`. Later calls do not wait again for imports that took longer, nor
   * for those that did not end in an earlier process, unless `waitForUnfinished` is set.
   */
  waitFor({ waitMs, waitForUnfinished }: WaitOptions): Promise<void> {
    const isWaitedFor = (fileImport: FileImport): boolean =>
      waitMs === undefined || ((waitForUnfinished || !fileImport.neverEnded) && !this.#givenUp.has(fileImport));
    return this.waitWhile(
      () => this.all.some(isWaitedFor),
      waitMs,
      () => {
        for (const fileImport of this.#byFile.values()) this.#givenUp.add(fileImport);
      },
    );
  }

  /** Resolves when `isWaiting` is false after the end of an import, or after `ms`. */
  async waitWhile(isWaiting: () => boolean, ms: number | undefined, onTimeout?: () => void): Promise<void> {
    const { promise: done, resolve } = Promise.withResolvers<void>();
    const look = (): void => {
      if (!isWaiting()) resolve();
    };
    this.#waiting.add(look);
    look();
    await (ms === undefined ? done : within(ms, done, onTimeout));
    this.#waiting.delete(look);
  }
}
