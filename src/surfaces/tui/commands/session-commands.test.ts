import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { RecordedChat } from "../../../../test/support/recorded-chat.ts";
import { open } from "../../../../test/support/toolbox.ts";
import { runLine } from "./run-line.ts";
import { timeAgo } from "./session-commands.ts";

describe("/sessions and /resume", () => {
  it("[U2] list the sessions and open one, by the beginning of its id too", async () => {
    const { toolbox, at } = await open();
    const below = join(at.project, "below");
    mkdirSync(below);
    await toolbox.sessions.open("aaa-1", { agent: "claude", title: "Fix\u001b[2J the tests" });
    await toolbox.sessions.open("aab-2", { agent: "demo", directory: below });
    await toolbox.sessions.open("task", { title: "Sub", parent: { sessionID: "aaa-1", callID: "c" } });
    const chat = new RecordedChat(toolbox, { state: { sessionID: "aaa-1" }, pick: (items) => items.at(-1) });
    await runLine("/sessions", chat);
    const listed = chat.taken().replaceAll(at.root, "ROOT").split("\n");
    expect(listed.filter((line) => !line.startsWith("open")).toSorted()).toEqual([
      "  Fix\\x1b[2J the tests | this session · idle · just now · claude",
      "  Sub | idle · just now · task of a sub-agent",
      "  aab-2 | idle · just now · demo · ROOT/project/below",
      "pick Session",
    ]);
    await runLine("/resume", chat);
    expect(chat.taken().replaceAll(at.root, "ROOT").split("\n")).toEqual([
      "pick Session",
      "  Fix\\x1b[2J the tests | this session · idle · just now · claude",
      "  aab-2 | idle · just now · demo · ROOT/project/below",
      "open aab-2",
    ]);
    await runLine("/resume task", chat);
    await runLine("/resume aab", chat);
    await runLine("/resume aa", chat);
    await runLine("/resume aac-1", chat);
    expect(chat.taken().split("\n")).toEqual([
      "open task",
      "open aab-2",
      'error: 2 sessions begin with "aa". To choose one: /resume',
      'error: There is no session "aac-1" in this project. Did you mean "aaa-1"?',
    ]);
  });

  it("[U2] say that there are no sessions", async () => {
    const chat = new RecordedChat((await open()).toolbox);
    await runLine("/resume", chat);
    expect(chat.taken()).toBe("info: This project has no sessions yet. The first prompt begins one.");
  });

  it.each([
    [59_999, "just now"],
    [60_000, "1 min ago"],
    [7_200_000, "2 h ago"],
    [86_400_000, "1 day ago"],
    [1_000_000_000, "11 days ago"],
  ])("[U2] show that something was %d ms ago as %s", (ms, text) => {
    expect(timeAgo(ms)).toBe(text);
  });
});

describe("/export", () => {
  it("[U2] writes the session to a new file, and replaces a file only if told to", async () => {
    const { toolbox, at } = await open();
    const chat = new RecordedChat(toolbox);
    await runLine("/export", chat);
    expect(chat.taken()).toBe("error: This session has no events yet. Send a prompt first.");
    await toolbox.sessions.open("here", { title: "Tests" });
    const events = await (await toolbox.sessions.store()).append("here", [
      { type: "message.user", messageID: "m", content: [{ type: "text", text: "Hello" }] },
    ]);
    expect(events).toBe(2);
    await runLine("/export", chat);
    await runLine("/export", chat);
    await runLine("/export jsonl", chat);
    await runLine("/export notes.md", chat);
    await runLine("/export markdown notes.md", chat);
    await runLine("/export jsonl !notes.md", chat);
    await runLine("/export log.jsonl", chat);
    await runLine("/export missing/notes.md", chat);
    expect(chat.taken().replaceAll(at.project, "PROJECT").split("\n")).toEqual([
      "info: Wrote 2 events to session-here.md",
      "info: Wrote 2 events to session-here-2.md",
      "info: Wrote 2 events to session-here.jsonl",
      "info: Wrote 2 events to notes.md",
      "error: PROJECT/notes.md exists. To replace it: /export markdown !notes.md",
      "info: Wrote 2 events to notes.md",
      "info: Wrote 2 events to log.jsonl",
      "error: The folder PROJECT/missing does not exist. Create it first.",
    ]);
    expect(readFileSync(join(at.project, "session-here.md"), "utf8")).toMatch(/^# Tests\n.*Hello/s);
    expect(readFileSync(join(at.project, "notes.md"), "utf8").split("\n")).toHaveLength(3);
    expect(statSync(join(at.project, "notes.md")).mode & 0o777).toBe(0o600);
    writeFileSync(join(at.root, "outside.md"), "");
    await runLine("/export ../outside.md", chat);
    expect(chat.taken()).toBe(`error: ${at.root}/outside.md exists. To replace it: /export markdown !../outside.md`);
    expect(readdirSync(at.project).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });
});
