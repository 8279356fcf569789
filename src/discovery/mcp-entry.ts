import { resolve } from "node:path";
import { expandHome } from "../config/options.ts";
import { isObject } from "../core/is-object.ts";
import type { McpServer } from "../core/mcp-server.ts";
import type { FillIn, VariableSource } from "./mcp-variables.ts";
import { startsOurServer } from "./our-command.ts";

/** What one entry of a configuration comes to. */
export type McpEntry =
  | { readonly kind: "server"; readonly server: McpServer; readonly disabled: boolean }
  /** It would start us from within ourselves. */
  | { readonly kind: "ourselves" }
  | { readonly kind: "wrong"; readonly reason: string };

/** Where an entry stands. */
export interface McpEntrySource extends VariableSource {
  /** Absent: variables stay as they are written. */
  readonly fillIn?: FillIn;
  /** Where a server starts that says nothing of it; else in the directory that the toolbox is opened for. */
  readonly cwd?: string;
}

/** Reads an entry in the words of any of the programs. Never throws. */
export function readMcpEntry(name: string, entry: unknown, from: McpEntrySource): McpEntry {
  try {
    if (!isObject(entry)) throw new Error('must be an object with "command" or "url"');
    const words = commandOf(entry);
    if (name === "toolwright" || startsOurServer(words, { folder: from.cwd ?? from.folder, home: from.home })) {
      return { kind: "ourselves" };
    }
    const disabled = isSwitchedOff(entry);
    // A variable that only a disabled server needs is nobody's trouble.
    const fillIn = disabled ? undefined : from.fillIn;
    const fill = (text: string): string => fillIn?.(text, from) ?? text;
    const server = words.length > 0 ? stdioServer(entry, words, fill, from) : httpServer(entry, fill);
    if (fillIn && server.type === "http") refuseOddUrl(server.url, entry.url);
    return { kind: "server", server, disabled };
  } catch (error) {
    return { kind: "wrong", reason: (error as Error).message };
  }
}

type Entry = Readonly<Record<string, unknown>>;

/** Claude Code and Copilot keep the arguments apart; OpenCode has one list. */
function commandOf(entry: Entry): string[] {
  const { command, args = [] } = entry;
  if (command === undefined) return [];
  const words: unknown[] = [command, args].flat();
  if (Array.isArray(args) && words.every((word) => typeof word === "string") && words[0]) return words;
  throw new Error('must have a text as "command" and a list of texts as "args"');
}

/** Whether the program is told not to use the server. */
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
    ...(cwd === undefined ? {} : { cwd }),
    ...timeoutOf(entry),
  };
}

function httpServer(entry: Entry, fill: (text: string) => string): McpServer {
  if (typeof entry.url !== "string") throw new Error('must have a "command" to start, or a "url" to connect to');
  const headers = texts("headers", entry.headers, fill);
  return { type: "http", url: fill(entry.url), headers, ...timeoutOf(entry) };
}

/** Shows the address as it is written: what is filled in may be secret. */
function refuseOddUrl(url: string, written: unknown): void {
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return;
  throw new Error(`must have a "url" that begins with http:// or https://, not ${JSON.stringify(written)}`);
}

function texts(key: string, value: unknown, fill: (text: string) => string): Record<string, string> {
  if (value === undefined) return {};
  if (!isObject(value)) throw new Error(`must have an object of texts as "${key}"`);
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, fill(String(text))]));
}

function timeoutOf({ timeout }: Entry): { timeoutMs?: number } {
  return typeof timeout === "number" && timeout > 0 ? { timeoutMs: timeout } : {};
}
