import { DEFAULTS } from "./options.ts";

/** The part of JSON Schema that our settings are written in; the checker knows these keywords and no others. */
export interface SettingsNode {
  readonly description?: string;
  readonly default?: unknown;
  readonly type?: "object" | "array" | "string" | "integer" | "boolean";
  readonly properties?: Readonly<Record<string, SettingsNode>>;
  readonly additionalProperties?: false | SettingsNode;
  /** An object with required keys counts as a whole or not at all: half a permission rule means something else. */
  readonly required?: readonly string[];
  readonly items?: SettingsNode;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly SettingsNode[];
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Below this not even an empty host process lives. */
const LEAST_MEMORY_MB = 100;

/** The largest delay a timer takes. */
const LONGEST_MS = 2_147_483_647;

/** The settings file as a JSON Schema (2020-12). `settings.schema.json` is this, for editors. */
export const settingsSchema: SettingsNode & { readonly $schema: string; readonly title: string } = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Toolwright settings",
  description:
    "`.toolwright/settings.json` of a project, over `~/.toolwright/settings.json` of the user. Comments and trailing commas are welcome.",
  type: "object",
  properties: {
    $schema: text("Where an editor finds this schema."),
    tools: object("Which tools there are.", {
      paths: list("More folders or files with tools: relative to the project, absolute, or from `~`."),
      disabled: list("Names or wildcards of tools that are not offered; their files are not imported."),
      override: list("Names or wildcards of tools of yours that may replace another of the same name, built-ins too."),
      pinned: list("Names or wildcards of tools that stay visible when the others are behind `tool_search`."),
    }),
    limits: object("Bounds for every tool.", {
      timeoutMs: count("How long a call may run, in milliseconds.", DEFAULTS.limits.timeoutMs, LONGEST_MS),
      importMs: count(
        "How long importing a tool file may take, in milliseconds.",
        DEFAULTS.limits.importMs,
        LONGEST_MS,
      ),
      maxLines: count("How many lines of an output reach the model.", DEFAULTS.limits.maxLines),
      maxBytes: count("How many bytes of an output reach the model.", DEFAULTS.limits.maxBytes),
      memoryMb: {
        ...count("How much memory a host process may hold, in megabytes.", DEFAULTS.limits.memoryMb),
        minimum: LEAST_MEMORY_MB,
      },
    }),
    toolLimits: {
      description: "Bounds for single tools, by name.",
      default: {},
      type: "object",
      additionalProperties: {
        ...object("Bounds for this tool.", {
          timeoutMs: count("How long a call may run, in milliseconds.", undefined, LONGEST_MS),
          maxLines: count("How many lines of an output reach the model."),
          maxBytes: count("How many bytes of an output reach the model."),
          keep: choice("Which end of an output survives when it is cut.", ["head", "tail", "both"]),
        }),
        additionalProperties: count("A limit of the tool's own, by the name it has there."),
      },
    },
    runtime: choice("What runs tool files.", ["node", "bun"], DEFAULTS.runtime),
    isolation: choice(
      "Tool files share one host process, have one each, or (`none`) run in the serving process, unprotected.",
      ["shared", "file", "none"],
      DEFAULTS.isolation,
    ),
    mode: choice(
      "What happens where no rule matches: ask for all but reading in the project; also accept edits; only declared reads; never ask.",
      ["default", "acceptEdits", "plan", "bypass"],
      DEFAULTS.mode,
    ),
    permissions: {
      description:
        "Rules for calls; of those that match, the last one counts. A project's rules can tighten yours, never loosen them.",
      default: [],
      type: "array",
      items: object(
        "One rule.",
        {
          tool: text("Name or wildcard of the tools it is about."),
          match: text(
            "Wildcard for what a call touches: a path, a command, a URL, or `ask:…` for what a tool asks for.",
          ),
          agent: text("Name or wildcard of the agents it is about."),
          action: choice("What happens to the call.", ["allow", "ask", "deny"]),
        },
        ["tool", "action"],
      ),
    },
    hooks: object("Commands that see the calls of tools, and may change or refuse them.", {
      before: hooks("Run before a call, with its input as JSON on stdin."),
      after: hooks("Run after a call, with its result as JSON on stdin."),
    }),
    mcp: object("MCP servers that other programs have configured.", {
      import: {
        description: "Offer the tools of all of them, of those named, or of none.",
        default: false,
        anyOf: [{ type: "boolean" }, { type: "array", items: { type: "string" } }],
      },
    }),
    clients: {
      description: "What MCP clients are served, by the name that a client gives itself, or a wildcard.",
      default: {},
      type: "object",
      additionalProperties: object("What this client is served.", {
        tools: list("Names or wildcards of the only tools it is served."),
        exclude: list("Names or wildcards of tools it is not served."),
        readOnly: { description: "Only tools that say that they change nothing.", default: false, type: "boolean" },
        builtins: {
          description: "Which built-in tools it is served too: all, none, or those named.",
          default: false,
          anyOf: [{ type: "boolean" }, { type: "array", items: { type: "string" } }],
        },
      }),
    },
    secrets: list("Names of environment variables whose values are masked wherever calls are recorded."),
    search: object("When tools are offered through `tool_search` instead of one by one.", {
      threshold: count("The number of tools past which that happens."),
    }),
    trust: object("Counts only in the user's own file: a project cannot trust itself.", {
      parents: list("Folders whose projects are all trusted: absolute, or from `~`."),
    }),
    outputs: object("The whole of outputs that were cut, kept on disk.", {
      keepDays: amount("For how many days.", DEFAULTS.outputs.keepDays),
      maxMb: amount("How many megabytes in all; the oldest go first.", DEFAULTS.outputs.maxMb),
    }),
  },
  additionalProperties: false,
};

function text(description: string): SettingsNode {
  return { description, type: "string" };
}

function list(description: string): SettingsNode {
  return { description, default: [], type: "array", items: { type: "string" } };
}

function choice(description: string, values: readonly string[], initial?: string): SettingsNode {
  return { description, ...(initial === undefined ? {} : { default: initial }), type: "string", enum: values };
}

function count(description: string, initial?: number, maximum?: number): SettingsNode {
  return { ...amount(description, initial), minimum: 1, ...(maximum === undefined ? {} : { maximum }) };
}

function amount(description: string, initial?: number): SettingsNode {
  return { description, ...(initial === undefined ? {} : { default: initial }), type: "integer", minimum: 0 };
}

function object(
  description: string,
  properties: Readonly<Record<string, SettingsNode>>,
  required?: readonly string[],
): SettingsNode {
  const node: SettingsNode = { description, type: "object", properties, additionalProperties: false };
  return required === undefined ? node : { ...node, required };
}

function hooks(description: string): SettingsNode {
  const properties = {
    tool: text("Name or wildcard of the tools it is about."),
    command: {
      description: "The command to run: a line for the shell, or a list of the program and its arguments.",
      anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }],
    } as const,
    timeoutMs: count("How long it may take, in milliseconds; never longer than the call.", undefined, LONGEST_MS),
  };
  return { description, default: [], type: "array", items: object("One hook.", properties, ["tool", "command"]) };
}
