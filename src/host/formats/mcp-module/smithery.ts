import { messageOf } from "../../../core/error.ts";
import { tryOrUndefined } from "../../../platform/values/try-or-undefined.ts";
import { toSchema } from "../../schema/to-schema.ts";
import type { Contributions } from "../contributions.ts";
import { type ExportContext, ExportError } from "../export-context.ts";
import { changeTools } from "../merge-contributions.ts";
import { readExportedServer, readStartedServer } from "./exported-server.ts";
import { ImportScope } from "./import-scope.ts";
import { isMcpServer } from "./server-shape.ts";

type Factory = (options: object) => unknown;

/** The configuration of a server: from the defaults of its schema and from variables of the environment. */
interface Configuration {
  readonly config: Readonly<Record<string, unknown>>;
  /** Why it is not valid, and what to set. */
  readonly problem?: string;
}

/**
 * Calls a function that creates a server, as Smithery does, and reads the server. If its configuration is incomplete, the tools
 * are listed, and calls of them fail with the variables to set.
 */
export async function readServerFactory(create: Factory, at: ExportContext): Promise<Contributions> {
  const { module = {} } = at;
  const { config, problem } = await configure(tryOrUndefined(() => module.configSchema));
  const sandbox = tryOrUndefined(() => module.createSandboxServer);
  const chosen = problem !== undefined && typeof sandbox === "function" ? (sandbox as Factory) : create;
  const read = await readCreated(chosen, config, at).catch((error: unknown) => {
    if (error instanceof ExportError) throw error;
    throw new ExportError("init_failed", `${nameOf(at)} failed: ${messageOf(error)}${problem ? ` ${problem}` : ""}`);
  });
  return problem === undefined ? read : refusing(read, problem);
}

async function readCreated(create: Factory, config: object, at: ExportContext): Promise<Contributions> {
  const scope = new ImportScope(at.file.path);
  const session = { id: "toolwright", get: async () => undefined, set: async () => {}, delete: async () => {} };
  const options = { config, env: process.env, session, sessionId: "toolwright", logger: console, auth: undefined };
  const created: unknown = await scope.run(() => create(options));
  scope.throwIfExited();
  if (isMcpServer(created)) {
    const read = await readExportedServer(created, at);
    if (read.about) return read;
  }
  if (!scope.hasStarted) await scope.started(START_MS);
  scope.throwIfExited();
  scope.markRead();
  if (scope.stdin.isRead) return readStartedServer(scope, at);
  throw new ExportError(
    "not_a_tool",
    `${nameOf(at)} returned no MCP server. Return the server: an McpServer or its "server".`,
  );
}

const START_MS = 1000;

function nameOf({ exportName }: ExportContext): string {
  return exportName === "default" ? "Its default function" : `Its function "${exportName}"`;
}

function refusing(read: Contributions, problem: string): Contributions {
  const refuse = async (): Promise<never> => {
    throw new Error(problem);
  };
  return changeTools(read, (tools) => tools.map((tool) => ({ ...tool, run: refuse })));
}

async function configure(schema: unknown): Promise<Configuration> {
  if (schema === undefined || schema === null) return { config: {} };
  try {
    const { json, check } = await toSchema(schema);
    const properties = Object.entries((json.properties ?? {}) as Record<string, { type?: unknown }>);
    const config = Object.fromEntries(properties.flatMap(([name, each]) => fromEnvironment(name, each.type)));
    const checked = await check(config);
    if (checked.ok) return { config: checked.value as Configuration["config"] };
    const missing = ((json.required ?? []) as string[]).filter((name) => config[name] === undefined);
    return { config, problem: whatToSet(missing) };
  } catch {
    return { config: {} };
  }
}

function whatToSet(missing: readonly string[]): string {
  const variables = missing.map((name) => variableOf(name)).join(" and ");
  if (variables === "")
    return "Its configuration is not valid: correct the environment variables that it is read from.";
  return `It needs a configuration: set ${variables} in the environment of Toolwright (${missing.join(", ")} in its configSchema).`;
}

/** A field such as `apiKey` is read from `apiKey` or `API_KEY`. */
function fromEnvironment(name: string, type: unknown): [string, unknown][] {
  const text = process.env[name] ?? process.env[variableOf(name)];
  if (text === undefined) return [];
  if (type === "boolean") return [[name, text !== "" && text !== "0" && text !== "false"]];
  return [[name, type === "number" || type === "integer" ? Number(text) : text]];
}

function variableOf(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll("-", "_")
    .toUpperCase();
}
