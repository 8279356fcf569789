import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { type Case, GOOD } from "../support/cases.ts";
import { makeFixture, project } from "../support/fixture.ts";
import { installed, MODULES } from "../support/installed.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const NODE = join(MODULES["node-22"], "node/bin/node");

const PATIENT = { timeout: 20_000, interval: 20 };

const missing = await installed("node-22");

describe.skipIf(missing)(`[Z3] the oldest Node${missing ? ` (${missing})` : ""}`, () => {
  const fixture = makeFixture({ limits: { importMs: 1000 } });
  for (const name of ["blocks-at-import.ts", "hangs-at-import.ts"]) rmSync(join(fixture.tools, name));
  writeFileSync(
    join(fixture.tools, "runtime.ts"),
    'export default { description: "Which.", execute: () => process.version };',
  );
  afterAll(fixture.remove);

  const run = ({ tool, input = {} }: Pick<Case, "tool" | "input">): { output: string } => {
    const args = [join(ROOT, "dist/cli.mjs"), "run", tool, "--input", JSON.stringify(input), "--json", "--trust"];
    const { stdout } = spawnSync(NODE, [...args, "--cwd", fixture.project], { env: fixture.env, encoding: "utf8" });
    return JSON.parse(stdout);
  };

  it("[X1] tells calls that wait behind another that their client is gone", async () => {
    const at = project({
      ".toolwright/tools/slow.js": `export default { description: "Waits.", execute: (args, { abort }) => new Promise((resolve) => {
        abort.addEventListener("abort", () => resolve("stopped"));
      }) };`,
    });
    const args = [join(ROOT, "dist/cli.mjs"), "serve", "--trust", "--port", "0", "--json"];
    const child = spawn(NODE, args, { cwd: at.project, env: at.env, stdio: ["ignore", "pipe", "ignore"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const { url, token } = JSON.parse(line.toString()) as { url: string; token: string };
    const authorization = `Bearer ${token}`;
    const running = async (): Promise<string | undefined> => {
      const metrics = await (await fetch(new URL("/metrics", url), { headers: { authorization } })).text();
      return /^toolwright_calls_running (\d+)$/m.exec(metrics)?.[1];
    };
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    const headers = `Host: 127.0.0.1\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\nContent-Length: 2`;
    socket.write(`POST /api/tools/slow/run HTTP/1.1\r\n${headers}\r\n\r\n{}`.repeat(5));
    await vi.waitFor(async () => expect(await running()).toBe("5"), PATIENT);
    socket.destroy();
    await vi.waitFor(async () => expect(await running()).toBe("0"), PATIENT);
    child.kill("SIGTERM");
    await once(child, "exit");
  });

  it("runs the tools too", () => {
    expect(run({ tool: "runtime" }).output).toBe("v22.18.0");
  });

  it.each([...GOOD])("$tool $input answers", ({ tool, input, says }) => {
    const { output } = run({ tool, ...(input ? { input } : {}) });
    expect(output).toEqual(says instanceof RegExp ? expect.stringMatching(says) : says);
  });
});
