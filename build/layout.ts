/** The layout of `src/`: what each folder holds, which process loads it, what it may import. `npm run layout` writes it into AGENTS.md. */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export interface Folder {
  readonly name: string;
  readonly holds: string;
  /** Other folders that its files may import. They come earlier in the list. */
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
        holds: "Tool, Schema, ToolResult, ToolError, events, problems. No Node, no imports",
        imports: [],
      },
      { name: "json-text", holds: "parse and edit JSON with comments; the line of each value", imports: [] },
      {
        name: "files",
        holds: "open, hold, read and replace files safely; stamps; paths of this package",
        imports: ["core"],
      },
      {
        name: "process",
        holds: "run and end programs; find programs; the grammar of shell templates",
        imports: ["core", "files"],
      },
      { name: "permissions", holds: "(rules, access) → allow, ask, deny. Pure", imports: ["core", "files"] },
      {
        name: "config",
        holds: "settings files, defaults, locks, private files",
        imports: ["core", "json-text", "files", "process", "permissions"],
      },
      {
        name: "protocol",
        holds: "messages between the processes, manifests, framing, validation",
        imports: ["core", "files"],
      },
      {
        name: "output",
        holds: "a tool's return value → content, cut to size; full output on disk",
        imports: ["core", "protocol"],
      },
      {
        name: "authoring",
        holds: "the API for authors: tool(), Tool.define; pi/, opencode/, copilot/: stand-ins for packages of agents",
        imports: ["core", "files"],
      },
    ],
  },
  {
    title: "run in a host process",
    process: "host",
    folders: [
      { name: "schema", holds: "Zod, TypeBox, JSON Schema → Schema. One file per dialect", imports: ["core"] },
      {
        name: "loader",
        holds: "imports authors' TypeScript: module hooks in Node, plugins in Bun",
        imports: ["core", "files"],
      },
      {
        name: "formats",
        holds: "one loaded file → tools, hooks, session handlers. One folder per system",
        imports: ["core", "json-text", "schema", "process", "files", "authoring"],
      },
      {
        name: "host",
        holds: "the process that runs authors' code: child, engine, file reader, calls",
        imports: ["core", "files", "protocol", "output", "schema", "loader", "formats"],
      },
    ],
  },
  {
    title: "run in the serving process",
    process: "serving",
    folders: [
      {
        name: "discovery",
        holds: "folders → tool files, packages, MCP servers; trust; watching. Loads no tool code",
        imports: ["core", "json-text", "files", "config", "process"],
      },
      {
        name: "supervisor",
        holds: "host processes from outside: pool, lifecycle, heartbeat, manifest cache",
        imports: ["core", "files", "discovery", "process", "protocol"],
      },
      {
        name: "registry",
        holds: "names, precedence, shadowing, the tools pinned for a session. Loads no tool code",
        imports: ["core", "protocol", "supervisor"],
      },
      {
        name: "session-store",
        holds: "the logs of sessions in SQLite, on disk or in memory, and their readers. Loaded on demand",
        imports: ["core", "files", "config", "process", "protocol"],
      },
      {
        name: "pipeline",
        holds: "one call: resolve, hooks, validate, permit, limit, run, record",
        imports: ["core", "files", "config", "discovery", "permissions", "process", "protocol", "registry"],
        lazy: ["output"],
      },
      {
        name: "sessions",
        holds: "snapshots and stored values of sessions; session events to tool files",
        imports: ["core", "permissions", "protocol", "supervisor", "pipeline"],
      },
      {
        name: "toolbox",
        holds: "the wiring, and the public Toolbox",
        imports: [
          ...["core", "files", "permissions", "config", "protocol", "discovery", "supervisor", "registry"],
          ...["pipeline", "sessions"],
        ],
        lazy: ["host", "output", "session-store"],
      },
      { name: "fitting", holds: "schemas and names adapted to clients with restrictions. Pure", imports: ["core"] },
      {
        name: "tool-input",
        holds: "typed fields → the input of a tool, by its JSON Schema; schemas as text for people. Pure",
        imports: ["core"],
      },
      {
        name: "http",
        holds: "parts of HTTP servers: guards, bodies, error responses, event streams",
        imports: ["core"],
      },
      {
        name: "mcp",
        holds: "the MCP server over a Toolbox or over the tools of a session; http/: its HTTP transport",
        imports: ["core", "http", "output", "registry", "pipeline", "toolbox"],
      },
      {
        name: "adapters",
        holds: "a Toolbox as the tools of other libraries",
        imports: ["core", "config", "registry", "pipeline", "toolbox", "fitting"],
        lazy: ["mcp"],
      },
      {
        name: "agents",
        holds: "coding agents that run sessions: one folder per SDK or protocol. Loaded on demand",
        imports: ["core", "files", "process", "output", "fitting", "mcp"],
      },
      {
        name: "agent-configs",
        holds: "the MCP configuration files of agents: where they are, how to edit them",
        imports: ["core", "json-text", "files", "config", "discovery"],
      },
      { name: "http-client", holds: "the typed client of the REST API. Runs in browsers too", imports: ["core"] },
      {
        name: "surfaces/http",
        holds: "REST, SSE, MCP over HTTP; page/: the files and the events of the page",
        imports: ["core", "http", "registry", "pipeline", "sessions", "fitting", "mcp", "toolbox"],
      },
      {
        name: "surfaces/pi",
        holds: "the extension that pi loads: the tools of `toolwright mcp` as tools of pi. Runs in pi's process",
        imports: ["core"],
      },
      {
        name: "surfaces/tui",
        holds: "the interactive chat in the terminal",
        imports: [
          ...["core", "files", "process", "permissions", "config", "registry", "pipeline", "sessions"],
          ...["toolbox", "tool-input"],
        ],
      },
      {
        name: "surfaces/cli",
        holds: "the command line. Starts the other surfaces",
        imports: [
          ...["core", "files", "config", "discovery", "registry", "pipeline", "sessions"],
          ...["agent-configs", "agents", "fitting", "http", "mcp", "tool-input"],
          ...["surfaces/http", "toolbox", "index.ts"],
        ],
        lazy: ["surfaces/tui"],
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
          ...[
            "core",
            "authoring",
            "config",
            "discovery",
            "formats",
            "pipeline",
            "protocol",
            "registry",
            "toolbox",
            "adapters",
          ],
        ],
      },
      {
        name: "builtins",
        holds: "the built-in tools, written with the public API",
        imports: ["files", "process", "index.ts"],
      },
    ],
  },
];

export const FOLDERS: readonly (Folder & Pick<Layer, "process">)[] = LAYERS.flatMap(({ process, folders }) =>
  folders.map((folder) => ({ ...folder, process })),
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
