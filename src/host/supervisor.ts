import { setTimeout as sleep } from "node:timers/promises";
import { untilAborted } from "../core/until-aborted.ts";
import { stampOf } from "../loader/stamp.ts";
import type { CallPort } from "./call.ts";
import type { HostOptions } from "./channel.ts";
import { HostProcess, type LoadOutcome } from "./host-process.ts";
import type { Check, FileRef, FileTrouble, Generation, Hosts, Outcome, PrepareOutcome } from "./hosts.ts";
import type { FileManifest, HostFile } from "./manifest.ts";
import { fatalImport, noHost } from "./problems.ts";
import type { HostCall } from "./protocol.ts";

interface State {
  readonly id: number;
  /** By what shares a process: everything, or one file. */
  readonly hosts: Map<string, HostProcess>;
  holds: number;
  retired: boolean;
}

const EVERYTHING = "*";
/** A call that no host would begin is given up after this many hosts. */
const MAX_HOSTS_PER_CALL = 5;
/** Hosts that die before they are up, one after another, before this is taken to be the rule. */
const MAX_DEAD_ON_ARRIVAL = 3;
const MAX_BACKOFF_MS = 5_000;
/** A host that dies this young, having done nothing, counts as a failed start. */
const YOUNG_MS = 2_000;

/** Keeps host processes: starts them when needed, replaces those that fall silent or die, ends them all. */
export class Supervisor implements Hosts {
  readonly #options: HostOptions;
  readonly #isolation: "shared" | "file";
  readonly #alive = new Set<HostProcess>();
  #current: State = { id: 1, hosts: new Map(), holds: 0, retired: false };
  #failedStarts = 0;

  constructor(options: HostOptions & { isolation: "shared" | "file" }) {
    this.#options = options;
    this.#isolation = options.isolation;
  }

  get current(): Generation {
    return this.#current;
  }

  renew(): Generation {
    const former = this.#current;
    this.#current = { id: former.id + 1, hosts: new Map(), holds: 0, retired: false };
    former.retired = true;
    this.#retireIfDone(former);
    return this.#current;
  }

  hold(generation: Generation): void {
    (generation as State).holds += 1;
  }

  release(generation: Generation): void {
    (generation as State).holds -= 1;
    this.#retireIfDone(generation as State);
  }

  loadedFiles(): readonly string[] {
    return [...this.#current.hosts.values()].flatMap((host) => host.loadedFiles);
  }

  /** Several hosts may be needed: a file that ends the one it is imported in costs only itself. */
  async load(files: readonly HostFile[], options: { verify?: boolean } = {}): Promise<FileManifest[]> {
    const state = this.#current;
    const stamps = new Map(files.map(({ file }) => [file, stampOf(file)]));
    const manifests = new Map<string, FileManifest>();
    const suspects = new Set<string>();
    let waiting = [...files];
    let deadOnArrival = 0;
    while (waiting.length > 0) {
      const [first] = waiting;
      const batch = first && suspects.has(first.file) ? [first] : waiting;
      const host = await this.#host(state, EVERYTHING);
      const outcomes = await Promise.all(host.load(batch, options.verify));
      for (const [index, outcome] of outcomes.entries()) {
        const { file } = batch[index] as HostFile;
        const manifest = this.#manifestOf(file, outcome, suspects);
        if (manifest) manifests.set(file, withStamp(manifest, stamps.get(file) ?? "gone"));
      }
      if (host.ended && !host.ready) deadOnArrival += 1;
      if (deadOnArrival >= MAX_DEAD_ON_ARRIVAL)
        return files.map(({ file }) => manifests.get(file) ?? unloaded(file, outcomes));
      waiting = waiting.filter(({ file }) => !manifests.has(file));
      // Whoever was being imported when the host died is tried again first, alone, before it is blamed.
      waiting.sort((a, b) => Number(suspects.has(b.file)) - Number(suspects.has(a.file)));
    }
    return files.flatMap(({ file }) => manifests.get(file) ?? []);
  }

  async prepare(ref: FileRef, check: Check, signal: AbortSignal): Promise<PrepareOutcome | FileTrouble> {
    const { tool, input, cwd } = check;
    const host = await this.#host(ref.generation as State, this.#keyOf(ref.file));
    const trouble = await this.#open(host, ref.file, tool);
    return trouble ?? host.prepare({ file: ref.file.file, tool }, input, cwd, signal);
  }

  async run(ref: FileRef, call: HostCall, port: CallPort, signal: AbortSignal): Promise<Outcome | FileTrouble> {
    let outcome: Outcome | FileTrouble = { kind: "not-begun" };
    for (let attempt = 0; attempt < MAX_HOSTS_PER_CALL && !signal.aborted; attempt += 1) {
      const host = await this.#host(ref.generation as State, this.#keyOf(ref.file));
      const trouble = host.holds(ref.file.file, call.tool)
        ? undefined
        : await untilAborted(signal, () => this.#open(host, ref.file, call.tool));
      outcome = trouble ?? (await host.run(call, port, signal));
      if (outcome.kind !== "not-begun" && trouble?.kind !== "died") return outcome;
    }
    return outcome;
  }

  async close(): Promise<void> {
    const hosts = [...this.#alive];
    if (hosts.length === 0) return;
    for (const host of hosts) host.retire();
    const deadline = performance.now() + 1_000;
    while (hosts.some((host) => !host.ended) && performance.now() < deadline) await sleep(5);
    for (const host of hosts) host.kill("it was no longer needed");
    while (hosts.some((host) => !host.ended)) await sleep(5);
  }

  #keyOf(file: HostFile): string {
    return this.#isolation === "file" ? file.file : EVERYTHING;
  }

  async #host(state: State, key: string): Promise<HostProcess> {
    if (state.hosts.get(key)?.open !== true && this.#failedStarts > 0) {
      await sleep(Math.min(50 * 2 ** this.#failedStarts, MAX_BACKOFF_MS));
    }
    const known = state.hosts.get(key);
    if (known?.open) return known;
    const host = new HostProcess(this.#options, (ended) => this.#ended(ended));
    this.#alive.add(host);
    state.hosts.set(key, host);
    return host;
  }

  #ended(host: HostProcess): void {
    this.#alive.delete(host);
    if (host.useful) this.#failedStarts = 0;
    else if (host.age < YOUNG_MS) this.#failedStarts += 1;
  }

  #retireIfDone(state: State): void {
    if (!state.retired || state.holds > 0) return;
    for (const host of state.hosts.values()) host.retire();
  }

  /** Undefined when the tool is there. */
  async #open(host: HostProcess, file: HostFile, tool: string): Promise<FileTrouble | Died | undefined> {
    const [loading] = host.load([file]);
    const outcome = await loading;
    if (!outcome || outcome.kind === "died") {
      return { kind: "died", reason: outcome?.reason ?? "it was not started" };
    }
    if (outcome.manifest.tools.some(({ name }) => name === tool)) return undefined;
    return { kind: "trouble", problem: outcome.manifest.problems[0] };
  }

  #manifestOf(file: string, outcome: LoadOutcome, suspects: Set<string>): FileManifest | undefined {
    if (outcome.kind === "loaded") return outcome.manifest;
    if (!outcome.blamed) return undefined;
    if (suspects.has(file)) return { file, tools: [], problems: [fatalImport(file, outcome.reason)], imports: [] };
    suspects.add(file);
    return undefined;
  }
}

/** Its stamp is no file's, so that it is never taken for what the file is. */
function unloaded(file: string, outcomes: readonly LoadOutcome[]): FileManifest {
  const died = outcomes.find((outcome) => outcome.kind === "died");
  const problems = [noHost(file, died?.reason ?? "nobody knows why")];
  return { file, tools: [], problems, imports: [[file, "never loaded"]] };
}

interface Died {
  readonly kind: "died";
  readonly reason: string;
}

/** A file that never answered depends on itself at least. */
function withStamp(manifest: FileManifest, stamp: string): FileManifest {
  return manifest.imports.length > 0 ? manifest : { ...manifest, imports: [[manifest.file, stamp]] };
}
