import { setTimeout as sleep } from "node:timers/promises";
import { untilAborted } from "../core/until-aborted.ts";
import type { CallPort } from "./call.ts";
import type { HostOptions } from "./channel.ts";
import { HostProcess } from "./host-process.ts";
import type { Check, FileRef, FileTrouble, Generation, Hosts, Outcome, PrepareOutcome } from "./hosts.ts";
import { loadFiles } from "./load-files.ts";
import type { FileManifest, HostFile } from "./manifest.ts";
import type { HostCall } from "./protocol.ts";

interface State {
  readonly id: number;
  /** By what shares a process: everything, or one file. */
  readonly hosts: Map<string, HostProcess>;
  /** Files that could not be imported when a call asked for them. */
  readonly troubled: Set<string>;
  holds: number;
  retired: boolean;
}

function newState(id: number): State {
  return { id, hosts: new Map(), troubled: new Set(), holds: 0, retired: false };
}

const EVERYTHING = "*";
/** A call that no host would begin is given up after this many hosts. */
const MAX_HOSTS_PER_CALL = 5;
/** A check that none of these answered is what keeps them from answering. */
const MAX_HOSTS_PER_CHECK = 3;
const MAX_BACKOFF_MS = 5_000;
/** A host that dies this young, having done nothing, counts as a failed start. */
const YOUNG_MS = 2_000;

/** Keeps host processes: starts them when needed, replaces those that fall silent or die, ends them all. */
export class Supervisor implements Hosts {
  readonly #options: HostOptions;
  readonly #isolation: "shared" | "file";
  readonly #alive = new Set<HostProcess>();
  #current: State = newState(1);
  #failedStarts = 0;
  #closed = false;
  #onDepends: (file: string, imports: FileManifest["imports"]) => void = () => {};

  constructor(options: HostOptions & { isolation: "shared" | "file" }) {
    this.#options = options;
    this.#isolation = options.isolation;
  }

  get current(): Generation {
    return this.#current;
  }

  renew(): Generation {
    const former = this.#current;
    this.#current = newState(former.id + 1);
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

  troubledFiles(): ReadonlySet<string> {
    return this.#current.troubled;
  }

  onDepends(listener: (file: string, imports: FileManifest["imports"]) => void): void {
    this.#onDepends = listener;
  }

  load(files: readonly HostFile[], options: { verify?: boolean } = {}): Promise<FileManifest[]> {
    const state = this.#current;
    // Held, so that a host which is started for it after the generation has ended is ended with it.
    this.hold(state);
    return loadFiles(() => this.#host(state, EVERYTHING), files, options.verify ?? false).finally(() =>
      this.release(state),
    );
  }

  async prepare(ref: FileRef, check: Check, signal: AbortSignal): Promise<PrepareOutcome | FileTrouble> {
    const { tool, input, cwd } = check;
    const target = { file: ref.file.file, tool };
    return this.#attempt(ref, tool, signal, MAX_HOSTS_PER_CHECK, (host) => host.prepare(target, input, cwd, signal));
  }

  async run(ref: FileRef, call: HostCall, port: CallPort, signal: AbortSignal): Promise<Outcome | FileTrouble> {
    return this.#attempt(ref, call.tool, signal, MAX_HOSTS_PER_CALL, (host) => host.run(call, port, signal));
  }

  async close(): Promise<void> {
    this.#closed = true;
    const hosts = [...this.#alive];
    if (hosts.length === 0) return;
    for (const host of hosts) host.retire();
    const deadline = performance.now() + 1_000;
    while (hosts.some((host) => !host.ended) && performance.now() < deadline) await sleep(5);
    for (const host of hosts) host.kill("it was no longer needed");
    while (hosts.some((host) => !host.ended)) await sleep(5);
  }

  /** Gives something to one host after another until one of them has begun it. */
  async #attempt<T extends { kind: string }>(
    ref: FileRef,
    tool: string,
    signal: AbortSignal,
    times: number,
    work: (host: HostProcess) => Promise<T>,
  ): Promise<T | FileTrouble | Died | NotBegun> {
    let outcome: T | FileTrouble | Died | NotBegun = { kind: "not-begun" };
    for (let attempt = 0; attempt < times && !signal.aborted; attempt += 1) {
      const host = await untilAborted(signal, () => this.#hostOf(ref, tool));
      if (!host) return this.#closed ? CLOSED : outcome;
      const trouble = host.holds(ref.file.file, tool)
        ? undefined
        : await untilAborted(signal, () => this.#open(host, ref, tool));
      outcome = trouble ?? (await work(host));
      if (outcome.kind !== "not-begun" && trouble?.kind !== "died") return outcome;
    }
    return outcome;
  }

  #keyOf(file: HostFile): string {
    return this.#isolation === "file" ? file.file : EVERYTHING;
  }

  /** A file whose last working version is kept is served by whichever host has it in memory. */
  #hostOf({ file, generation }: FileRef, tool: string): Promise<HostProcess | undefined> {
    const state = generation as State;
    const everything = state.hosts.get(EVERYTHING);
    const kept = state.retired && everything?.open === true && everything.holds(file.file, tool);
    return this.#host(state, kept ? EVERYTHING : this.#keyOf(file));
  }

  /** Undefined once everything is closed. */
  async #host(state: State, key: string): Promise<HostProcess | undefined> {
    if (state.hosts.get(key)?.open !== true && this.#failedStarts > 0) {
      await sleep(Math.min(50 * 2 ** this.#failedStarts, MAX_BACKOFF_MS));
    }
    const known = state.hosts.get(key);
    if (known?.open) return known;
    if (this.#closed) return undefined;
    const host = new HostProcess(this.#options, {
      ended: (ended) => this.#ended(ended),
      depends: (file, imports) => {
        if (state === this.#current) this.#onDepends(file, imports);
      },
    });
    this.#alive.add(host);
    state.hosts.set(key, host);
    return host;
  }

  #ended(host: HostProcess): void {
    this.#alive.delete(host);
    if (host.useful) this.#failedStarts = 0;
    else if (host.age < YOUNG_MS && !host.endedByImport) this.#failedStarts += 1;
  }

  #retireIfDone(state: State): void {
    if (!state.retired || state.holds > 0) return;
    for (const host of state.hosts.values()) host.retire();
  }

  /** Undefined when the tool is there, as it was when the generation was the current one. */
  async #open(host: HostProcess, ref: FileRef, tool: string): Promise<FileTrouble | Died | undefined> {
    const state = ref.generation as State;
    const [outcome] = await host.load([ref.file]);
    if (!outcome || outcome.kind === "died") {
      return { kind: "died", reason: outcome?.reason ?? "it was not started" };
    }
    const { tools, problems, imports } = outcome.manifest;
    const isThere = tools.some(({ name }) => name === tool);
    if (isThere && (!state.retired || isSame(imports, ref.imports))) return undefined;
    if (!isThere) state.troubled.add(ref.file.file);
    return { kind: "trouble", problem: isThere ? undefined : problems[0] };
  }
}

interface Died {
  readonly kind: "died";
  readonly reason: string;
}

/** Whether nothing that decides what a file is has changed. */
function isSame(now: FileManifest["imports"], then: FileManifest["imports"]): boolean {
  return JSON.stringify(now) === JSON.stringify(then.slice(0, now.length));
}

interface NotBegun {
  readonly kind: "not-begun";
}

const CLOSED: Died = { kind: "died", reason: "the toolbox was closed" };
