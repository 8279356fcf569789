import type { CallPort } from "./call.ts";
import { Engine } from "./engine.ts";
import {
  type Check,
  type FileRef,
  type FileTrouble,
  type Generation,
  type Hosts,
  isTimeout,
  type Outcome,
  type PrepareOutcome,
} from "./hosts.ts";
import type { FileManifest, HostFile } from "./manifest.ts";
import { abortError, type HostCall } from "./protocol.ts";

const GRACE_MS = 1_000;

/**
 * Runs tools in this very process, for embedders who choose so: no isolation. A tool that does not stop when told is
 * left behind rather than ended, and a changed file keeps its old code until the program starts again.
 */
export class InProcess implements Hosts {
  readonly current: Generation = { id: 1 };
  readonly #engine: Engine;

  constructor(options: { importMs: number }) {
    this.#engine = new Engine(options);
  }

  renew(): Generation {
    return this.current;
  }

  hold(): void {}

  release(): void {}

  loadedFiles(): readonly string[] {
    return [];
  }

  troubledFiles(): ReadonlySet<string> {
    return new Set();
  }

  onDepends(): void {}

  load(files: readonly HostFile[], options: { verify?: boolean } = {}): Promise<FileManifest[]> {
    return Promise.all(files.map((file) => this.#engine.load(file, { verify: options.verify ?? false })));
  }

  async prepare({ file }: FileRef, { tool, input, cwd }: Check): Promise<PrepareOutcome | FileTrouble> {
    return (await this.#trouble(file, tool)) ?? this.#engine.prepare({ file: file.file, tool }, input, cwd);
  }

  async run(ref: FileRef, call: HostCall, port: CallPort, signal: AbortSignal): Promise<Outcome | FileTrouble> {
    const trouble = await this.#trouble(ref.file, call.tool);
    if (trouble) return trouble;
    if (signal.aborted) return { kind: "not-begun" };
    const controller = new AbortController();
    const deaf = Promise.withResolvers<Outcome>();
    const stop = (): void => {
      controller.abort(abortError(isTimeout(signal) ? "timeout" : "aborted"));
      timer = setTimeout(() => deaf.resolve({ kind: "deaf" }), GRACE_MS);
    };
    let timer: NodeJS.Timeout | undefined;
    signal.addEventListener("abort", stop, { once: true });
    const work = this.#engine
      .run(call, controller.signal, port)
      .then((result): Outcome => ({ kind: "result", result }));
    return Promise.race([work, deaf.promise]).finally(() => {
      signal.removeEventListener("abort", stop);
      clearTimeout(timer);
    });
  }

  async close(): Promise<void> {
    this.#engine.close();
  }

  async #trouble(file: HostFile, tool: string): Promise<FileTrouble | undefined> {
    const manifest = await this.#engine.load(file);
    if (manifest.tools.some(({ name }) => name === tool)) return undefined;
    return { kind: "trouble", problem: manifest.problems[0] };
  }
}
