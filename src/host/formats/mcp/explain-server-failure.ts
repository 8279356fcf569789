import { messageOf } from "../../../core/error.ts";
import type { McpServer } from "../../../core/mcp-server.ts";
import type { Problem } from "../../../core/problem.ts";
import { ConnectFailure } from "./server-connection.ts";

/** Why a server cannot be used. The user who configured it reads this. */
export interface ServerProblem {
  readonly code: Extract<Problem["code"], "import_failed" | "import_timeout">;
  readonly message: string;
}

/** `config` is the file that configures the server. */
export function explainServerFailure(
  thrown: unknown,
  server: McpServer,
  config: string,
  timeoutMs: number,
): ServerProblem {
  const cause = thrown instanceof ConnectFailure ? thrown.cause : thrown;
  const output =
    thrown instanceof ConnectFailure && thrown.stderr.text !== "" ? ` Its last output:\n${thrown.stderr.text}` : "";
  if (codeOf(cause) === "REQUEST_TIMEOUT") return { code: "import_timeout", message: slow(server, timeoutMs) + output };
  const reason =
    server.type === "stdio" ? stdioReason(cause, server.command) : httpReason(cause, withoutSecrets(server.url));
  return { code: "import_failed", message: `${reason} Correct it in ${config}.${output}` };
}

function slow(server: McpServer, timeoutMs: number): string {
  const what =
    server.type === "stdio" ? `The MCP server (${server.command})` : `The MCP server at ${withoutSecrets(server.url)}`;
  return `${what} did not answer within ${timeoutMs / 1000} s. Run it in a terminal to see why. If it is only slow, set a larger "timeout" (in milliseconds) in its configuration.`;
}

function stdioReason(cause: unknown, command: string): string {
  if (codeOf(cause) === "ENOENT")
    return `The MCP server cannot be started: the command "${command}", or the folder to start it in, does not exist.`;
  if (codeOf(cause) === "EACCES") return `The MCP server cannot be started: "${command}" is not executable.`;
  if (codeOf(cause) === "CONNECTION_CLOSED")
    return `The MCP server (${command}) exited before it answered. Its command, arguments or environment may be wrong.`;
  return `The MCP server (${command}) cannot be used: ${inOneLine(cause)}.`;
}

function httpReason(cause: unknown, url: string): string {
  const at = `The MCP server at ${url}`;
  const status = statusOf(cause);
  if (status === 401 || status === 403)
    return `${at} requires authorization (HTTP ${status}). Add an Authorization header to its "headers".`;
  if (status === 404 || status === 405)
    return `${at} does not support Streamable HTTP at this URL (HTTP ${status}). The older HTTP+SSE transport is not supported. Many servers have a second URL that ends in /mcp.`;
  if (status !== undefined) return `${at} responded with HTTP ${status}.`;
  const root = rootOf(cause);
  if (/^(?:E[A-Z]+|UND_ERR_\w+)$/.test(String(codeOf(root))))
    return `${at} cannot be reached: ${inOneLine(root)}. Is it running?`;
  return `${at} cannot be used: ${inOneLine(cause)}.`;
}

/** Without the query and credentials, which may be secret. */
function withoutSecrets(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

function codeOf(thrown: unknown): unknown {
  return typeof thrown === "object" && thrown !== null && "code" in thrown ? thrown.code : undefined;
}

/** The HTTP status of an error response. */
export function statusOf(thrown: unknown): number | undefined {
  if (typeof thrown !== "object" || thrown === null || !("status" in thrown)) return undefined;
  return typeof thrown.status === "number" ? thrown.status : undefined;
}

/** The error of `fetch` has the reason in its causes. */
function rootOf(thrown: unknown): unknown {
  let root = thrown;
  while (root instanceof Error && root.cause !== undefined) root = root.cause;
  return root;
}

const MAX_REASON_LENGTH = 300;

function inOneLine(thrown: unknown): string {
  const line = messageOf(thrown).replace(/\s+/g, " ").trim().replace(/\.$/, "");
  return line.length > MAX_REASON_LENGTH ? `${line.slice(0, MAX_REASON_LENGTH)}…` : line;
}
