import { stampOf } from "../loader/stamp.ts";
import type { HostProcess } from "./host-process.ts";
import type { LoadOutcome } from "./import-queue.ts";
import type { FileManifest, HostFile } from "./manifest.ts";
import { fatalImport, noHost } from "./problems.ts";
import type { LoadOptions } from "./protocol.ts";

/** Files that share one answer. More would gain little and make a failure dearer. */
const GROUP = 32;
/** Hosts that die before they are up, one after another, before this is taken to be the rule. */
const MAX_DEAD_ON_ARRIVAL = 3;

/**
 * Imports files, in as many hosts as it takes: a file that ends the one it is imported in costs only itself. It is
 * blamed once it has done so alone in a fresh host, since what ended the first may have been left behind by another.
 */
export async function loadFiles(
  nextHost: () => Promise<HostProcess | undefined>,
  files: readonly HostFile[],
  options: LoadOptions,
): Promise<FileManifest[]> {
  const stamps = new Map(files.map(({ file }) => [file, stampOf(file)]));
  const round = new Round(files);
  let deadOnArrival = 0;
  while (round.waiting.length > 0) {
    const host = await nextHost();
    if (!host) {
      round.giveUp([{ kind: "died", reason: "everything is being closed", involved: false }]);
      break;
    }
    const groups = round.groups();
    const outcomes = await Promise.all(groups.map((group) => host.load(group, options)));
    for (const [index, group] of groups.entries()) round.note(group, outcomes[index] ?? []);
    if (host.ended && !host.ready) deadOnArrival += 1;
    if (deadOnArrival >= MAX_DEAD_ON_ARRIVAL) round.giveUp(outcomes.flat());
  }
  return files.flatMap(({ file }) => {
    const manifest = round.manifests.get(file);
    return manifest ? withStamp(manifest, stamps.get(file) ?? "gone") : [];
  });
}

/** Who is still to be imported, and how carefully. */
class Round {
  readonly manifests = new Map<string, FileManifest>();
  waiting: readonly HostFile[];
  /** Were in a group that failed: from now on alone in their answer. */
  readonly #careful = new Set<string>();
  /** Were being imported when a host died: once more, alone in a host. */
  readonly #suspects = new Set<string>();

  constructor(files: readonly HostFile[]) {
    this.waiting = files;
    if (files.length <= GROUP) for (const { file } of files) this.#careful.add(file);
  }

  /** What the next host is asked for. */
  groups(): (readonly HostFile[])[] {
    const suspect = this.waiting.find(({ file }) => this.#suspects.has(file));
    if (suspect) return [[suspect]];
    const { careful = [], together = [] } = Object.groupBy(this.waiting, ({ file }) =>
      this.#careful.has(file) ? "careful" : "together",
    );
    return [...chunks(careful, 1), ...chunks(together, GROUP)];
  }

  note(group: readonly HostFile[], outcomes: readonly LoadOutcome[]): void {
    for (const [index, { file }] of group.entries()) {
      const outcome = outcomes[index];
      if (outcome?.kind === "loaded") this.manifests.set(file, outcome.manifest);
      else if (outcome?.involved) this.#distrust(file, outcome.reason, group.length === 1);
    }
    this.waiting = this.waiting.filter(({ file }) => !this.manifests.has(file));
  }

  /** No file is at fault, and nothing is remembered of any: the stamp is no file's. */
  giveUp(outcomes: readonly LoadOutcome[]): void {
    const reason = outcomes.find((outcome) => outcome.kind === "died")?.reason ?? "nobody knows why";
    for (const { file } of this.waiting) {
      const problems = [noHost(file, reason)];
      this.manifests.set(file, { file, tools: [], problems, imports: [[file, "never loaded"]] });
    }
    this.waiting = [];
  }

  #distrust(file: string, reason: string, alone: boolean): void {
    if (!alone) this.#careful.add(file);
    else if (!this.#suspects.has(file)) this.#suspects.add(file);
    else this.manifests.set(file, { file, tools: [], problems: [fatalImport(file, reason)], imports: [] });
  }
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
