import { describe, expect, it } from "vitest";
import { project } from "../../../../test/support/fixture.ts";
import { RecordedChat } from "../../../../test/support/recorded-chat.ts";
import { open } from "../../../../test/support/toolbox.ts";
import { allCommands } from "./all-commands.ts";
import { runLine } from "./run-line.ts";

const TOOLS = [
  {
    name: "greet",
    description: "Greets a person.",
    parameters: {
      type: "object",
      properties: { name: { type: "string", description: "Who." }, loud: { type: "boolean", default: false } },
      required: ["name"],
    },
    handler: () => "hi",
  },
];

const OWN_COMMANDS = [
  ...["context", "tools", "reload", "agent", "model", "mode", "permissions", "sessions", "resume", "new"],
  ...["export", "expand", "help", "quit"],
];

describe("a line that is typed in the chat", () => {
  it("[U3] is a command, a call of a tool, or a prompt", async () => {
    const { toolbox } = await open({}, { tools: TOOLS });
    const chat = new RecordedChat(toolbox);
    const run = async (text: string): Promise<string> => `${await runLine(text, chat)}: ${chat.taken()}`;
    expect(await run("Hello")).toBe('sent: send "Hello"');
    expect(await run("Look at @src/a.ts and\n/this")).toBe('sent: send "Look at @src/a.ts and\\n/this"');
    expect(await run("//help me")).toBe('sent: send "/help me"');
    expect(await run("!!important")).toBe('sent: send "!important"');
    expect(await run("/etc/hosts is wrong")).toBe('sent: send "/etc/hosts is wrong"');
    expect(await run(" /quit")).toBe('sent: send " /quit"');
    expect(await run("/quit")).toBe("handled: quit");
    expect(await run("/expand ")).toBe("handled: expand");
    expect(await run("/new")).toBe("handled: new session");
    expect(await run(" \n")).toBe("handled: ");
    expect(await run('!greet name="a b" loud')).toBe('handled: call greet {"name":"a b","loud":true}');
    expect(await run("!gret name=x")).toBe('handled: error: There is no tool "gret". Did you mean "greet"?');
    expect(await run("/")).toBe("handled: error: Name a command, as in: /help");
    expect(await run("/contxt now")).toBe(
      'handled: error: There is no command /contxt. Did you mean "/context"? To send it as a prompt, type a second slash: //contxt',
    );
    expect(await run("/xyzzy")).toBe(
      "handled: error: There is no command /xyzzy. /help lists the commands. To send it as a prompt, type a second slash: //xyzzy",
    );
  });

  it("[U3] /help lists every command, what can be typed, and the keys", async () => {
    const { toolbox } = await open({}, { tools: TOOLS });
    const chat = new RecordedChat(toolbox);
    await runLine("/help", chat);
    const text = chat.taken();
    for (const { name } of allCommands(chat)) expect(text).toContain(`\n- \`/${name}`);
    expect(allCommands(chat).map(({ name }) => name)).toEqual(OWN_COMMANDS);
    expect(text).toContain("- `/mode [MODE]` Chooses what happens to calls that no permission rule covers.");
    expect(text).toContain(
      "- `@path` names a file: Tab completes it. The agent gets the path and reads the file itself.",
    );
    expect(text).toContain("- **Esc** stops the turn; closes a list.");
  });

  it("[U3] /tools lists the tools, or shows the arguments and the file of one", async () => {
    const { toolbox } = await open({}, { tools: TOOLS });
    const chat = new RecordedChat(toolbox);
    await runLine("/tools", chat);
    expect(chat.taken()).toBe(
      "**1 tool**\n\n- `greet` Greets a person.\n\nFor the arguments of one: `/tools NAME`. To call one: `!NAME field=value`",
    );
    await runLine("/tools greet", chat);
    expect(chat.taken().split("\n").slice(0, -1)).toEqual([
      "`greet(name: string, loud?: boolean)`",
      "",
      "Greets a person.",
      "",
      "- `name` `string`, required: Who.",
      "- `loud` `boolean`, default `false`",
      "",
    ]);
    await runLine("/tools gret", chat);
    expect(chat.taken()).toBe('error: There is no tool "gret". Did you mean "greet"?');
  });

  it("[U3] runs commands that pi extensions register, but not instead of its own", async () => {
    const at = project({
      ".pi/extensions/commands.ts": `export default function (pi) {
        pi.registerCommand("quit", { description: "Another quit.", handler: async () => {} });
        pi.registerCommand("plan", {
          description: "Plans.\\u001b[2J",
          handler: async (args, ctx) => ctx.ui.notify("planned " + args, "info"),
        });
        pi.registerCommand("fail", { handler: async () => { throw new Error("It broke."); } });
      }`,
    });
    const { toolbox } = await open(at);
    const chat = new RecordedChat(toolbox);
    toolbox.sessions.setUIContext("here", { notify: (text: string) => chat.notice(text) });
    const commands = allCommands(chat).slice(OWN_COMMANDS.length);
    expect(commands.map(({ name, about }) => `${name}: ${about}`)).toEqual([
      "plan: Plans.\\x1b[2J",
      "fail: A command of an extension.",
    ]);
    await runLine("/plan a b", chat);
    await runLine("/fail", chat);
    await runLine("/quit", chat);
    await runLine("/pln", chat);
    expect(chat.taken().split("\n")).toEqual([
      "info: planned a b",
      expect.stringMatching(/^error: \/fail failed: .*It broke\./),
      "quit",
      'error: There is no command /pln. Did you mean "/plan"? To send it as a prompt, type a second slash: //pln',
    ]);
  });
});
