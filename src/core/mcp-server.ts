/** The default time limit for connecting and listing tools. */
export const SERVER_TIMEOUT_MS = 10_000;

/** A configured MCP server. Variables in its configuration are already replaced. */
export type McpServer =
  | {
      readonly type: "stdio";
      readonly command: string;
      readonly args: readonly string[];
      /** In addition to the environment of tools. */
      readonly env: Readonly<Record<string, string>>;
      readonly cwd?: string;
      readonly timeoutMs?: number;
    }
  | {
      readonly type: "http";
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly timeoutMs?: number;
    };
