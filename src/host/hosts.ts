import type { Problem } from "../core/problem.ts";
import type { CallPort } from "./call.ts";
import type { FileManifest, HostFile } from "./manifest.ts";
import type { HostCall, HostResult, Prepared } from "./protocol.ts";

/** A state of the code: everything loaded in one generation stays as it was when it was loaded. */
export interface Generation {
  readonly id: number;
}

/** One file as it is in one generation. */
export interface FileRef {
  readonly file: HostFile;
  readonly generation: Generation;
  /** What it depended on when it was looked at: how another version of it is recognised. */
  readonly imports: FileManifest["imports"];
}

/** How a call given to a host came out of it. */
export type Outcome =
  | { readonly kind: "result"; readonly result: HostResult }
  /** The host did not begin it, and never will: it may be given to another. */
  | { readonly kind: "not-begun" }
  | { readonly kind: "died"; readonly reason: string }
  /** It was told to stop and did not; its process is being ended. */
  | { readonly kind: "deaf" };

/** How checking an input came out of a host. Checking is safe to repeat, so a host that did not answer may be replaced. */
export type PrepareOutcome =
  | Prepared
  | { readonly kind: "died"; readonly reason: string }
  | { readonly kind: "not-begun" };

/** The file turned out not to hold the tool any more, or another version of it, for this reason. */
export interface FileTrouble {
  readonly kind: "trouble";
  readonly problem: Problem | undefined;
}

/** An input to be checked before the call it is for. */
export interface Check {
  readonly tool: string;
  readonly input: unknown;
  readonly cwd: string;
}

/** Where authors' code runs. Nothing of it ever rejects because of what that code does. */
export interface Hosts {
  readonly current: Generation;
  /** Begins a new generation. The former ends once its calls are done, unless it is held. */
  renew(): Generation;
  /** Keeps an old generation alive: the last working version of a file that is broken now lives in it. */
  hold(generation: Generation): void;
  release(generation: Generation): void;
  /** What the current generation has imported so far. */
  loadedFiles(): readonly string[];
  /** Files whose import failed in the current generation when a call asked for them. */
  troubledFiles(): ReadonlySet<string>;
  /** Tells what files import while their tools run, beyond what they imported at first. */
  onDepends(listener: (file: string, imports: FileManifest["imports"]) => void): void;
  /** Imports files in the current generation. */
  load(files: readonly HostFile[], options?: { verify?: boolean }): Promise<FileManifest[]>;
  prepare(ref: FileRef, check: Check, signal: AbortSignal): Promise<PrepareOutcome | FileTrouble>;
  run(ref: FileRef, call: HostCall, port: CallPort, signal: AbortSignal): Promise<Outcome | FileTrouble>;
  /** Ends every process, and waits until they are gone. */
  close(): Promise<void>;
}

/** The reason of an abort that is the clock's doing. */
export const TIMEOUT: unique symbol = Symbol("timeout");

export function isTimeout(signal: AbortSignal): boolean {
  return signal.reason === TIMEOUT;
}
