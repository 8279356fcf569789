import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ALL_SYSTEMS, CHAT_TOOLS, QUIET_SETTINGS } from "../../support/terminal/chat-tools.ts";
import { chatProject, normalized } from "../../support/terminal/chat-world.ts";
import { missing, skipped } from "../../support/terminal/tmux.ts";

const project = () => chatProject({ files: CHAT_TOOLS, settings: QUIET_SETTINGS });

describe.skipIf(missing !== undefined)(`[U3] commands of the chat${skipped}`, () => {
  it("[U3] /context lists the tools of all systems with source, description and tokens, what is off and why, and problems", async () => {
    const { at, open } = chatProject({ files: ALL_SYSTEMS, settings: { tools: { disabled: ["off"] } } });
    const chat = await open({ columns: 120, rows: 60 });
    await chat.submit("/context");
    await chat.until("Problems");
    const [, report = ""] = normalized(await chat.settled(), at).split("/context\n");
    expect(report.replaceAll(/\b\d+ tokens?\b/g, "N tokens")).toMatchInlineSnapshot();
  });

  it("[U3] /tools lists the tools, and shows the arguments of one", async () => {
    const chat = await project().open({ rows: 60 });
    await chat.submit("/tools");
    await chat.until("To call one:");
    await chat.submit("/tools greet");
    await chat.until("The person to greet");
    expect(await chat.shown("/tools greet")).toMatchInlineSnapshot();
  });

  it("[U3] /reload says what changed", async () => {
    const { put, open } = project();
    const chat = await open();
    await chat.submit("!greet name=Ada");
    await chat.until("Hello, Ada!");
    put(".toolwright/tools/fresh.js", 'export default { description: "A new tool.", execute: () => "fresh" };\n');
    put(".toolwright/tools/wrong.js", "export default {");
    await chat.submit("/reload");
    await chat.until(/Added: fresh/);
    expect(await chat.screen()).toMatch(/New problems/);
    await chat.submit("!fresh");
    await chat.until(/fresh[\s\S]*fresh/);
  });

  it("[U3] /agent, /model and /mode change the status line", async () => {
    const chat = await project().open();
    await chat.submit("/agent");
    await chat.until("langchain");
    expect(await chat.shown("Agent")).toMatchInlineSnapshot();
    await chat.keys("Escape");
    await chat.submit("/agent dmo");
    await chat.until('There is no agent "dmo". Did you mean "demo"?');
    await chat.submit("/model gpt-tiny");
    await chat.until("demo · gpt-tiny · default");
    await chat.submit("/mode plan");
    await chat.until("demo · gpt-tiny · plan");
    await chat.keys("BTab");
    await chat.until((screen) => !screen.includes("· plan"));
    await chat.submit("/mode");
    await chat.until("asks nothing");
    await chat.keys("Escape");
    await chat.submit("/mode acceptedit");
    await chat.until('There is no mode "acceptedit". Did you mean "acceptEdits"?');
    await chat.submit("/model default");
    await chat.until((screen) => !/gpt-tiny ·/.test(screen));
  });

  it("[U3] /mode plan holds for the next call", async () => {
    const { at, open } = project();
    const chat = await open();
    await chat.submit("/mode plan");
    await chat.until("demo · plan");
    await chat.script('call mark {"text":"one"}', "say Over.");
    await chat.idle();
    expect(existsSync(join(at.project, "marks.txt"))).toBe(false);
    expect(await chat.screen()).toMatch(/plan/);
  });

  it("[U3] /permissions shows the rules and grants, and takes them back", async () => {
    const { at, open } = project();
    const chat = await open();
    await chat.script('call mark {"text":"one"}', "say Over.");
    await chat.until("Yes, for this session");
    await chat.keys("s");
    await chat.idle();
    await chat.submit("/permissions");
    await chat.until("To take one back");
    expect(await chat.shown("/permissions")).toMatchInlineSnapshot();
    await chat.submit("/permissions remove");
    await chat.until("granted for this session");
    await chat.keys("Enter");
    await chat.until("Taken back for this session");
    await chat.script('call mark {"text":"two"}');
    await chat.until("Yes, for this session");
    expect(readFileSync(join(at.project, "marks.txt"), "utf8")).toBe("one\n");
  });

  it("[U3] /export writes the session, and does not replace files", async () => {
    const { at, open } = project();
    const chat = await open();
    await chat.submit("/export out.md");
    await chat.until("This session has no events yet. Send a prompt first.");
    await chat.submit("say exported text");
    await chat.idle();
    await chat.submit("/export out.md");
    await chat.until(/Wrote \d+ events to out\.md/);
    expect(readFileSync(join(at.project, "out.md"), "utf8")).toContain("exported text");
    await chat.submit("/export out.md");
    await chat.until("To replace it");
    await chat.submit("/export jsonl");
    await chat.until(/Wrote \d+ events to session-/);
    const file = readdirSync(at.project).find((name) => name.endsWith(".jsonl")) ?? "";
    const lines = readFileSync(join(at.project, file), "utf8").trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).type)).toContain("message.complete");
  });

  it("[U3] /help lists every command and key", async () => {
    const chat = await project().open({ rows: 60 });
    await chat.submit("/help");
    await chat.until("suspends the program");
    expect(await chat.shown("Commands")).toMatchInlineSnapshot();
  });

  it("[U3] a command of a pi extension is listed, completed and run", async () => {
    const chat = await project().open();
    await chat.type("/sta");
    await chat.until("Shows a stamp");
    await chat.keys("Tab");
    await chat.type("twice");
    await chat.until("/stamp twice");
    await chat.keys("Enter");
    await chat.until("stamped twice");
  });

  it("[U3] /quit leaves, and says how to continue", async () => {
    const { at, open } = project();
    const chat = await open();
    await chat.submit("say something");
    await chat.idle();
    await chat.submit("/quit");
    expect(await chat.exited()).toEqual({ code: 0 });
    expect(normalized(await chat.screen(), at)).toContain("toolwright chat --resume ID");
  });
});
