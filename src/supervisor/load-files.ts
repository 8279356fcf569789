import { setImmediate } from "node:timers/promises";
import { stampOf } from "../files/stamp.ts";
import { fatalImport, noHost } from "../protocol/load-problems.ts";
import type { FileManifest, HostFile } from "../protocol/manifest.ts";
import type { LoadOptions } from "../protocol/messages.ts";
import type { HostProcess } from "./host-process.ts";
import type { LoadOutcome } from "./import-queue.ts";

/** Files that are asked for together. More would gain little and make a failure dearer. */
const GROUP_SIZE = 32;
/** Hosts that die before they are up, one after another, before this is taken to be the rule. */
const MAX_FAILED_STARTS = 3;
/** Files that are isolated hosts of their own at the same time. */
const MAX_ALONE = 4;

/** Where files are imported. Undefined once everything is closed. */
export interface HostSource {
  /** The host that all files share, or the next one where that takes no more. */
  shared(): Promise<HostProcess | undefined>;
  /** A fresh one for a single file. `over` sends it away. */
  alone(): Promise<{ readonly host: HostProcess; release(): void } | undefined>;
}

/**
 * Imports files, in as many hosts as it takes: a file that ends or blocks the one it is imported in costs only itself. It
 * is blamed once it has done so alone in a fresh host, since what ended the first may have been left behind by another.
 * The same goes for a file that throws.
 * `onRead` is told of files as they are done, whatever the others do. It must not throw.
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

/** Who is still to be imported, and how carefully. */
class LoadRun {
  readonly #hosts: HostSource;
  readonly #options: LoadOptions;
  readonly #report: (manifest: FileManifest) => void;
  readonly #left: Map<string, HostFile>;
  /** Of those that are left, who is being imported. */
  readonly #asked = new Set<string>();
  /** Were asked for together with one that went wrong: from now on each by itself. */
  readonly #oneByOne = new Set<string>();
  /** Were being imported when a host died: once more, alone in a host. */
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

  /** What ends or blocks the host that it has for itself is blamed at once. */
  importAlone(files: readonly HostFile[]): void {
    for (const { file } of files) this.#suspects.add(file);
  }

  get isOver(): boolean {
    return this.#left.size === 0;
  }

  /** Asks for everything that is waiting. */
  async start(): Promise<void> {
    const waiting = [...this.#left.values()].filter(({ file }) => !this.#asked.has(file));
    const { suspects = [], others = [] } = Object.groupBy(waiting, ({ file }) =>
      this.#suspects.has(file) ? "suspects" : "others",
    );
    if (others.length > 0) await this.#askTogether(others);
    for (const file of suspects.slice(0, MAX_ALONE - this.#alone.size)) await this.#askAlone(file);
  }

  /** When there is something to do: a file has to be asked for again, or none any more. */
  async waitForWork(): Promise<void> {
    if (!this.#hasNews) await new Promise<void>((resolve) => (this.#wake = resolve));
    // What one host has isolated up comes in one turn, and is asked for together.
    await setImmediate();
    this.#hasNews = false;
  }

  async #askTogether(files: readonly HostFile[]): Promise<void> {
    const host = await this.#hosts.shared();
    if (!host) return this.#giveUp(CLOSING);
    const { oneByOne = [], together = [] } = Object.groupBy(files, ({ file }) =>
      this.#oneByOne.has(file) || !host.readsTogether ? "oneByOne" : "together",
    );
    // Those of which nothing bad is known come first.
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

  /** No file is at fault, and nothing is remembered of any: the stamp is no file's. */
  #giveUp(reason: string): void {
    for (const file of [...this.#left.keys()]) {
      const problems = [noHost(file, reason)];
      this.#finish(file, { file, tools: [], problems, imports: [[file, "never loaded"]] });
    }
    this.#notify();
  }
}

/** Whether other files have been imported in a host: what these did may be why one throws there. */
export function isShared({ loadedFiles }: Pick<HostProcess, "loadedFiles">): boolean {
  return loadedFiles.length > 1;
}

const CLOSING = "everything is being closed";

function reasonOf(outcome: LoadOutcome): string {
  return outcome.kind === "died" ? outcome.reason : "nobody knows why";
}

function chunks<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  );
}

/** A file that never answered depends on itself at least. */
function withStamp(manifest: FileManifest, stamp: string): FileManifest {
  return manifest.imports.length > 0 ? manifest : { ...manifest, imports: [[manifest.file, stamp]] };
}
