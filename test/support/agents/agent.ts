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
  readonly schemas: Readonly<Record<"find" | "note" | "print", object>>;
  /** What its model is told of the calls: of `note`, `find` and `print`. */
  readonly answers: readonly Answer[];
  /** Takes out of an answer what is never the same twice. */
  readonly steady?: (text: string) => string;
}

/** An agent's own configuration, at the user's level. */
export interface AgentConfig {
  /** Where it is in the home folder. */
  readonly file: string;
  /** The file before we come, with a model at this origin. */
  readonly before: (origin: string) => string;
  /** The file when we are out of it again, for an agent that writes into it whenever it runs. */
  readonly after?: (used: string) => string;
}
