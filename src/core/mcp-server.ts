/** How long a server may take to answer when its configuration says nothing of it. */
export const SERVER_TIMEOUT_MS = 10_000;

/** An MCP server that somebody has configured for an agent: how it is reached. Variables are filled in already. */
export type McpServer =
  | {
      readonly type: "stdio";
      readonly command: string;
      readonly args: readonly string[];
      /** Beside the environment that tools run in. */
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
