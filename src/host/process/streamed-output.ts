import { type Content, textOf } from "../../core/result.ts";
import { type Cut, OutputCutter } from "../output/output-cutter.ts";
import { fullOutputStore, type OutputOwner } from "../output/outputs.ts";
import type { OutputOptions } from "../protocol/messages.ts";
import type { Progress } from "../protocol/progress.ts";

/** How many of the last characters are shown while the tool runs. */
const LIVE_CHARACTERS = 16_000;

/** The text that a tool passes to `context.write`: cut as it arrives, stored in full on disk, its end shown as progress. */
export class StreamedOutput {
  readonly #progress: Progress;
  readonly #limits: OutputOptions;
  readonly #owner: OutputOwner;
  #cutter: OutputCutter | undefined;
  #live = "";
  #isOver = false;

  constructor(limits: OutputOptions, owner: OutputOwner, progress: Progress) {
    this.#limits = limits;
    this.#owner = owner;
    this.#progress = progress;
  }

  get isEmpty(): boolean {
    return this.#cutter === undefined;
  }

  write(text: string): void {
    if (text === "" || this.#isOver) return;
    this.#cutter ??= this.#open();
    this.#cutter.push(text);
    this.#live = (this.#live + text).slice(-LIVE_CHARACTERS);
    this.#progress.output(this.#live.toWellFormed());
  }

  #open(): OutputCutter {
    const { folder, ...limits } = this.#limits;
    return new OutputCutter(limits, fullOutputStore(folder, this.#owner));
  }

  /** The call has ended: later writes are dropped. */
  close(): void {
    this.#isOver = true;
  }

  /** The written text, followed by the returned content. */
  end(returned: readonly Content[] = []): { content: Content[]; truncated?: NonNullable<Cut["truncated"]> } {
    this.#cutter ??= this.#open();
    this.#cutter.push(textOf(returned));
    const { text, truncated } = this.#cutter.end();
    const others = returned.filter((part) => part.type !== "text");
    const content: Content[] = text === "" ? others : [{ type: "text", text }, ...others];
    return { content, ...(truncated ? { truncated } : {}) };
  }
}
