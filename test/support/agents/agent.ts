import type { Sandbox } from "../fixture.ts";
import type { Answer, Wire } from "./wire.ts";

/** How a real agent is reached, and what its model is told by it. */
export interface Agent {
  readonly name: string;
  /** What `toolwright install` calls it, and where it is in `e2e/`. */
  readonly id: string;
  readonly program: string;
  readonly wire: Wire;
  readonly config: AgentConfig;
  /** Its command line, for a user who lets it call our tools. */
  readonly args: readonly string[];
  readonly env?: (origin: string) => Record<string, string>;
  /** Puts what else it looks for into its home folder. */
  readonly prepare?: (home: string, packages: string) => void;
  /** The name under which it offers a tool of ours. */
  readonly named: (tool: string) => string;
  /** The tools' schemas as its model sees them. */
  readonly schemas: Readonly<Record<"find" | "note" | "print" | "count", object>>;
  /** What becomes of the longest name that a tool may have, before the agent puts its own in front. */
  readonly longName: string;
  /** What its model is told of a call that came to these words of ours. */
  readonly tells: (call: Called) => Answer;
  /** Takes out of an answer what is never the same twice. */
  readonly steady?: (text: string) => string;
  /** What we say of a call that a rule asks about, when the agent is left alone. */
  readonly leftAlone: string;
  /** Whether pictures reach the model. */
  readonly passesPictures: boolean;
  /** Where it says it has put an output that it has cut once more. */
  readonly ownCopy?: RegExp;
}

/** A call, and what we said of it. */
export interface Called {
  readonly tool: string;
  readonly input: object;
  readonly words: string;
  readonly failed?: true;
}

/** An agent's own configuration. */
export interface AgentConfig {
  /** Where the user's is in the home folder. */
  readonly file: string;
  /** That file before we come, with a model at this origin. */
  readonly before: (origin: string) => string;
  /** That file when we are out of it again, for an agent that writes into it whenever it runs. */
  readonly after?: (used: string) => string;
  /** Where a project's is in the project. */
  readonly projectFile: string;
  /** What is left of that file, which was not there before, for an agent that writes into it. */
  readonly projectAfter?: string;
  /** Writes what is written when a user says that the project's may be used. */
  readonly approve?: (at: Sandbox) => void;
}
