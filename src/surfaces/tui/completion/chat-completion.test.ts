import { join } from "node:path";
import type { AutocompleteItem } from "@earendil-works/pi-tui";
import { describe, expect, it, onTestFinished } from "vitest";
import { sandbox } from "../../../../test/support/fixture.ts";
import { RecordedChat } from "../../../../test/support/recorded-chat.ts";
import { put } from "../../../../test/support/temporary.ts";
import { open } from "../../../../test/support/toolbox.ts";
import { chatCompletion } from "./chat-completion.ts";

const TOOLS = [
  {
    name: "deploy",
    description: "Deploys.\nTo a target.",
    parameters: {
      type: "object",
      properties: {
        note: { type: "string", description: "A note." },
        target: { type: "string", enum: ["staging", "production", "my own"] },
        force: { type: "boolean" },
        tags: { type: "array", items: { enum: ["a", "b"] } },
        options: { type: "object", properties: { depth: { type: "number" }, level: { enum: [1, 2] } } },
      },
      required: ["target"],
    },
    handler: () => "",
  },
  { name: "status", description: "Says the status.", parameters: {}, handler: () => "" },
];

interface Typed {
  /** The labels and descriptions of the list. */
  readonly shown: readonly string[];
  /** The text after the first item is chosen; "|" is the cursor. */
  readonly chosen: string;
}

const SRC = { "src/app.ts": "", "src/my dir/b.ts": "", "src/evil\u001b[2J.ts": "" };

async function typing(): Promise<(text: string, options?: { tab?: boolean; index?: number }) => Promise<Typed>> {
  const at = sandbox();
  for (const [path, text] of Object.entries(SRC)) put(join(at.project, path), text);
  const { toolbox } = await open(at, { tools: TOOLS });
  const agents = [
    { name: "claude", isReady: true, builtins: false },
    { name: "demo", isReady: true, builtins: false },
  ];
  const completion = chatCompletion(new RecordedChat(toolbox, { env: at.env, agents }));
  onTestFinished(() => completion.close());
  return async (text, { tab = false, index = 0 } = {}) => {
    const cut = text.includes("|") ? text.indexOf("|") : text.length;
    const lines = text.replace("|", "").split("\n");
    const before = text.slice(0, cut).split("\n");
    const [line, column] = [before.length - 1, before.at(-1)?.length ?? 0];
    const { signal } = new AbortController();
    const found = await completion.getSuggestions(lines, line, column, { signal, force: tab });
    if (!found) return { shown: [], chosen: "" };
    const shown = found.items.map(({ label, description }) => `${label}${description ? ` | ${description}` : ""}`);
    const item = found.items[index] as AutocompleteItem;
    const done = completion.applyCompletion(lines, line, column, item, found.prefix);
    const cursor = done.lines.with(
      done.cursorLine,
      (done.lines[done.cursorLine] ?? "").replace(new RegExp(`^.{${done.cursorCol}}`, "su"), "$&|"),
    );
    return { shown, chosen: cursor.join("\n") };
  };
}

describe("completion in the chat", () => {
  it("[U3] completes commands and their arguments", async () => {
    const type = await typing();
    expect(await type("/mode")).toEqual({
      shown: [
        "/mode | [MODE] Chooses what happens to calls that no permission rule covers.",
        '/model | [NAME] Chooses the model, as the agent names it; "default" is the choice of the agent.',
      ],
      chosen: "/mode |",
    });
    expect(await type("/agent ")).toEqual({ shown: ["claude | current", "demo"], chosen: "/agent claude |" });
    expect(await type("/agent dem")).toEqual({ shown: ["demo"], chosen: "/agent demo |" });
    expect((await type("/tools sta")).chosen).toBe("/tools status |");
    expect(await type("/xyz")).toEqual({ shown: [], chosen: "" });
    expect(await type("/home/me")).toEqual({ shown: [], chosen: "" });
    expect(await type("//help")).toEqual({ shown: [], chosen: "" });
    expect(await type("text\n/mo")).toEqual({ shown: [], chosen: "" });
  });

  it("[U2] completes @path in any line, quotes names with spaces, and escapes control characters", async () => {
    const type = await typing();
    expect(await type("See @app| and more")).toEqual({ shown: ["src/app.ts"], chosen: "See @src/app.ts |and more" });
    expect(await type("a\n(@app")).toEqual({ shown: ["src/app.ts"], chosen: "a\n(@src/app.ts |" });
    expect(await type("@mydir")).toEqual({ shown: ["src/my dir/", "src/my dir/b.ts"], chosen: '@"src/my dir/|"' });
    expect((await type('@"src/my dir/|"', { index: 1 })).chosen).toBe('@"src/my dir/b.ts" |');
    expect(await type("@evil")).toEqual({ shown: ["src/evil\\x1b[2J.ts"], chosen: "@src/evil\\x1b[2J.ts |" });
    expect((await type("@src")).chosen).toBe("@src/|");
    expect(await type("me@app")).toEqual({ shown: [], chosen: "" });
    expect(await type("app", { tab: true })).toEqual({ shown: [], chosen: "" });
  });

  it("[U3] completes the names, the fields and the values of tools", async () => {
    const type = await typing();
    expect(await type("!")).toEqual({
      shown: ["!deploy | Deploys.", "!status | Says the status."],
      chosen: "!deploy |",
    });
    expect(await type("!sta")).toEqual({ shown: ["!status | Says the status."], chosen: "!status |" });
    expect(await type("!deploy ", { tab: true })).toEqual({
      shown: [
        'target | "staging" | "production" | "my own", required.',
        "note | string. A note.",
        "force | boolean.",
        'tags | ("a" | "b")[].',
        "options | object.",
      ],
      chosen: "!deploy target=|",
    });
    expect(
      (await type('!deploy target=x note="a b" tags=a ', { tab: true })).shown.map((row) => row.split(" ")[0]),
    ).toEqual(["force", "tags", "options"]);
    expect((await type("!deploy opt", { tab: true })).chosen).toBe("!deploy options.|");
    expect((await type("!deploy options.de", { tab: true })).chosen).toBe("!deploy options.depth=|");
    expect(await type("!deploy options.level=")).toEqual({ shown: ["1", "2"], chosen: "!deploy options.level=1 |" });
    expect(await type("!deploy target=pro")).toEqual({ shown: ["production"], chosen: "!deploy target=production |" });
    expect((await type("!deploy target=my")).chosen).toBe('!deploy target="my own" |');
    expect(await type("!deploy force=")).toEqual({ shown: ["true", "false"], chosen: "!deploy force=true |" });
    expect(await type("!deploy tags=")).toEqual({ shown: ["a", "b"], chosen: "!deploy tags=a |" });
    expect(await type("!deploy note=app")).toEqual({ shown: [], chosen: "" });
    expect((await type("!deploy note=app", { tab: true })).chosen).toBe("!deploy note=src/app.ts |");
    expect(await type("!nothing x", { tab: true })).toEqual({ shown: [], chosen: "" });
    expect(await type('!deploy {"ta', { tab: true })).toEqual({ shown: [], chosen: "" });
    expect(await type("!!dep")).toEqual({ shown: [], chosen: "" });
  });
});
