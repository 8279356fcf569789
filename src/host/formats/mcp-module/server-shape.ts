import { isObject } from "../../../platform/values/is-object.ts";

/** A server of the MCP SDK, of any version: `McpServer` or `Server`. */
export interface Connectable {
  connect(transport: unknown): Promise<void>;
}

/** A server of `fastmcp`, which connects only to transports of its own. */
export interface Startable {
  start(options: object): Promise<void>;
}

/** Whether a value is an MCP server: of the SDK, of `fastmcp`, or an object that has one of these as `server`. */
export function isMcpServer(value: unknown): value is object {
  return connectableIn(value) !== undefined || isStartable(value);
}

function isConnectable(value: unknown): value is Connectable & Record<string, unknown> {
  if (!isObject(value) || typeof value.connect !== "function") return false;
  const { server, setRequestHandler, registerTool } = value;
  if ([setRequestHandler, registerTool].some((each) => typeof each === "function")) return true;
  return isObject(server) && typeof server.setRequestHandler === "function";
}

/** The server that can be connected: the value, or its member `server`. */
export function connectableIn(value: unknown): (Connectable & Record<string, unknown>) | undefined {
  if (isConnectable(value)) return value;
  return isObject(value) && isConnectable(value.server) ? value.server : undefined;
}

function isStartable(value: unknown): value is Startable {
  return isObject(value) && typeof value.addTool === "function" && typeof value.start === "function";
}
