import { ACCEPTED_MODE_NAMES, RULE_ACTIONS } from "../core/permission-mode.ts";
import { defined } from "../platform/values/defined.ts";
import { MAX_DELAY_MS } from "../platform/waiting/max-delay.ts";
import { DEFAULTS } from "./defaults.ts";

/** The keywords of JSON Schema that the schema of settings uses. `checkSettings` supports no others. */
export interface SettingsNode {
  readonly description?: string;
  readonly default?: unknown;
  readonly type?: "object" | "array" | "string" | "integer" | "boolean";
  readonly properties?: Readonly<Record<string, SettingsNode>>;
  readonly additionalProperties?: false | SettingsNode;
  /** An object that lacks a required key is ignored as a whole: half a permission rule could mean something else. */
  readonly required?: readonly string[];
  readonly items?: SettingsNode;
  /** Set for commands. A list with an invalid item is then ignored as a whole: half a command could do something else. */
  readonly minItems?: 1;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly SettingsNode[];
  readonly minimum?: number;
  readonly maximum?: number;
}

/** The memory that an empty host process needs. */
const MIN_MEMORY_MB = 100;

/** The settings file as a JSON Schema (2020-12). `settings.schema.json` is its copy for editors. */
export const settingsSchema: SettingsNode & { readonly $schema: string; readonly title: string } = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Toolwright settings",
  description:
    "`.toolwright/settings.json` of a project overrides `~/.toolwright/settings.json` of the user. Comments and trailing commas are allowed.",
  type: "object",
  properties: {
    $schema: text("The location of this schema, for editors."),
    tools: object("Which tools are found and served.", {
      paths: list("Additional folders or files with tools: relative to the project, absolute, or from `~`."),
      disabled: list("Names or wildcards of tools that are not served. Their files are not imported."),
      override: list("Names or wildcards of tools that may replace another of the same name, even a built-in tool."),
      pinned: list(
        "Names or wildcards of tools that agents show to their model from the first request. By default all, if there are 20 or fewer.",
      ),
    }),
    limits: object("Limits for every tool.", {
      timeoutMs: count("The time limit of a call, in milliseconds.", DEFAULTS.limits.timeoutMs, MAX_DELAY_MS),
      importMs: count(
        "The time limit for importing a tool file, in milliseconds.",
        DEFAULTS.limits.importMs,
        MAX_DELAY_MS,
      ),
      maxLines: count("The maximum number of lines of an output that the model receives.", DEFAULTS.limits.maxLines),
      maxBytes: count("The maximum number of bytes of an output that the model receives.", DEFAULTS.limits.maxBytes),
      memoryMb: {
        ...count("The memory limit of a host process, in megabytes.", DEFAULTS.limits.memoryMb),
        minimum: MIN_MEMORY_MB,
      },
    }),
    toolLimits: {
      description: "Limits for single tools, by name.",
      default: {},
      type: "object",
      additionalProperties: {
        ...object("Limits for this tool.", {
          timeoutMs: count("The time limit of a call, in milliseconds.", undefined, MAX_DELAY_MS),
          maxLines: count("The maximum number of lines of an output that the model receives."),
          maxBytes: count("The maximum number of bytes of an output that the model receives."),
          keep: choice("Which part of a long output is kept: its start, its end, or both.", ["head", "tail", "both"]),
        }),
        additionalProperties: count(
          "A limit that only this tool has, by its name in the tool.",
          undefined,
          MAX_DELAY_MS,
        ),
      },
    },
    runtime: choice("The runtime of tool files.", ["node", "bun"], DEFAULTS.runtime),
    isolation: choice(
      "Tool files share one host process (`shared`), have one each (`file`), or run in the serving process without protection (`none`).",
      ["shared", "file", "none"],
      DEFAULTS.isolation,
    ),
    mode: choice(
      "What happens to calls that no rule matches. `default`: ask, except for reads in the project. `acceptEdits`: also allow edits in the project. `plan`: allow only declared reads. `bypass`, or `bypassPermissions` as Claude calls it: never ask.",
      ACCEPTED_MODE_NAMES,
      DEFAULTS.mode,
    ),
    permissions: {
      description:
        "Rules for calls. The last rule that matches decides. Rules of a project can only restrict those of the user.",
      default: [],
      type: "array",
      items: object(
        "One rule.",
        {
          tool: text("Name or wildcard of the tools."),
          match: text(
            "Wildcard for the target of a call: a path, a command, a URL, or `ask:…` for a question of a tool.",
          ),
          agent: text("Name or wildcard of the agents."),
          action: choice("What happens to the call.", RULE_ACTIONS),
        },
        ["tool", "action"],
      ),
    },
    hooks: object("Commands that run before and after calls, and may change or refuse them.", {
      before: hooks("Run before a call, with its input as JSON on stdin."),
      after: hooks("Run after a call, with its result as JSON on stdin."),
      optional: list(
        "Has an effect only in the user's file. Tool files, or folders of them, whose hooks calls may do without: if such a file cannot be read, calls are made all the same. Paths are relative to the project, absolute, or begin with `~`.",
      ),
    }),
    mcp: object("MCP servers in the configuration of agents.", {
      import: {
        description: "Serve the tools of all these servers, of the named ones, or of none.",
        default: false,
        anyOf: [{ type: "boolean" }, { type: "array", items: { type: "string" } }],
      },
    }),
    clients: {
      description: "The tools for single MCP clients, by the name in the client's `clientInfo`, or a wildcard.",
      default: {},
      type: "object",
      additionalProperties: object("The tools for this client.", {
        tools: list("Names or wildcards of the only tools that it gets."),
        exclude: list("Names or wildcards of tools that it does not get."),
        readOnly: { description: "Only tools that declare to be read-only.", default: false, type: "boolean" },
        builtins: {
          description: "Which built-in tools it also gets: all, none, or the named ones.",
          default: false,
          anyOf: [{ type: "boolean" }, { type: "array", items: { type: "string" } }],
        },
      }),
    },
    agents: object("The agents that run sessions. Has an effect only in the user's file.", {
      default: text("The agent of `toolwright chat` without `--agent`."),
      modules: text(
        "A folder whose `node_modules` has SDKs and programs of agents. The path is absolute or begins with `~`.",
      ),
      programs: {
        description:
          "The commands of agents that speak the Agent Client Protocol, by the name of the agent: the program, then its arguments. The program is a name on PATH, or a path that is absolute or begins with `~`.",
        default: {},
        type: "object",
        additionalProperties: { type: "array", items: { type: "string" }, minItems: 1 },
      },
      idleMs: count(
        "The time in milliseconds after which a turn is ended if neither the agent nor a tool has sent anything.",
        DEFAULTS.agents.idleMs,
        MAX_DELAY_MS,
      ),
      maxTaskTokens: count(
        "The number of tokens after which a task of the tool `task` is stopped.",
        DEFAULTS.agents.maxTaskTokens,
      ),
      maxTurns: count(
        "The number of turns of agents that one process runs at the same time. More turns wait. Turns of sub-agents do not count.",
        DEFAULTS.agents.maxTurns,
      ),
    }),
    subagents: {
      description:
        "The kinds of sub-agents for the tool `task`, by name (`subagent_type`). Has an effect only in the user's file.",
      default: {},
      type: "object",
      additionalProperties: object(
        "One kind of sub-agent.",
        {
          agent: text("The agent that runs it, as in `toolwright chat --agent`."),
          description: text("When to delegate to it, for the model that delegates."),
          model: text("The model, as the agent names it."),
          prompt: text("Text for its model before the task."),
          tools: {
            description: "Names or wildcards of the only tools that it gets. If left out, those of its agent.",
            type: "array",
            items: { type: "string" },
          },
        },
        ["agent", "description"],
      ),
    },
    secrets: list("Names of environment variables whose values are masked in the audit log."),
    search: object("When tools are listed through `tool_search`. No effect in this version.", {
      threshold: count("The number of tools above which `tool_search` is used."),
    }),
    trust: object("Has an effect only in the user's file: a project cannot trust itself.", {
      parents: list("Folders whose projects are all trusted. Paths are absolute or begin with `~`."),
    }),
    outputs: object("Full outputs on disk, stored when an output is cut.", {
      keepDays: amount("The number of days that they are stored.", DEFAULTS.outputs.keepDays),
      maxMb: amount("Their total size in megabytes. The oldest are deleted first.", DEFAULTS.outputs.maxMb),
    }),
    sessions: object("Stored sessions. Running ones, and the newest one, are kept in any case.", {
      keepDays: amount("The number of days after their last change that they are kept.", DEFAULTS.sessions.keepDays),
      maxMb: amount(
        "The total size of the sessions of all projects in megabytes. The oldest are removed first.",
        DEFAULTS.sessions.maxMb,
      ),
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
  return { description, ...defined({ default: initial }), type: "string", enum: values };
}

function count(description: string, initial?: number, maximum?: number): SettingsNode {
  return { ...amount(description, initial), minimum: 1, ...defined({ maximum }) };
}

function amount(description: string, initial?: number): SettingsNode {
  return { description, ...defined({ default: initial }), type: "integer", minimum: 0 };
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
    tool: text("Name or wildcard of the tools."),
    command: {
      description: "The command to run: a line for the shell, or a list of the program and its arguments.",
      anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }],
    } as const,
    timeoutMs: count("The time limit in milliseconds. That of the call also applies.", undefined, MAX_DELAY_MS),
  };
  return { description, default: [], type: "array", items: object("One hook.", properties, ["tool", "command"]) };
}
