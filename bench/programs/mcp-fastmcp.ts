/** A server with one tool, written with fastmcp, which is installed in e2e/bench. Started by the MCP cases. */
import { connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
// @ts-expect-error: not installed before the first run.
import { FastMCP } from "fastmcp";
import { z } from "zod";

const server = new FastMCP({ name: "fastmcp", version: "1.0.0" });
server.addTool({
  name: "hello",
  description: "Says hello",
  parameters: z.object({ name: z.string() }),
  execute: async ({ name }: { name: string }) => `Hello, ${name}`,
});

if (process.argv[2] === "http") {
  const port = await freePort();
  await server.start({ transportType: "httpStream", httpStream: { port, host: "127.0.0.1" } });
  await listening(port);
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}/mcp` })}\n`);
} else await server.start({ transportType: "stdio" });

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" ? (address?.port ?? 0) : 0));
    });
  });
}

async function listening(port: number): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const isUp = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
      socket.once("connect", () => socket.destroy());
    });
    if (isUp) return;
    await sleep(50);
  }
}
