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
  holds: number;
  retired: boolean;
}

const EVERYTHING = "*";
/** A call that no host would begin is given up after this many hosts. */
const MAX_HOSTS_PER_CALL = 5;
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

  load(files: readonly HostFile[], options: { verify?: boolean } = {}): Promise<FileManifest[]> {
    const state = this.#current;
    return loadFiles(() => this.#host(state, EVERYTHING), files, options.verify ?? false);
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
    const [outcome] = await host.load([file]);
    if (!outcome || outcome.kind === "died") {
      return { kind: "died", reason: outcome?.reason ?? "it was not started" };
    }
    if (outcome.manifest.tools.some(({ name }) => name === tool)) return undefined;
    return { kind: "trouble", problem: outcome.manifest.problems[0] };
  }
}

interface Died {
  readonly kind: "died";
  readonly reason: string;
}
