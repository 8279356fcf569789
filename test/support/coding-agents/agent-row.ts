import type { AgentSource } from "../../../src/core/coding-agent.ts";
import type { JsonSchema } from "../../../src/core/schema.ts";
import type { Wire } from "../agents/wire.ts";
import type { Sandbox } from "../fixture.ts";
import type { CaseName } from "./case-names.ts";

/** How the suite reaches one coding agent. */
export interface AgentRow {
  /** The requirement that its tests cite: `G1`. */
  readonly requirement: string;
  /** Its name in `sessions.send`. */
  readonly name: string;
  /** Runs every case in each run of the suite: for one agent of each kind (our SDK adapters, ACP, in process). */
  readonly allCases?: true;
  /** The folder in `e2e/` that has its packages. It is the setting `agents.modules`. */
  readonly folder?: string;
  /** Where the agent comes from, if it is not one of ours; `module` exports the same as `plainAgents`. */
  readonly source?: { readonly agents: AgentSource; readonly module: string };
  /** The setting `agents.programs`. */
  readonly programs?: Readonly<Record<string, readonly string[]>>;
  /** The API of its model. */
  readonly wire: Wire;
  /** The options of `sessions.send`, for a model at this origin. */
  readonly model?: string;
  readonly baseUrl?: (origin: string) => string;
  /** Variables in addition to PATH, HOME, TMPDIR and TERM. */
  readonly env?: (origin: string, at: Sandbox) => Readonly<Record<string, string>>;
  /** Writes files into its home folder. */
  readonly prepare?: (at: Sandbox, origin: string) => void;
  /** The name of a tool of ours as its model sees it. */
  readonly toolName: (name: string) => string;
  /** The schema of a tool as its model sees it, from ours; by default the same. */
  readonly shownSchema?: (schema: JsonSchema, tool: string) => unknown;
  /** The description of a tool as its model sees it, from ours; by default the same. */
  readonly shownDescription?: (description: string) => string;
  /** What the model is told about invalid arguments of `note`, if the agent checks them before we do. */
  readonly invalidInput?: readonly string[];
  /** A tool of its own that writes a file, as the model calls it, if it has one. */
  readonly ownTool?: {
    /** The name in our log and in permission rules: `claude:Write`. */
    readonly logged: string;
    readonly call: (file: string, text: string) => { readonly call: string; readonly input: Record<string, unknown> };
  };
  /** Matches the command line of its processes. Undefined if it runs in our process. */
  readonly processes?: RegExp;
  /** Files in TMPDIR that its processes leave, by their paths in it, with the evidence: nothing of ours. */
  readonly leavesInTmp?: { readonly names: RegExp; readonly evidence: string };
  /** The cases that the vendor makes impossible, each with the evidence. They are in docs/agents.md, and must fail. */
  readonly impossible?: Readonly<Partial<Record<CaseName, string>>>;
}
