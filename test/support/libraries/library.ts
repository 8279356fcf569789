import type { Toolbox } from "../../../src/toolbox/toolbox.ts";
import type { Wire } from "../agents/wire.ts";
import type { Sandbox } from "../fixture.ts";
import type { installed } from "../installed.ts";

/** One question to an agent of a library, with the tools of a toolbox and a scripted model. */
export interface Question {
  readonly toolbox: Toolbox;
  readonly at: Sandbox;
  /** The address of the model. */
  readonly origin: string;
  readonly prompt: string;
  readonly sessionID?: string;
  readonly signal: AbortSignal;
  /** Called with each update that the library shows. */
  onProgress(update: { readonly title?: string }): void;
}

/** A library whose agents are given the tools of a toolbox, and how the tests reach it. */
export interface Library {
  readonly title: string;
  readonly package: Parameters<typeof installed>[0];
  readonly wire: Wire;
  /** The name of a tool as the model sees it. */
  named?(tool: string): string;
  /** The schema of the tool `note` as the model sees it, if the library changes it. */
  readonly noteSchema?: object;
  /** What the model reads about a failed call; the message, by default. */
  failed?(message: string): string;
  /** The text of a result without what the library adds. */
  normalize?(text: string): string;
  readonly carriesImages: boolean;
  readonly carriesPdfs: boolean;
  readonly showsProgress: boolean;
  /** Whether calls have the id that the model gave them. */
  readonly passesCallIDs: boolean;
  /** The session of a call if the view has none. */
  readonly ownSession?: RegExp;
  /** Asks an agent. Resolves to its last text. May reject when the signal fires. */
  ask(question: Question): Promise<string>;
}
