import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { QUIET_SETTINGS } from "../../support/terminal/chat-tools.ts";
import { type Chat, chatProject, inputOf, statusOf } from "../../support/terminal/chat-world.ts";
import {
  forbiddenBytes,
  HOSTILE_DESCRIPTIONS,
  HOSTILE_NAMES,
  HOSTILE_ROWS,
  HOSTILE_TOOLS,
  type HostileRow,
} from "../../support/terminal/hostile-output.ts";
import type { TerminalModes } from "../../support/terminal/terminal.ts";
import { missing, skipped } from "../../support/terminal/tmux.ts";

const SIZE = { columns: 100, rows: 30 } as const;
const project = (files: Readonly<Record<string, string>> = HOSTILE_TOOLS) =>
  chatProject({ files, settings: QUIET_SETTINGS });

/** The state of a terminal that hostile text must not change. */
interface Intact {
  readonly modes: TerminalModes;
  readonly status: string;
}

async function stateOf(chat: Chat): Promise<Intact> {
  return { modes: await chat.modes(), status: agentAndMode(await chat.screen()) };
}

/** The status without the title of the session and without texts of tools. */
function agentAndMode(screen: string): string {
  return statusOf(screen).split(" · ").slice(0, 2).join(" · ");
}

/** Nothing but text has reached the terminal: its state is unchanged, and the input and the status are where they belong. */
async function expectIntact(chat: Chat, before: Intact, row?: HostileRow): Promise<void> {
  const forbidden = row && forbiddenBytes(row);
  if (forbidden) expect(chat.written().includes(forbidden), "the sequence reached the terminal").toBe(false);
  expect(await chat.clipboard()).toBe("");
  const marker = `marker${Math.floor(Math.random() * 1e6)}`;
  await chat.type(marker);
  const screen = await chat.until((each) => inputOf(each) === marker);
  expect(await chat.modes()).toEqual(before.modes);
  const lines = screen.split("\n");
  expect(lines.length).toBeLessThanOrEqual(SIZE.rows);
  // The input is one line between two rules of full width, and the status is below it.
  const at = lines.findLastIndex((line) => line.includes(marker));
  expect([lines[at - 1], lines[at + 1]]).toEqual(["─".repeat(SIZE.columns), "─".repeat(SIZE.columns)]);
  expect(lines.slice(at + 2).some((line) => line.startsWith(before.status))).toBe(true);
  expect(lines.slice(0, at - 1).join("\n")).not.toContain(marker);
  await chat.keys("C-u");
  await chat.until((each) => inputOf(each) === "");
}

describe.skipIf(missing !== undefined)(`[X1] hostile text in the chat${skipped}`, () => {
  it.each(["output", "progress", "error"])("[X1] through the %s of a tool", async (channel) => {
    const chat = await project().open(SIZE);
    const before = await stateOf(chat);
    for (const [index, row] of HOSTILE_ROWS.entries()) {
      await chat.script(`call hostile ${JSON.stringify({ row: index, channel })}`, `say done ${index} ${channel}`);
      await chat.until(new RegExp(`\\n ?done ${index} ${channel}`));
      await chat.idle();
      await expectIntact(chat, before, row);
    }
    await chat.keys("C-o");
    await chat.settled();
    await expectIntact(chat, before);
  });

  it("[X1] through renderers, notices, statuses and widgets of a tool", async () => {
    const chat = await project().open(SIZE);
    const before = await stateOf(chat);
    for (const [index, row] of HOSTILE_ROWS.entries()) {
      await chat.script(`call hostile_renderer ${JSON.stringify({ row: index })}`, `say done ${index} rendered`);
      await chat.until(new RegExp(`\\n ?done ${index} rendered`));
      await chat.idle();
      await expectIntact(chat, before, row);
    }
  });

  it("[X1] through dialogs of a tool", async () => {
    const chat = await project().open(SIZE);
    const before = await stateOf(chat);
    for (const [index, row] of HOSTILE_ROWS.entries()) {
      await chat.script(`call hostile_dialog ${JSON.stringify({ row: index })}`, `say done ${index} asked`);
      for (const title of ["SELECT", "CONFIRM", "INPUT", "EDITOR"]) {
        await chat.until(new RegExp(`${title} ${index}(?!\\d)`));
        await chat.keys("Escape");
      }
      await chat.until(new RegExp(`\\n ?done ${index} asked`));
      await chat.idle();
      await expectIntact(chat, before, row);
    }
  });

  it("[X1] through bytes of a shell tool that are not UTF-8", async () => {
    const chat = await project().open(SIZE);
    const before = await stateOf(chat);
    await chat.script("call invalid_bytes", "say done bytes");
    await chat.until("Yes, once");
    await chat.answer("y");
    await chat.until(/\n ?done bytes/);
    await chat.idle();
    expect(await chat.screen()).toMatch(/BYTES[\s\S]*END/);
    await expectIntact(chat, before);
  });

  it("[X1] through prompts and text of the model, live", async () => {
    const { open, serve } = project();
    const client = await serve();
    const { id } = await client.sessions.create({ agent: "demo", prompt: "say begin" });
    const chat = await open({ ...SIZE, args: ["--resume", id] });
    await chat.idle();
    const before = await stateOf(chat);
    for (const [index, row] of HOSTILE_ROWS.entries()) {
      const text = row.text.slice(0, 200_000).replaceAll("\n", " ");
      await client.sessions.send(id, `say ${text}\nsay done ${index} said`);
      await chat.until(new RegExp(`\\n ?done ${index} said`));
      await chat.idle();
      await expectIntact(chat, before, row);
    }
    const again = await open({ ...SIZE, args: ["--resume", id] });
    await again.idle();
    await expectIntact(again, before);
  });

  it("[X1] through titles of sessions", async () => {
    const { open, serve } = project();
    const client = await serve();
    for (const [index, { text }] of HOSTILE_ROWS.entries())
      await client.sessions.create({ agent: "demo", prompt: `say title ${index} ${text.slice(0, 1_000)}` });
    const chat = await open(SIZE);
    const before = await stateOf(chat);
    await chat.submit("/sessions");
    await chat.until("title");
    for (let page = 0; page < HOSTILE_ROWS.length; page += 4) await chat.keys("Down", "Down", "Down", "Down");
    await chat.keys("Escape");
    await chat.idle();
    await expectIntact(chat, before);
    for (const row of HOSTILE_ROWS) {
      const forbidden = forbiddenBytes(row);
      if (forbidden) expect(chat.written().includes(forbidden), row.name).toBe(false);
    }
    const [{ id } = { id: "" }] = (await client.sessions.list()).sessions;
    const joined = await open({ ...SIZE, args: ["--resume", id] });
    await joined.idle();
    await expectIntact(joined, before);
  });

  it("[X1] through descriptions of tools, in /context, /tools and completions", async () => {
    const chat = await project(HOSTILE_DESCRIPTIONS).open(SIZE);
    const before = await stateOf(chat);
    for (const command of ["/context", "/tools", "/tools row4"]) {
      await chat.submit(command);
      await chat.settled(500);
      await expectIntact(chat, before);
    }
    await chat.type("!row");
    await chat.until("row1");
    await chat.keys("Down", "Down", "Down", "Escape", "C-u");
    await chat.idle();
    await expectIntact(chat, before);
    for (const row of HOSTILE_ROWS) {
      const forbidden = forbiddenBytes(row);
      if (forbidden) expect(chat.written().includes(forbidden), row.name).toBe(false);
    }
  });

  it("[X1] through names of files, in the completion after @", async () => {
    const { at, open } = project();
    for (const name of HOSTILE_NAMES) writeFileSync(join(at.project, name), "");
    writeFileSync(
      Buffer.concat([Buffer.from(join(at.project, "hostile-bytes-")), Buffer.from([0xff, 0x9b, 0x32, 0x4a])]),
      "",
    );
    const chat = await open(SIZE);
    const before = await stateOf(chat);
    for (let row = 0; row < HOSTILE_ROWS.length; row++) {
      await chat.type(`@hostile-${row}-`);
      await chat.until(/hostile-\d+-/);
      await chat.settled(150);
      await chat.keys("Tab");
      await chat.settled(100);
      await chat.keys("C-u", "Escape", "C-u");
      await chat.until((screen) => inputOf(screen) === "");
    }
    await expectIntact(chat, before);
    for (const row of HOSTILE_ROWS) {
      const forbidden = forbiddenBytes(row);
      if (forbidden) expect(chat.written().includes(forbidden), row.name).toBe(false);
    }
  });

  it("[X1] through pasted text", async () => {
    const chat = await project().open(SIZE);
    const before = await stateOf(chat);
    for (const row of HOSTILE_ROWS) {
      if (row.text.length > 100_000) continue;
      // tmux passes the text on as it is: the end of the paste in the text ends it early, as in any terminal.
      await chat.paste(`pasted ${row.text.replaceAll("\x1b[201~", "").replaceAll(/[\r\n]/g, " ")} end`);
      await chat.until((screen) => (inputOf(screen) ?? "") !== "");
      await chat.settled(100);
      await chat.keys("C-u");
      await chat.until((screen) => inputOf(screen) === "");
      const forbidden = forbiddenBytes(row);
      // Marks for the direction of writing stay in what the user edits: they belong to the prompt.
      if (forbidden && !row.text.includes("\u202e")) expect(chat.written().includes(forbidden), row.name).toBe(false);
    }
    await expectIntact(chat, before);
  });
});
