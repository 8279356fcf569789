import { newMark, ownedBy, type RunOwner } from "./run-marker.ts";

/** The programs that this process, not a host, runs for one toolbox. They end with it, also if this process is killed. */
export class OwnRuns implements RunOwner {
  readonly mark: string = newMark();
  /** Loaded on use: most commands run no program in this process. */
  #guard: typeof import("./process-guard.ts") | undefined;
  #release: (() => void) | undefined;

  /** Runs work whose programs, as far as `runProcess` starts them, belong to the toolbox. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return this.#guard ? ownedBy(this, work) : this.#load().then(() => ownedBy(this, work));
  }

  begin(): void {
    this.#release ??= this.#guard?.guardRun(this.mark);
  }

  /** Ends what the programs have left in the background. */
  async close(): Promise<void> {
    if (!this.#release) return;
    const { terminateOrphans } = await import("./terminate-tree.ts");
    await terminateOrphans(this.mark);
    this.#release();
    this.#release = undefined;
  }

  async #load(): Promise<void> {
    this.#guard ??= await import("./process-guard.ts");
  }
}
