/** The ways to make a call: see `Caller`. */
export const CALLERS = ["page", "http", "cli", "chat", "mcp", "agent", "library"] as const;

/**
 * How a call was made: from the page of the server, by another client of its REST API, with `toolwright run`, by the user of the
 * chat, by an MCP client, by an agent of a session, or by a program that uses the library.
 */
export type Caller = (typeof CALLERS)[number];
