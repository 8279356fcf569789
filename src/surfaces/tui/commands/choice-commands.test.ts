import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SelectItem } from "@earendil-works/pi-tui";
import { describe, expect, it } from "vitest";
import { project, type Sandbox } from "../../../../test/support/fixture.ts";
import { RecordedChat } from "../../../../test/support/recorded-chat.ts";
import { open } from "../../../../test/support/toolbox.ts";
import { runLine } from "./run-line.ts";

const AGENTS = [
  { name: "codex", isReady: false, builtins: false, install: "npm install -g codex" },
  { name: "claude", isReady: true, builtins: false },
  { name: "demo", isReady: true, builtins: false },
];

const choose = (value: string) => (items: readonly SelectItem[]) => items.find((item) => item.value === value);

describe("/agent, /model and /mode", () => {
  it("[U2] /agent chooses an agent that is installed", async () => {
    const { toolbox } = await open();
    const chat = new RecordedChat(toolbox, { agents: AGENTS, pick: choose("demo"), state: { model: "opus" } });
    await runLine("/agent", chat);
    expect(chat.taken().split("\n")).toEqual([
      "pick Agent",
      "  claude | current",
      "  demo",
      "  codex | not installed: npm install -g codex",
      "agent demo",
      "model undefined",
      "info: Agent: demo. It chooses the model; to choose one: /model NAME",
    ]);
    await runLine("/agent codex", chat);
    expect(chat.taken()).toBe('error: The agent "codex" is not installed. To install it, run: npm install -g codex');
    await runLine("/agent claud", chat);
    expect(chat.taken()).toBe('error: There is no agent "claud". Did you mean "claude"?');
  });

  it("[U2] /model offers the models of earlier sessions, and takes any name", async () => {
    const { toolbox } = await open();
    await toolbox.sessions.open("old", { agent: "claude", model: "sonnet" });
    await toolbox.sessions.open("other", { agent: "demo", model: "none" });
    const chat = new RecordedChat(toolbox, { state: { model: "opus" }, pick: choose("default") });
    await runLine("/model", chat);
    expect(chat.taken().split("\n")).toEqual([
      "pick Model (another one: /model NAME)",
      "  default | the choice of the agent",
      "  opus | current",
      "  sonnet | used before",
      "model undefined",
      "info: Model: the choice of claude.",
    ]);
    await runLine("/model haiku", chat);
    expect(chat.taken()).toBe("model haiku\ninfo: Model: haiku.");
    const begun = new RecordedChat(toolbox, { state: { model: "opus" } });
    begun.setModel = () => {};
    await runLine("/model default", begun);
    expect(begun.taken()).toBe(
      "warning: Model: opus, with which this session began. For the choice of claude: /new, then /model default",
    );
  });

  it("[U2] /mode warns of bypass, and says if the project is stricter", async () => {
    const at = project({ ".toolwright/settings.json": JSON.stringify({ mode: "plan" }) });
    const { toolbox } = await open();
    const chat = new RecordedChat(toolbox);
    await runLine("/mode acceptEdits", chat);
    expect(chat.taken()).toBe(
      "mode acceptEdits\ninfo: Mode: acceptEdits: like default, but writes in the project are allowed.",
    );
    await runLine("/mode bypass", chat);
    expect(chat.taken()).toBe(
      "mode bypass\nwarning: Mode: bypass. Calls run without a question, unless a rule denies them. To go back: /mode default",
    );
    await runLine("/mode byepass", chat);
    expect(chat.taken()).toBe('error: There is no mode "byepass". Did you mean "bypass"?');
    await runLine("/mode", chat);
    expect(chat.taken().split("\n")).toEqual([
      "pick Permission mode",
      "  default | asks before calls that no rule covers",
      "  acceptEdits | like default, but writes in the project are allowed",
      "  plan | only reading; everything else is refused",
      "  bypass | current: asks nothing: every call runs unless a rule denies it",
    ]);
    const strict = new RecordedChat((await open(at)).toolbox);
    await runLine("/mode bypass", strict);
    expect(strict.taken()).toBe(
      "mode bypass\nwarning: Mode: bypass. The settings of the project are stricter, so plan applies.",
    );
  });
});

describe("/permissions", () => {
  const write = ({ env }: Sandbox, value: object): string => {
    const file = join(env.TOOLWRIGHT_HOME as string, "settings.json");
    mkdirSync(env.TOOLWRIGHT_HOME as string, { recursive: true });
    writeFileSync(file, JSON.stringify(value, null, 2));
    return file;
  };

  it("[P5] shows the rules with their places, and takes one back", async () => {
    const at = project({
      ".toolwright/settings.json": JSON.stringify({ permissions: [{ tool: "bash", action: "deny" }] }),
    });
    const file = write(at, { permissions: [{ tool: "read", action: "allow" }] });
    const { toolbox } = await open(at);
    const info = await toolbox.sessions.open("here");
    const grant = { tool: "edit", match: "a.ts", action: "allow" } as const;
    await (await toolbox.sessions.store()).append("here", [
      { type: "state.set", of: "session", key: "grants", value: [grant] },
    ]);
    let wanted = "0";
    const chat = new RecordedChat(toolbox, { state: { info }, pick: (items) => items[Number(wanted)] });
    await runLine("/permissions", chat);
    expect(chat.taken().replaceAll(at.root, "ROOT").split("\n")).toEqual([
      "Mode: **default**. To change it: `/mode`",
      "",
      "**Granted for this session**",
      "",
      '- `{"tool":"edit","match":"a.ts","action":"allow"}`',
      "",
      "**Your rules (the last one that matches decides)**",
      "",
      '- `{"tool":"read","action":"allow"}` `ROOT/home/.toolwright/settings.json:3`',
      "",
      "**The rules of the project (they can only restrict yours)**",
      "",
      '- `{"tool":"bash","action":"deny"}` `.toolwright/settings.json:1`',
      "",
      "To take one back: `/permissions remove`",
    ]);
    await runLine("/permissions remove", chat);
    expect(chat.taken().replaceAll(at.root, "ROOT").split("\n")).toEqual([
      "pick Take back",
      '  {"tool":"edit","match":"a.ts","action":"allow"} | granted for this session',
      '  {"tool":"read","action":"allow"} | ROOT/home/.toolwright/settings.json:3',
      'info: Taken back for this session: {"tool":"edit","match":"a.ts","action":"allow"}',
    ]);
    wanted = "0";
    await runLine("/permissions remove", chat);
    expect(chat.taken()).toContain('info: Removed from your settings: {"tool":"read","action":"allow"}');
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ permissions: [] });
    expect((await toolbox.sessions.choices("here")).grants).toEqual([]);
    await runLine("/permissions remove", chat);
    expect(chat.taken()).toBe("info: You have granted nothing for this session, and your settings have no rules.");
    await runLine("/permissions explain", chat);
    expect(chat.taken()).toBe(
      'error: "explain" is unknown. To see the rules: /permissions. To take one back: /permissions remove',
    );
  });

  it("[P5] says that the mode decides if there are no rules", async () => {
    const chat = new RecordedChat((await open()).toolbox);
    await runLine("/permissions", chat);
    expect(chat.taken()).toBe("Mode: **default**. To change it: `/mode`\n\nNo rules: the mode decides.");
  });
});
