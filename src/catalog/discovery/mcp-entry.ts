import { resolve } from "node:path";
import type { McpServer } from "../../core/mcp-server.ts";
import { defined } from "../../platform/values/defined.ts";
import { isObject } from "../../platform/values/is-object.ts";
import { timerDelay } from "../../platform/waiting/max-delay.ts";
import { expandHome } from "../../settings/defaults.ts";
import type { FillIn, VariableSource } from "./mcp-variables.ts";
import { startsToolwrightServer } from "./toolwright-command.ts";

/** One entry of a config file, read. */
export type McpEntry =
  | { readonly kind: "server"; readonly server: McpServer; readonly disabled: boolean }
  /** It starts Toolwright itself, which would recurse. */
  | { readonly kind: "ourselves" }
  | { readonly kind: "wrong"; readonly reason: string };

/** Where an entry comes from. */
interface McpEntrySource extends VariableSource {
  /** Absent: variables are not replaced. */
  readonly fillIn?: FillIn;
  /** The working directory of a server that names none. Absent: the directory of the toolbox. */
  readonly cwd?: string;
}

/** Reads an entry in the format of any agent. Never throws. */
export function readMcpEntry(name: string, entry: unknown, from: McpEntrySource): McpEntry {
  try {
    if (!isObject(entry)) throw new Error('must be an object with "command" or "url"');
    const words = commandOf(entry);
    if (name === "toolwright" || startsToolwrightServer(words, { folder: from.cwd ?? from.folder, home: from.home })) {
      return { kind: "ourselves" };
    }
    const disabled = isSwitchedOff(entry);
    // A missing variable of a disabled server is not a problem.
    const fillIn = disabled ? undefined : from.fillIn;
    const fill = (text: string): string => fillIn?.(text, from) ?? text;
    const server = words.length > 0 ? stdioServer(entry, words, fill, from) : httpServer(entry, fill);
    if (fillIn && server.type === "http") refuseInvalidUrl(server.url, entry.url);
    return { kind: "server", server, disabled };
  } catch (error) {
    return { kind: "wrong", reason: (error as Error).message };
  }
}

type Entry = Readonly<Record<string, unknown>>;

/** Claude Code and Copilot have "command" and "args", OpenCode one list. */
function commandOf(entry: Entry): string[] {
  const { command, args = [] } = entry;
  if (command === undefined) return [];
  const words: unknown[] = [command, args].flat();
  if (Array.isArray(args) && words.every((word) => typeof word === "string") && words[0]) return words;
  throw new Error('must have a string as "command" and a list of strings as "args"');
}

/** Whether the entry disables the server. */
export function isSwitchedOff(entry: unknown): boolean {
  if (!isObject(entry)) return false;
  const { enabled, disabled, tools } = entry;
  return enabled === false || disabled === true || (Array.isArray(tools) && tools.length === 0);
}

function stdioServer(entry: Entry, words: string[], fill: (text: string) => string, from: McpEntrySource): McpServer {
  const [command = "", ...args] = words.map(fill);
  const cwd = entry.cwd === undefined ? from.cwd : resolve(from.folder, expandHome(fill(String(entry.cwd)), from.home));
  return {
    type: "stdio",
    command: expandHome(command, from.home),
    args,
    env: texts("env", entry.env ?? entry.environment, fill),
    ...defined({ cwd }),
    ...timeoutOf(entry),
  };
}

function httpServer(entry: Entry, fill: (text: string) => string): McpServer {
  if (typeof entry.url !== "string") throw new Error('must have a "command" to start, or a "url" to connect to');
  const headers = texts("headers", entry.headers, fill);
  return { type: "http", url: fill(entry.url), headers, ...timeoutOf(entry) };
}

/** Shows the address before variables are replaced: their values may be secret. */
function refuseInvalidUrl(url: string, written: unknown): void {
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return;
  throw new Error(`must have a "url" that begins with http:// or https://, not ${JSON.stringify(written)}`);
}

function texts(key: string, value: unknown, fill: (text: string) => string): Record<string, string> {
  if (value === undefined) return {};
  if (!isObject(value)) throw new Error(`must have an object of strings as "${key}"`);
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, fill(String(text))]));
}

function timeoutOf({ timeout }: Entry): { timeoutMs?: number } {
  return typeof timeout === "number" && timeout > 0 ? { timeoutMs: timerDelay(timeout) } : {};
}
