import { messageOf } from "../../core/error.ts";
import type { McpServer } from "../../core/mcp-server.ts";
import type { Problem } from "../../core/problem.ts";
import { ConnectFailure } from "./server-connection.ts";

/** What went wrong with a server as a whole, for whoever configured it. */
export interface Explained {
  readonly code: Extract<Problem["code"], "import_failed" | "import_timeout">;
  readonly message: string;
}

/** Says why a server cannot be used and what to do about it. `config` is the file it is configured in. */
export function explainFailure(thrown: unknown, server: McpServer, config: string, timeoutMs: number): Explained {
  const cause = thrown instanceof ConnectFailure ? thrown.cause : thrown;
  const said = thrown instanceof ConnectFailure && thrown.said.text !== "" ? ` It said:\n${thrown.said.text}` : "";
  if (codeOf(cause) === "REQUEST_TIMEOUT") return { code: "import_timeout", message: slow(server, timeoutMs) + said };
  const reason = server.type === "stdio" ? stdioReason(cause, server.command) : httpReason(cause, shown(server.url));
  return { code: "import_failed", message: `${reason} Correct it in ${config}.${said}` };
}

function slow(server: McpServer, timeoutMs: number): string {
  const what =
    server.type === "stdio" ? `The MCP server (${server.command})` : `The MCP server at ${shown(server.url)}`;
  return `${what} did not answer within ${timeoutMs / 1000} s. Try it by itself; if it is only slow, give it more time with "timeout" (in milliseconds) where it is configured.`;
}

function stdioReason(cause: unknown, command: string): string {
  if (codeOf(cause) === "ENOENT")
    return `The MCP server cannot be started: there is no command "${command}", or no folder to start it in.`;
  if (codeOf(cause) === "EACCES") return `The MCP server cannot be started: "${command}" may not be executed.`;
  if (codeOf(cause) === "CONNECTION_CLOSED")
    return `The MCP server (${command}) ended before it had answered. Its command, arguments and environment may be wrong.`;
  return `The MCP server (${command}) cannot be used: ${inOneLine(cause)}.`;
}

function httpReason(cause: unknown, url: string): string {
  const at = `The MCP server at ${url}`;
  const status = statusOf(cause);
  if (status === 401 || status === 403)
    return `${at} wants to know who is asking (HTTP ${status}): its "headers" need an authorization.`;
  if (status === 404 || status === 405)
    return `${at} does not speak Streamable HTTP there (HTTP ${status}). Servers with only the older HTTP+SSE are not supported: many have a second address, which ends in /mcp.`;
  if (status !== undefined) return `${at} answers with HTTP ${status}.`;
  const root = rootOf(cause);
  if (/^(?:E[A-Z]+|UND_ERR_\w+)$/.test(String(codeOf(root))))
    return `${at} cannot be reached: ${inOneLine(root)}. Is it running?`;
  return `${at} cannot be used: ${inOneLine(cause)}.`;
}

/** Without what may be secret in it. */
function shown(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

function codeOf(thrown: unknown): unknown {
  return typeof thrown === "object" && thrown !== null && "code" in thrown ? thrown.code : undefined;
}

/** The status of an HTTP answer that was none of the protocol. */
export function statusOf(thrown: unknown): number | undefined {
  if (typeof thrown !== "object" || thrown === null || !("status" in thrown)) return undefined;
  return typeof thrown.status === "number" ? thrown.status : undefined;
}

/** `fetch` says nothing but that it failed; why is in what it was caused by. */
function rootOf(thrown: unknown): unknown {
  let root = thrown;
  while (root instanceof Error && root.cause !== undefined) root = root.cause;
  return root;
}

const LONGEST_REASON = 300;

function inOneLine(thrown: unknown): string {
  const line = messageOf(thrown).replace(/\s+/g, " ").trim().replace(/\.$/, "");
  return line.length > LONGEST_REASON ? `${line.slice(0, LONGEST_REASON)}…` : line;
}
