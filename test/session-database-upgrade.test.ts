import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, it } from "vitest";
import { createToolbox } from "../src/index.ts";
import { ownIdentity } from "../src/platform/processes/process-identity.ts";
import { openSqlite } from "../src/sessions/store/sqlite-driver.ts";
import { sessionsFile } from "../src/toolbox/open-session-store.ts";
import { sandbox } from "./support/fixture.ts";

/** Written by the first version with this schema, and killed. Regenerate it only with that version. */
const WRITTEN = readFileSync(new URL("support/databases/sessions-0.1.0.sql", import.meta.url), "utf8");

it("[S3] a database of sessions of an earlier version opens: what ran is ended, what was stuck goes on, limits are kept", async () => {
  const at = sandbox();
  const file = sessionsFile(at.env.TOOLWRIGHT_HOME as string);
  mkdirSync(dirname(file), { recursive: true });
  const database = openSqlite(file);
  database.exec(WRITTEN);
  database.exec("PRAGMA journal_mode = WAL");
  database.prepare("UPDATE projects SET root = ?").run(at.project);
  database.prepare("UPDATE sessions SET info = replace(info, '\"/project\"', ?)").run(JSON.stringify(at.project));
  database.prepare("UPDATE sessions SET updated = ?").run(Date.now() - 3_600_000);
  // The process that wrote it has ended, and it was a process of this machine.
  const gone = spawnSync("true").pid;
  database.prepare("UPDATE processes SET machine = ?, pid = ?").run(ownIdentity().machine, gone);
  database.close();

  const options = { cwd: at.project, env: at.env, onlyGiven: true, sessions: "disk" } as const;
  const toolbox = await createToolbox(options);
  const store = await toolbox.sessions.store();
  const { sessions } = await store.list();
  const found = Object.fromEntries(
    sessions.map(({ id, status, turn, position, openCalls, openQuestions }) => [
      id,
      [status, turn, position, openCalls.length + openQuestions.length],
    ]),
  );
  expect(found).toEqual({
    complete: ["idle", "idle", 13, 0],
    branch: ["interrupted", "interrupted", 9, 0],
    waiting: ["idle", "idle", 7, 0],
    "open-call": ["interrupted", "interrupted", 5, 0],
    "sub-agent": ["idle", "idle", 3, 0],
    turn: ["interrupted", "interrupted", 5, 0],
    call: ["interrupted", "interrupted", 3, 0],
  });
  expect(await store.read("turn", 4, 10)).toMatchObject([
    {
      type: "session.interrupted",
      calls: ["c1"],
      questions: ["q3"],
      reason: "The process that ran this session ended.",
    },
  ]);
  expect(await store.read("complete", 1, 2)).toMatchObject([
    { type: "state.set", key: "mode", value: "bypass" },
    { type: "message.user", content: [{ text: "Say hello 😀" }] },
  ]);
  expect((await store.list({ search: "MPLET" })).sessions.map(({ id }) => id)).toContain("complete");
  // Answers for a session are not those of its branch, and a sub-agent without limits may only read.
  expect(await toolbox.sessions.choices("complete")).toMatchObject({ mode: "bypass", grants: [{ tool: "hello" }] });
  expect(await toolbox.sessions.choices("branch")).toMatchObject({ grants: [] });
  expect(await toolbox.sessions.choices("sub-agent")).toMatchObject({ mode: "plan" });
  // Each of them can be used and removed.
  for (const info of sessions) {
    const { id } = info;
    expect(await store.snapshot?.(id)).toBeUndefined();
    await store.storeSnapshot?.(info, { fold: 1, position: 1, kept: [1] });
    expect(await store.snapshot?.(id)).toEqual({ fold: 1, position: 1, kept: [1] });
    const claim = await store.claim(id, "turn", [{ type: "message.user", messageID: "m", content: [] }]);
    await store.append(id, [{ type: "session.idle" }], { epoch: claim.epoch as number });
    await claim.release();
    expect(await store.get(id)).toMatchObject({ status: "idle" });
    await store.remove(id);
  }
  await toolbox.close();
});
