import { SESSION_URL_VARIABLE, TOOL_FILE_API } from "../../core/agent-extension.ts";
import type { PiApi } from "./pi-api.ts";
import { PiSession } from "./pi-session.ts";
import { type ServerCommand, ServerProcess } from "./server-process.ts";

/**
 * Serves the tools of an MCP server in pi: starts the server with each session, registers its tools, and ends it with the
 * session. `name` is the name of the server in pi's configuration. Never throws: a failure must not end pi. It does nothing in
 * a pi that runs a session of Toolwright, which has the tools already.
 */
export function serveInPi(pi: PiApi, name: string, server: ServerCommand): void {
  if (TOOL_FILE_API in pi || SESSION_URL_VARIABLE in process.env) return;
  const session = new PiSession(pi, name, (cwd, listener) => new ServerProcess(server, cwd, listener));
  pi.on("session_start", (_event, context) => session.start(context));
  pi.on("session_shutdown", () => session.end());
}
