import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf } from "../../core/error.ts";
import { outputOf } from "../../core/result.ts";
import type { Environment } from "../../settings/defaults.ts";

/** Whether a host process works, and how long it took. */
type Ping = { readonly ok: true; readonly ms: number } | { readonly ok: false; readonly reason: string };

const SOURCE = 'export default { description: "Answers", execute: () => "pong" };\n';

/** Starts a host, loads a tool of one line in a temporary folder, and calls it. Never rejects. */
export async function pingHost(env: Environment): Promise<Ping> {
  const startedAt = performance.now();
  let folder: string | undefined;
  try {
    folder = mkdtempSync(join(tmpdir(), "toolwright-doctor-"));
    const answer = await callIn(folder, env);
    if (answer !== "pong") return { ok: false, reason: answer };
    return { ok: true, ms: Math.round(performance.now() - startedAt) };
  } catch (error) {
    return { ok: false, reason: messageOf(error) };
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** With a temporary home, so that the user's tools and rules have no effect. */
async function callIn(folder: string, env: Environment): Promise<string> {
  writeFileSync(join(folder, "ping.mjs"), SOURCE);
  const { openToolbox } = await import("../../toolbox/open-toolbox.ts");
  const homes = { HOME: folder, USERPROFILE: folder, TOOLWRIGHT_HOME: join(folder, "home"), XDG_CACHE_HOME: undefined };
  const hermetic = { ...env, ...homes, TOOLWRIGHT_CACHE: undefined, OPENCODE_CONFIG_DIR: undefined };
  const toolbox = await openToolbox({
    cwd: folder,
    env: hermetic,
    trust: true,
    toolsPaths: [join(folder, "ping.mjs")],
  });
  try {
    const problem = toolbox.problems()[0]?.message;
    return problem ?? outputOf(await toolbox.call({ name: "ping", caller: "cli", timeoutMs: 10_000 }).result);
  } finally {
    await toolbox.close();
  }
}
