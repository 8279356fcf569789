import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { StoredEvent } from "../../src/core/session-log.ts";
import { createToolbox } from "../../src/index.ts";
import { openSqliteStore } from "../../src/sessions/store/sqlite-store.ts";
import type { Toolbox } from "../../src/toolbox/toolbox.ts";
import { type CodeAgent, codeAgents, saying } from "../support/code-agent.ts";
import { sandbox } from "../support/fixture.ts";
import { eventually } from "../support/sessions-over-http/session-server.ts";
import { canMount, fillDisk, NO_MOUNT, smallDisk } from "../support/small-disk.ts";

const mountable = canMount();
const NOT_RECORDED = "The process that ran this session could not record the end of the turn.";

/** A toolbox on a small disk. Its agent fills the disk if the prompt is "fill". */
async function world() {
  const at = sandbox();
  const file = join(at.env.TOOLWRIGHT_HOME as string, "sessions.db");
  smallDisk(dirname(file), "4m");
  let free = (): void => {};
  const agent: CodeAgent = {
    async *turn({ prompt }) {
      if (prompt !== "fill") return yield* saying(`You said: ${prompt}`);
      free = fillDisk(dirname(file));
      // The write-ahead log may have some space left.
      for (;;) yield* saying("x".repeat(20_000));
    },
  };
  const toolbox = await createToolbox({
    cwd: at.project,
    env: at.env,
    trust: true,
    builtins: false,
    sessions: "disk",
    agents: codeAgents({ agent }),
  });
  const send = (prompt: string) => toolbox.sessions.send("s", prompt, { agent: "agent" }).result;
  return { at, file, toolbox, send, free: () => free() };
}

const typesAfter = (log: readonly StoredEvent[]): string[] =>
  log.map(({ type }) => type).filter((type) => type.startsWith("session.") || type === "message.user");

const logOf = async (toolbox: Toolbox): Promise<readonly StoredEvent[]> =>
  (await toolbox.sessions.store()).read("s", 0, 10_000);

/** The first prompt was interrupted before the log had an answer to it. */
const REPEATED = "You said: These messages were sent earlier, and may not have reached you:\n\nfill\nagain";

describe("[S3] a turn whose end cannot be recorded because the disk is full", () => {
  it("is marked as interrupted as soon as there is space, and the session can be used", async ({ skip }) => {
    skip(!mountable, NO_MOUNT);
    const { toolbox, send, free } = await world();
    expect(await send("hello")).toMatchObject({ ok: true });
    expect(await send("fill")).toMatchObject({ ok: false, error: { code: "store_full" } });
    free();
    const store = await toolbox.sessions.store();
    await eventually("it is interrupted", async () => (await store.get("s"))?.status === "interrupted", 10_000);
    expect((await logOf(toolbox)).at(-1)).toMatchObject({
      type: "session.interrupted",
      reason: NOT_RECORDED,
      calls: [],
      questions: [],
    });
    expect(await send("again")).toMatchObject({ ok: true, text: REPEATED });
    await toolbox.close();
  });

  it("is marked by the next turn", async ({ skip }) => {
    skip(!mountable, NO_MOUNT);
    const { toolbox, send, free } = await world();
    expect(await send("fill")).toMatchObject({ ok: false, error: { code: "store_full" } });
    free();
    expect(await send("again")).toMatchObject({ ok: true, text: REPEATED });
    expect(typesAfter(await logOf(toolbox))).toEqual([
      "session.start",
      "message.user",
      "session.interrupted",
      "message.user",
      "session.idle",
    ]);
    await toolbox.close();
  });

  it.for([true, false])("is marked when the process ends (with space: %s)", async (hasSpace, { skip }) => {
    skip(!mountable, NO_MOUNT);
    const { at, file, toolbox, send, free } = await world();
    expect(await send("fill")).toMatchObject({ ok: false, error: { code: "store_full" } });
    if (hasSpace) free();
    await toolbox.close();
    if (!hasSpace) free();
    const store = await openSqliteStore({ file, project: at.project });
    expect(await store.get("s")).toMatchObject({ status: hasSpace ? "interrupted" : "running" });
    await store.close();
  });
});
