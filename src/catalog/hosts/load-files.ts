import { setImmediate } from "node:timers/promises";
import { fatalImport, noHost } from "../../host/protocol/load-problems.ts";
import type { FileManifest, HostFile } from "../../host/protocol/manifest.ts";
import type { LoadOptions } from "../../host/protocol/messages.ts";
import { stampOf } from "../../platform/files/stamp.ts";
import type { HostProcess } from "./host-process.ts";
import type { LoadOutcome } from "./import-queue.ts";

/** How many files are imported together. More would gain little, and more files would be imported again after a failure. */
const GROUP_SIZE = 32;
/** After this many hosts have died before they were ready, no more are started. */
const MAX_FAILED_STARTS = 3;
/** How many files are imported alone in a host at the same time. */
const MAX_ALONE = 4;

/** The hosts that import files. Undefined after `close`. */
export interface HostSource {
  /** The host that files share, or a new one if that host takes no more work. */
  shared(): Promise<HostProcess | undefined>;
  /** A new host for a single file. `release` retires it. */
  alone(): Promise<{ readonly host: HostProcess; release(): void } | undefined>;
}

/**
 * Imports files. A file that kills, blocks or throws in a shared host is imported again, alone in a new host, since another
 * file may be the cause. Only then does it get the problem.
 * `onRead` gets each manifest as soon as it arrives. It must not throw.
 */
export async function loadFiles(
  hosts: HostSource,
  { files, alone }: { readonly files: readonly HostFile[]; readonly alone: ReadonlySet<string> },
  options: LoadOptions,
  onRead: (manifest: FileManifest) => void,
): Promise<void> {
  const stamps = new Map(files.map(({ file }) => [file, stampOf(file)]));
  const report = (manifest: FileManifest): void => onRead(withStamp(manifest, stamps.get(manifest.file) ?? "gone"));
  const run = new LoadRun(hosts, files, options, report);
  run.importAlone(files.filter(({ file }) => alone.has(file)));
  while (!run.isOver) {
    await run.start();
    await run.waitForWork();
  }
}

/** One run of `loadFiles`: which files are left, and which of them must be imported separately. */
class LoadRun {
  readonly #hosts: HostSource;
  readonly #options: LoadOptions;
  readonly #report: (manifest: FileManifest) => void;
  readonly #left: Map<string, HostFile>;
  /** The files that are being imported. */
  readonly #asked = new Set<string>();
  /** Files that are imported in separate loads, because a file that was imported with them failed. */
  readonly #oneByOne = new Set<string>();
  /** Files that may have killed a host: they are imported alone in a host. */
  readonly #suspects = new Set<string>();
  readonly #alone = new Set<string>();
  readonly #failedStarts = new Set<HostProcess>();
  #hasNews = false;
  #wake: () => void = () => {};

  constructor(
    hosts: HostSource,
    files: readonly HostFile[],
    options: LoadOptions,
    report: (manifest: FileManifest) => void,
  ) {
    this.#hosts = hosts;
    this.#options = options;
    this.#report = report;
    this.#left = new Map(files.map((file) => [file.file, file]));
    if (files.length <= GROUP_SIZE) for (const { file } of files) this.#oneByOne.add(file);
  }

  /** Imports these files alone in a host from the start. */
  importAlone(files: readonly HostFile[]): void {
    for (const { file } of files) this.#suspects.add(file);
  }

  get isOver(): boolean {
    return this.#left.size === 0;
  }

  /** Starts the import of every file that waits. */
  async start(): Promise<void> {
    const waiting = [...this.#left.values()].filter(({ file }) => !this.#asked.has(file));
    const { suspects = [], others = [] } = Object.groupBy(waiting, ({ file }) =>
      this.#suspects.has(file) ? "suspects" : "others",
    );
    if (others.length > 0) await this.#askTogether(others);
    for (const file of suspects.slice(0, MAX_ALONE - this.#alone.size)) await this.#askAlone(file);
  }

  /** Resolves when a file has to be imported again, or all are done. */
  async waitForWork(): Promise<void> {
    if (!this.#hasNews) await new Promise<void>((resolve) => (this.#wake = resolve));
    // Files that one host hands back arrive in the same turn, and are then imported together.
    await setImmediate();
    this.#hasNews = false;
  }

  async #askTogether(files: readonly HostFile[]): Promise<void> {
    const host = await this.#hosts.shared();
    if (!host) return this.#giveUp(CLOSING);
    const { oneByOne = [], together = [] } = Object.groupBy(files, ({ file }) =>
      this.#oneByOne.has(file) || !host.readsTogether ? "oneByOne" : "together",
    );
    // Files without a failure come first.
    for (const group of [...chunks(together, GROUP_SIZE), ...chunks(oneByOne, 1)]) this.#ask(host, group);
  }

  async #askAlone(file: HostFile): Promise<void> {
    const isolated = await this.#hosts.alone();
    if (!isolated) return this.#giveUp(CLOSING);
    this.#alone.add(file.file);
    this.#ask(isolated.host, [file], () => {
      this.#alone.delete(file.file);
      isolated.release();
    });
  }

  #ask(host: HostProcess, group: readonly HostFile[], release: () => void = () => {}): void {
    for (const [index, outcome] of host.load(group, this.#options).entries()) {
      const { file } = group[index] as HostFile;
      this.#asked.add(file);
      void outcome.then((outcome) => {
        release();
        this.#asked.delete(file);
        this.#settle(file, outcome, { alone: group.length === 1, shared: isShared(host) });
        if (host.ended && !host.ready) this.#failedStarts.add(host);
        if (this.#failedStarts.size >= MAX_FAILED_STARTS) this.#giveUp(reasonOf(outcome));
        if (outcome.kind === "died" || this.#suspects.has(file) || this.isOver) this.#notify();
      });
    }
  }

  #notify(): void {
    this.#hasNews = true;
    this.#wake();
  }

  #settle(file: string, outcome: LoadOutcome, { alone, shared }: { alone: boolean; shared: boolean }): void {
    if (outcome.kind === "loaded") {
      if (!shared || this.#suspects.has(file) || outcome.manifest.transientFailure !== "threw")
        return this.#finish(file, outcome.manifest);
      this.#suspects.add(file);
      return;
    }
    if (!outcome.involved) return;
    if (!alone) this.#oneByOne.add(file);
    else if (!this.#suspects.has(file)) this.#suspects.add(file);
    else this.#finish(file, { file, tools: [], problems: [fatalImport(file, outcome.reason)], imports: [] });
  }

  #finish(file: string, manifest: FileManifest): void {
    if (this.#left.delete(file)) this.#report(manifest);
  }

  /** No file is the cause, so the result must not be cached: no file has this stamp. */
  #giveUp(reason: string): void {
    for (const file of [...this.#left.keys()]) {
      const problems = [noHost(file, reason)];
      this.#finish(file, { file, tools: [], problems, imports: [[file, "never loaded"]] });
    }
    this.#notify();
  }
}

/** Whether a host has imported several files: one may throw because of another. */
export function isShared({ loadedCount }: Pick<HostProcess, "loadedCount">): boolean {
  return loadedCount > 1;
}

const CLOSING = "everything is being closed";

function reasonOf(outcome: LoadOutcome): string {
  return outcome.kind === "died" ? outcome.reason : "for an unknown reason";
}

function chunks<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  );
}

/** The manifest of a file that never answered names the file itself as its only import. */
function withStamp(manifest: FileManifest, stamp: string): FileManifest {
  return manifest.imports.length > 0 ? manifest : { ...manifest, imports: [[manifest.file, stamp]] };
}
