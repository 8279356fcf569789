/** The layout of `src/`: what each folder holds, which process loads it, what it may import. `npm run layout` writes it into AGENTS.md. */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export interface Folder {
  readonly name: string;
  readonly holds: string;
  /** Other folders that its files may import, or rooms with all their folders. They come earlier in the list. */
  readonly imports: readonly string[];
  /** Folders that it may only load with `import()`, on demand. */
  readonly lazy?: readonly string[];
}

export interface Layer {
  readonly title: string;
  /** Which process may load these folders. */
  readonly process: "any" | "host" | "serving";
  readonly folders: readonly Folder[];
}

/** In order: a folder imports only folders before it. */
export const LAYERS: readonly Layer[] = [
  {
    title: "shared code",
    process: "any",
    folders: [
      {
        name: "core",
        holds:
          "Tool, Schema, ToolResult, ToolError, events, SessionStore, CodingAgent: types, errors, codes. No Node, no helpers",
        imports: [],
      },
      { name: "platform/values", holds: "small functions on plain values", imports: [] },
      { name: "platform/text", holds: "text for people and models; names, wildcards, code as text", imports: ["core"] },
      { name: "platform/waiting", holds: "time limits, cancelling, one start for many", imports: [] },
      { name: "platform/json", holds: "parse and edit JSON with comments; the line of each value", imports: [] },
      {
        name: "platform/forms",
        holds: "forms of other programs for a person: read and checked, asked field by field",
        imports: ["platform/values", "platform/text"],
      },
      {
        name: "platform/files",
        holds: "open, hold, read and replace files safely; stamps; paths of this package",
        imports: ["core", "platform/values", "platform/text"],
      },
      {
        name: "platform/processes",
        holds: "run and end programs; find programs; the grammar of shell templates",
        imports: ["core", "platform/values", "platform/text", "platform/waiting", "platform/files"],
      },
      {
        name: "settings/permissions",
        holds: "(rules, access) → allow, ask, deny. Pure",
        imports: ["core", "platform"],
      },
      {
        name: "settings",
        holds: "settings files, defaults, locks, private files",
        imports: ["core", "platform", "settings/permissions"],
      },
      {
        name: "host/protocol",
        holds: "messages between the processes, manifests, framing, validation",
        imports: ["core", "platform"],
      },
      {
        name: "host/output",
        holds: "a tool's return value → content, cut to size; full output on disk",
        imports: ["core", "platform", "host/protocol"],
      },
      {
        name: "authoring",
        holds:
          "the API for authors: tool(), Tool.define; pi/, opencode/, copilot/, openclaw/, roo/, xmcp/: stand-ins for packages of other systems",
        imports: ["core", "platform"],
      },
    ],
  },
  {
    title: "run in a host process",
    process: "host",
    folders: [
      {
        name: "host/schema",
        holds: "Zod, TypeBox, JSON Schema → Schema. One file per dialect",
        imports: ["core", "platform"],
      },
      {
        name: "host/loader",
        holds: "imports authors' TypeScript: module hooks in Node, plugins in Bun",
        imports: ["core", "platform", "host/protocol"],
      },
      {
        name: "host/formats",
        holds: "one loaded file → tools, hooks, session handlers. One folder per system",
        imports: ["core", "platform", "host/protocol", "authoring", "host/schema"],
      },
      {
        name: "host/process",
        holds: "the process that runs authors' code: child, engine, file reader, calls",
        imports: ["core", "platform", "host/protocol", "host/output", "host/schema", "host/loader", "host/formats"],
      },
    ],
  },
  {
    title: "run in the serving process",
    process: "serving",
    folders: [
      {
        name: "catalog/discovery",
        holds: "folders → tool files, packages, MCP servers; trust; watching. Loads no tool code",
        imports: ["core", "platform", "settings"],
      },
      {
        name: "catalog/hosts",
        holds: "host processes from outside: pool, lifecycle, heartbeat, manifest cache",
        imports: ["core", "platform", "host/protocol", "catalog/discovery"],
      },
      {
        name: "catalog/registry",
        holds: "names, precedence, shadowing, the tools pinned for a session",
        imports: ["core", "platform", "host/protocol", "catalog/hosts"],
      },
      {
        name: "catalog",
        holds: "the catalog of served tools: reads a project, publishes its tools, waits for its files",
        imports: [
          "core",
          "platform",
          "settings",
          "host/protocol",
          "catalog/discovery",
          "catalog/hosts",
          "catalog/registry",
        ],
        lazy: ["host/process"],
      },
      {
        name: "sessions/log",
        holds: "values folded from the events of one log: info, usage, ids, items",
        imports: ["core"],
      },
      {
        name: "sessions/cards",
        holds: "what people are shown of a call: a command, a file, a change, a list",
        imports: ["core", "platform/values", "platform/text"],
      },
      {
        name: "sessions/store",
        holds: "the logs of sessions in SQLite, and their readers. Loaded on demand",
        imports: ["core", "platform", "settings", "host/protocol", "sessions/log"],
      },
      {
        name: "calls",
        holds: "one call: resolve, hooks, validate, permit, limit, run, record",
        imports: ["core", "platform", "settings", "host/protocol", "catalog", "sessions/log"],
        lazy: ["host/output"],
      },
      {
        name: "sessions",
        holds: "turns, questions, stored values; the session as items; session events to tool files",
        imports: ["core", "platform", "settings", "host/protocol", "catalog", "sessions/log", "calls"],
      },
      {
        name: "toolbox",
        holds: "the wiring, and the public Toolbox",
        imports: ["core", "platform", "settings", "host/protocol", "catalog", "sessions/log", "calls", "sessions"],
        lazy: ["host/output", "sessions/store"],
      },
      {
        name: "surfaces/client-limits",
        holds: "schemas, names and images adapted to clients with restrictions. Pure",
        imports: ["core", "platform"],
      },
      {
        name: "surfaces/http/parts",
        holds: "parts of HTTP servers: guards, bodies, error responses, event streams",
        imports: ["core", "platform"],
      },
      {
        name: "surfaces/mcp",
        holds: "the MCP server over a Toolbox or over the tools of a session; http/: its HTTP transport",
        imports: [
          "core",
          "platform",
          "host/output",
          "catalog",
          "sessions/log",
          "calls",
          "toolbox",
          "surfaces/http/parts",
        ],
      },
      {
        name: "surfaces/libraries",
        holds: "a Toolbox as the tools of other libraries",
        imports: [
          "core",
          "platform",
          "settings",
          "catalog",
          "sessions/log",
          "calls",
          "toolbox",
          "surfaces/client-limits",
          "surfaces/mcp",
        ],
      },
      {
        name: "agents/run",
        holds: "coding agents that run sessions: one folder per SDK or protocol. Loaded on demand",
        imports: ["core", "platform", "host/output", "surfaces/client-limits", "surfaces/mcp"],
      },
      {
        name: "agents/setup",
        holds: "the MCP configuration files of agents: where they are, how to edit them",
        imports: ["core", "platform", "settings", "catalog"],
      },
      {
        name: "surfaces/http/client",
        holds: "the typed client of the REST API. Runs in browsers too",
        imports: ["core", "platform"],
      },
      {
        name: "surfaces/http/server",
        holds: "REST, SSE, MCP over HTTP; page/: the files and the events of the page",
        imports: [
          "core",
          "platform",
          "catalog",
          "sessions/log",
          "calls",
          "sessions",
          "toolbox",
          "surfaces/http/parts",
          "surfaces/mcp",
        ],
      },
      {
        name: "surfaces/pi",
        holds: "the extension that pi loads: the tools of `toolwright mcp` as tools of pi. Runs in pi's process",
        imports: ["core", "platform"],
      },
      {
        name: "surfaces/cli/output",
        holds: "what the command line prints, and where",
        imports: ["core", "platform", "settings", "catalog"],
      },
      {
        name: "surfaces/cli/args",
        holds: "the command line → a command and the input of a tool, by its JSON Schema",
        imports: ["core", "platform", "surfaces/cli/output"],
      },
      {
        name: "surfaces/tui",
        holds: "the interactive chat in the terminal",
        imports: [
          "core",
          "platform",
          "settings",
          "catalog",
          "sessions/log",
          "sessions/cards",
          "calls",
          "sessions",
          "toolbox",
          "surfaces/client-limits",
          "surfaces/cli/args",
        ],
      },
      {
        name: "surfaces/cli",
        holds: "the commands: chat/, editor/. Starts the other surfaces",
        imports: [
          "core",
          "platform",
          "settings",
          "catalog",
          "sessions/log",
          "calls",
          "sessions",
          "toolbox",
          "surfaces/client-limits",
          "surfaces/http/parts",
          "surfaces/mcp",
          "agents/run",
          "agents/setup",
          "surfaces/http/server",
          "surfaces/cli/output",
          "surfaces/cli/args",
          "surfaces/tui",
          "index.ts",
        ],
      },
    ],
  },
  {
    title: "public",
    process: "any",
    folders: [
      {
        name: "index.ts",
        holds: "the public API",
        imports: [
          "core",
          "settings",
          "host/protocol",
          "authoring",
          "host/formats",
          "catalog",
          "sessions/log",
          "calls",
          "toolbox",
          "surfaces/libraries",
        ],
      },
      { name: "builtins", holds: "the built-in tools, written with the public API", imports: ["platform", "index.ts"] },
    ],
  },
];

/** What the page, `web/`, may import from `src/`. */
export const PAGE: readonly string[] = [
  "core",
  "platform/text",
  "platform/values",
  "sessions/log",
  "sessions/cards",
  "surfaces/http/client",
];

export const FOLDERS: readonly (Folder & Pick<Layer, "process">)[] = LAYERS.flatMap(({ process, folders }) =>
  folders.map((folder) => ({ ...folder, process })),
);

/** The first parts of their names, in order. */
export const ROOMS: readonly string[] = [...new Set(FOLDERS.map(({ name }) => name.split("/")[0] as string))].filter(
  (room) => room !== "index.ts",
);

const AGENTS = fileURLToPath(new URL("../AGENTS.md", import.meta.url));
const [BEGIN, END] = ["<!-- layout: written by `npm run layout` -->", "<!-- /layout -->"];

/** The picture of the layout, as AGENTS.md shows it. */
export function picture(): string {
  const width = Math.max(...FOLDERS.map(({ name }) => name.length));
  const lines = LAYERS.flatMap(({ title, folders }) => [
    `── ${title} ──`,
    ...folders.map(({ name, holds }) => `  ${name.padEnd(width)}  ${holds}`),
  ]);
  return ["```", ...lines, "```"].join("\n");
}

/** AGENTS.md with the current picture. */
export function withPicture(text: string): string {
  const [before, rest] = text.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined)
    throw new Error(`AGENTS.md must have the lines ${BEGIN} and ${END}.`);
  return `${before}${BEGIN}\n${picture()}\n${END}${after}`;
}

if (import.meta.main) writeFileSync(AGENTS, withPicture(readFileSync(AGENTS, "utf8")));
