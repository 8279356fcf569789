import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { isRunning } from "../../../../test/support/processes.ts";
import { temporary } from "../../../../test/support/temporary.ts";
import { ReconnectingServer } from "./reconnecting-server.ts";

const STDIO = fileURLToPath(new URL("../../../../test/fixture/mcp/stdio.mjs", import.meta.url));

/** A link to the fixture server, and the ids of the processes it has started so far. */
function linkTo(kind: string, idleMs?: number): { link: ReconnectingServer; started: () => number[] } {
  const starts = join(temporary(), "starts");
  const link = new ReconnectingServer(
    { type: "stdio", command: process.execPath, args: [STDIO, kind], env: { STARTS: starts } },
    { cwd: process.cwd(), timeoutMs: 10_000, onLine: () => {}, onListChanged: () => {} },
    idleMs,
  );
  onTestFinished(() => link.close());
  return { link, started: () => readFileSync(starts, "utf8").trim().split("\n").map(Number) };
}

const ping = (link: ReconnectingServer): Promise<unknown> => link.use(({ client }) => client.ping());

describe("ReconnectingServer", () => {
  it("[D8] shares one connection among concurrent uses", async () => {
    const { link, started } = linkTo("good");
    await Promise.all([ping(link), ping(link), ping(link)]);
    expect(started()).toHaveLength(1);
  });

  it("[D8] closes an idle connection, and connects again on the next use", async () => {
    const { link, started } = linkTo("good", 50);
    await ping(link);
    await expect.poll(() => started().some(isRunning)).toBe(false);
    await ping(link);
    expect(started()).toHaveLength(2);
  });

  it("[D8] does not close a connection in use", async () => {
    const { link, started } = linkTo("good", 10);
    await link.use(async ({ client }) => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      await client.ping();
    });
    expect(started()).toHaveLength(1);
  });

  it("[D8] after drop, current uses finish and new ones get a new connection", async () => {
    const { link, started } = linkTo("good");
    await link.use(async ({ client }) => {
      link.drop();
      await ping(link);
      await client.ping();
    });
    const [first = 0, second = 0] = started();
    await expect.poll(() => isRunning(first)).toBe(false);
    expect(isRunning(second)).toBe(true);
  });

  it("[D8] tries again after a failed connection", async () => {
    const { link, started } = linkTo("dies-at-start");
    await expect(ping(link)).rejects.toThrow("The MCP server does not answer");
    await expect(ping(link)).rejects.toThrow("The MCP server does not answer");
    expect(started()).toHaveLength(2);
  });
});
