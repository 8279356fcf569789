import { describe, expect, it } from "vitest";
import { sandbox } from "../support/fixture.ts";
import { readyServe, startServer } from "../support/http-command.ts";
import { answering } from "../support/toolbox.ts";

const ok = async (url: string): Promise<number> => (await fetch(new URL("/healthz", url))).status;

describe("[U1] a server without a terminal goes on after SIGHUP, and SIGTERM ends it", () => {
  it("serve", async () => {
    const server = await readyServe(sandbox({ "good.ts": answering('"good"') }));
    for (let times = 0; times < 3; times += 1) server.child.kill("SIGHUP");
    expect(await ok(server.url)).toBe(200);
    server.child.kill("SIGTERM");
    expect((await server.ended).code).toBe(0);
  });

  it("mcp --http", async () => {
    const server = startServer(sandbox(), ["mcp", "--http", "0", "--json"]);
    const { url } = JSON.parse(await server.until("\n")) as { url: string };
    for (let times = 0; times < 3; times += 1) server.child.kill("SIGHUP");
    expect(await ok(url)).toBe(200);
    server.child.kill("SIGTERM");
    expect((await server.ended).code).toBe(0);
  });
});
