import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { outputOf } from "../../src/core/result.ts";
import type { ToolboxOptions } from "../../src/toolbox/toolbox.ts";
import { CLI, cli, ensureBuilt } from "../support/cli.ts";
import { ECHO_TOOL } from "../support/echo-tool.ts";
import { project, type Sandbox } from "../support/fixture.ts";
import { startServe } from "../support/http-command.ts";
import { connect, ERAS } from "../support/mcp-client.ts";
import { open } from "../support/toolbox.ts";

const TOOL = { ".toolwright/tools/echo.ts": ECHO_TOOL };
const SLEEP = (ms: number): string => `await new Promise((resolve) => setTimeout(resolve, ${ms}));`;
/** Blocks every call, and would hide every result. */
const HANDLERS = `
  pi.on("tool_call", () => ({ block: true, reason: "No." }));
  pi.on("tool_result", () => ({ content: [{ type: "text", text: "hidden" }] }));`;
const EXTENSION = (before = "", top = ""): string => `${top}\nexport default async (pi) => { ${before}\n${HANDLERS} };`;
const REFUSED = '"echo" was not allowed to run. No.';

type Files = Record<string, string>;

/** Guards that refuse each call, by what is special about them. */
const GUARDS: Record<string, Files> = {
  "a pi extension": { ".pi/extensions/guard.ts": EXTENSION() },
  "whose import takes 1.5 s": { ".pi/extensions/guard.ts": EXTENSION("", SLEEP(1500)) },
  "that blocks its process for 1 s": {
    ".pi/extensions/guard.ts": EXTENSION("", "const end = Date.now() + 1000; while (Date.now() < end);"),
  },
  "whose factory is async": { ".pi/extensions/guard.ts": EXTENSION(SLEEP(600)) },
  "that registers its hook after its factory": {
    ".pi/extensions/guard.ts": `export default (pi) => { setTimeout(() => { ${HANDLERS} }, 100); };`,
  },
  "with its hook in a relative import": {
    ".pi/extensions/guard.ts": `${SLEEP(500)}\nexport { default } from "./lib/one.js";`,
    ".pi/extensions/lib/one.ts": 'export { install as default } from "./two";',
    ".pi/extensions/lib/two.ts": `${SLEEP(300)}\nexport const install = (pi) => { ${HANDLERS} };`,
  },
  "in a folder": { ".pi/extensions/guard/index.ts": EXTENSION(SLEEP(500)) },
  "of oh-my-pi": { ".omp/extensions/guard.ts": EXTENSION(SLEEP(500)) },
  "a hook of oh-my-pi": { ".omp/hooks/pre/guard.ts": EXTENSION(SLEEP(500)) },
  "a plugin of OpenCode": {
    ".opencode/plugin/guard.ts": `export const Guard = async () => { ${SLEEP(500)}
      return { "tool.execute.before": async () => { throw new Error("No."); } }; };`,
  },
  "a plugin of OpenCode 2": {
    ".opencode/plugins/guard.ts": `${SLEEP(500)}
      export default { id: "guard", setup: async (ctx) => { ${SLEEP(200)}
        await ctx.tool.hook("execute.before", () => { throw new Error("No."); }); } };`,
  },
  "a plugin of Amp": {
    ".amp/plugins/guard.ts": `${SLEEP(300)}
      export default async (amp) => { ${SLEEP(200)}
        amp.on("tool.call", () => ({ action: "reject-and-continue", message: "No." })); };`,
  },
  "a plugin of Amp, in a folder": {
    ".amp/plugins/guard/index.ts": `import { install } from "./install.ts";\nexport default install;`,
    ".amp/plugins/guard/install.ts": `${SLEEP(500)}
      export const install = (amp) => { amp.on("tool.call", () => ({ action: "error", message: "No." })); };`,
  },
  "a plugin of OpenClaw": {
    ".openclaw/extensions/guard/index.ts": `${SLEEP(500)}
      export default { id: "guard", register: async (api) => { ${SLEEP(200)}
        api.on("before_tool_call", () => ({ block: true, blockReason: "No." })); } };`,
  },
  "a plugin of OpenClaw where its manifest lies, with its handler in an import": {
    "openclaw.plugin.json": '{ "id": "guard", "configSchema": {} }',
    "index.ts": 'import { install } from "./src/install.js";\nexport default { id: "guard", register: install };',
    "src/install.ts": `${SLEEP(500)}
      export const install = (api) => { api.on("before_tool_call", () => ({ block: true, blockReason: "No." })); };`,
  },
  "a policy of OpenClaw that is registered after its function": {
    ".openclaw/extensions/guard.ts": `export default (api) => { setTimeout(() => {
      api.registerTrustedToolPolicy({ id: "p", evaluate: () => ({ allow: false, reason: "No." }) }); }, 100); };`,
  },
  "an extension of Copilot": {
    ".github/extensions/guard/extension.mjs": `import { joinSession } from "@github/copilot-sdk/extension";
      ${SLEEP(500)}
      await joinSession({ hooks: { onPreToolUse: async () => ({ permissionDecision: "deny", permissionDecisionReason: "No." }) } });`,
  },
  "a package": {
    "package.json": '{ "dependencies": { "guard": "1.0.0" } }',
    "node_modules/guard/package.json":
      '{ "name": "guard", "version": "1.0.0", "type": "module", "pi": { "extensions": ["./main.js"] } }',
    "node_modules/guard/main.js": EXTENSION(SLEEP(500)),
  },
};

/** Opens a toolbox that does not wait for its files. */
function opened(at: Sandbox, options: ToolboxOptions = {}): ReturnType<typeof open> {
  return open(at, { waitMs: 1, ...options });
}

describe("[P1] a first call waits until every guard was read", () => {
  it.each(Object.entries(GUARDS))("guard %s", { timeout: 60_000 }, async (_, files) => {
    const at = project({ ...TOOL, ...files });
    // Without a cache, from the cache, and with a cache that an edit made stale.
    for (const edit of [false, false, true]) {
      const [path = "", text = ""] = Object.entries(files).at(-1) ?? [];
      if (edit) writeFileSync(join(at.project, path), `${text}\n// edited`);
      const { toolbox, say } = await opened(at);
      expect(await say("echo", { text: "hello" })).toBe(REFUSED);
      await toolbox.close();
    }
  });

  it("guard behind a link", async () => {
    const at = project({
      ...TOOL,
      "shared/guard.ts": 'export * from "./real.ts"; export { default } from "./real.ts";',
    });
    writeFileSync(join(at.project, "shared/real.ts"), EXTENSION(SLEEP(500)));
    mkdirSync(join(at.project, ".pi/extensions"), { recursive: true });
    symlinkSync(join(at.project, "shared/guard.ts"), join(at.project, ".pi/extensions/guard.ts"));
    const { say } = await opened(at);
    expect(await say("echo", { text: "hello" })).toBe(REFUSED);
  });

  it.each([
    [
      "pi",
      ".pi/extensions/guard.ts",
      `export default async (pi) => { ${SLEEP(500)} pi.on("tool_result", () => ({ content: [{ type: "text", text: "hidden" }] })); };`,
    ],
    [
      "OpenCode",
      ".opencode/plugin/guard.ts",
      `export const Guard = async () => { ${SLEEP(500)} return { "tool.execute.after": async (_, output) => { output.output = "hidden"; } }; };`,
    ],
  ])("a hook of %s that changes results", async (_, path, text) => {
    const { say } = await opened(project({ ...TOOL, [path]: text }));
    expect(await say("echo", { text: "secret" })).toBe("hidden");
  });

  it("guards are read at the same time, and calls of built-in tools and of tools in code wait too", async () => {
    const slow = EXTENSION(SLEEP(1500));
    const guards = { ".pi/extensions/a.ts": slow, ".pi/extensions/b.ts": slow, ".opencode/plugin/c.ts": slow };
    const tools = [{ name: "given", description: "In code.", inputSchema: { type: "object" }, handler: () => "ran" }];
    const { toolbox } = await opened(project({ ...TOOL, ...guards }), { builtins: true, tools });
    const names = ["given", "todoread", "echo"];
    const results = await Promise.all(
      names.map((name) => toolbox.call({ name, input: name === "echo" ? { text: "x" } : {} }).result),
    );
    expect(results.map(outputOf)).toEqual(names.map((name) => `"${name}" was not allowed to run. No.`));
  });

  it("a guard that is added and one that is edited apply to the calls after a reload", async () => {
    const at = project(TOOL);
    const { toolbox, say } = await opened(at);
    expect(await say("echo", { text: "hello" })).toBe("hello");
    mkdirSync(join(at.project, ".pi/extensions"), { recursive: true });
    const guard = join(at.project, ".pi/extensions/guard.ts");
    writeFileSync(guard, EXTENSION(SLEEP(700)));
    await toolbox.reload();
    expect(await say("echo", { text: "hello" })).toBe(REFUSED);
    writeFileSync(guard, EXTENSION(SLEEP(700)).replace("No.", "Never."));
    await toolbox.reload();
    expect(await say("echo", { text: "hello" })).toBe('"echo" was not allowed to run. Never.');
  });
});

/** Files that name a hook and cannot be read, and the reason that the refusal gives. */
const BROKEN: readonly (readonly [name: string, reason: string, path: string, text: string])[] = [
  [
    "a syntax error",
    "Unexpected token. Correct it and save",
    ".pi/extensions/guard.ts",
    `export default (pi) => { pi.on("tool_call", ( };`,
  ],
  [
    "a missing package",
    'It imports the package "not-installed", which is not installed. To install it, run: npm install --prefix PROJECT/.pi not-installed',
    ".pi/extensions/guard.ts",
    `import "not-installed";\n${EXTENSION()}`,
  ],
  [
    "a throwing module",
    "It threw while it was imported: oops",
    ".pi/extensions/guard.ts",
    `throw new Error("oops");\n${EXTENSION()}`,
  ],
  [
    "a throwing factory",
    "Its default function failed: oops",
    ".pi/extensions/guard.ts",
    EXTENSION('throw new Error("oops");'),
  ],
  [
    "a throwing plugin",
    'Its function "A" failed: oops',
    ".opencode/plugin/guard.ts",
    `export const A = async () => { throw new Error("oops"); return { "tool.execute.before": () => {} }; };`,
  ],
  [
    "one of two plugins",
    'Its function "B" failed: oops',
    ".opencode/plugin/guard.ts",
    `export const A = async () => ({ "tool.execute.after": () => {} });
    export const B = async () => { throw new Error("oops"); return { "tool.execute.before": () => {} }; };`,
  ],
  [
    "a throwing setup",
    "Its setup function failed: oops",
    ".opencode/plugins/guard.ts",
    `export default { id: "g", setup: (ctx) => { throw new Error("oops"); ctx.tool.hook("execute.before", () => {}); } };`,
  ],
  [
    "a process that ends",
    "Importing it ended the process: a tool called process.exit(1). Take what does this out of the top of the file",
    ".pi/extensions/guard.ts",
    `process.exit(1);\n${EXTENSION()}`,
  ],
  [
    "a name in a variable",
    'It imports the package "not-installed", which is not installed. To install it, run: npm install --prefix PROJECT/.pi not-installed',
    ".pi/extensions/guard.ts",
    `const EVENT = "tool_call"; import "not-installed";\nexport default (pi) => pi.on(EVENT, () => {});`,
  ],
  [
    "a function that is not called",
    'Its default export is a function. It was not called, because nothing says that it creates tools. If it returns or registers tools, begin it with these two lines: `import type { CustomToolAPI } from "toolwright";` and `export default function (pi: CustomToolAPI) {`. If it is the tool, export it as execute: `export default tool({ description: "…", args: { … }, execute })`',
    ".toolwright/tools/guard.ts",
    'const EVENT = "tool_call"; export default (pi) => pi.on(EVENT, () => ({ block: true }));',
  ],
  [
    "a function that is not called, beside a tool",
    'Its default export is a function. It was not called, because nothing says that it creates tools. If it returns or registers tools, begin it with these two lines: `import type { CustomToolAPI } from "toolwright";` and `export default function (pi: CustomToolAPI) {`. If it is the tool, export it as execute: `export default tool({ description: "…", args: { … }, execute })`',
    ".toolwright/tools/guard.ts",
    `export const a = { description: "A.", args: {}, execute: () => "a" };\nexport default (pi) => { ${HANDLERS} };`,
  ],
  [
    "a broken import",
    'It imports "./lib/absent.ts", which does not exist. Correct the path',
    ".pi/extensions/guard.ts",
    `export { default } from "./lib/absent.ts"; import "./lib/hook.ts";`,
  ],
];

describe("[P1] [D5] a guard that cannot be read refuses calls", () => {
  it.each(BROKEN)("%s", { timeout: 30_000 }, async (_, reason, path, text) => {
    const at = project({ ...TOOL, [path]: text, ".pi/extensions/lib/hook.ts": 'export const on = "tool_call";' });
    const file = join(at.project, path);
    const settings = join(at.home, ".toolwright/settings.json");
    for (let round = 0; round < 2; round += 1) {
      const { toolbox, say } = await opened(at);
      expect(await say("echo", { text: "hello" })).toBe(
        `"echo" was not allowed to run. The hooks in ${file} may have to see the call, and that file could not be read: ${reason.replace("PROJECT", at.project)}. Until that is corrected, no call is made. To make calls without its hooks, the user can add "${file}" to "hooks.optional" in ${settings}.`,
      );
      await toolbox.close();
    }
    mkdirSync(join(at.home, ".toolwright"), { recursive: true });
    for (const optional of [file, path, "~/../project/.pi", ".opencode", ".toolwright"]) {
      writeFileSync(settings, JSON.stringify({ hooks: { optional: [optional] } }));
      const { toolbox, say } = await opened(at);
      const covers = optional.startsWith("~") ? path.startsWith(".pi") : file.includes(optional);
      expect(await say("echo", { text: "hello" }))[covers ? "toBe" : "toContain"](
        covers ? "hello" : "could not be read",
      );
      await toolbox.close();
    }
  });

  it("a file that may not be read", async () => {
    const at = project({ ...TOOL, ".pi/extensions/guard.ts": EXTENSION() });
    chmodSync(join(at.project, ".pi/extensions/guard.ts"), 0o000);
    const { say } = await opened(at);
    if (process.getuid?.() !== 0) expect(await say("echo", { text: "hello" })).toContain("could not be read");
  });

  it("a project cannot make its guards optional", async () => {
    const at = project({
      ...TOOL,
      ".pi/extensions/guard.ts": `import "not-installed";\n${EXTENSION()}`,
      ".toolwright/settings.json": '{ "hooks": { "optional": [".pi"] } }',
    });
    const { toolbox, say } = await opened(at);
    expect(await say("echo", { text: "hello" })).toContain("could not be read");
    expect(toolbox.status.warnings.map(({ message }) => message)).toEqual([
      `"hooks.optional" has an effect only in ${join(at.home, ".toolwright/settings.json")}: a project cannot switch off hooks. It is ignored.`,
    ]);
  });

  it("a project cannot disable a guard of the user", async () => {
    const at = project({ ...TOOL, ".toolwright/settings.json": '{ "tools": { "disabled": ["guard"] } }' });
    mkdirSync(join(at.home, ".pi/agent/extensions"), { recursive: true });
    writeFileSync(join(at.home, ".pi/agent/extensions/guard.ts"), EXTENSION());
    const { say } = await opened(at);
    expect(await say("echo", { text: "hello" })).toBe(REFUSED);
    mkdirSync(join(at.home, ".toolwright"), { recursive: true });
    writeFileSync(join(at.home, ".toolwright/settings.json"), '{ "tools": { "disabled": ["guard"] } }');
    expect(await (await opened(at)).say("echo", { text: "hello" })).toBe("hello");
  });

  it("a guard that hung is not named to the programs that tools start", { timeout: 30_000 }, async () => {
    const at = project({
      ".pi/extensions/guard.ts": EXTENSION("await new Promise(() => {});"),
      ".toolwright/tools/reading.ts":
        'export default { description: "R.", args: {}, execute: () => String(process.env.TOOLWRIGHT_READING) };',
    });
    mkdirSync(join(at.home, ".toolwright"), { recursive: true });
    writeFileSync(
      join(at.home, ".toolwright/settings.json"),
      '{ "limits": { "importMs": 1000 }, "hooks": { "optional": [".pi"] } }',
    );
    const { say } = await open(at);
    expect(await say("reading")).toBe("undefined");
  });

  it("a guard that hangs refuses calls after its import limit, and a call that waits can be aborted", {
    timeout: 60_000,
  }, async () => {
    const at = project({ ...TOOL, ".pi/extensions/guard.ts": EXTENSION("await new Promise(() => {});") });
    mkdirSync(join(at.home, ".toolwright"), { recursive: true });
    writeFileSync(join(at.home, ".toolwright/settings.json"), '{ "limits": { "importMs": 1500 } }');
    const { toolbox, say } = await opened(at);
    const run = toolbox.call({ name: "echo", input: { text: "hello" } });
    run.abort();
    expect(await run.result).toMatchObject({ ok: false, error: { code: "aborted" } });
    expect(await say("echo", { text: "hello" })).toContain("Importing it did not end within 1.5 s.");
  });
});

describe("[D6] [P1] the last good version of a guard", () => {
  const COMPUTED = `const event = ["tool", "call"].join("_");
    export default (pi) => { pi.on(event, () => ({ block: true, reason: "No." })); };`;

  it.each([
    ["a syntax error", "export default (pi) => { oops oops"],
    ["a missing package", 'import "not-installed"; export default () => {};'],
    ["a throwing factory", 'export default () => { throw new Error("oops"); };'],
    [
      "a tool beside a plugin that throws",
      `export const a = { description: "A.", args: {}, execute: () => "a" }; export default () => { throw new Error("oops"); };`,
    ],
  ])("stays after an edit with %s, and in a new process calls are refused", { timeout: 30_000 }, async (_, text) => {
    const at = project({ ...TOOL, ".pi/extensions/guard.ts": COMPUTED });
    const guard = join(at.project, ".pi/extensions/guard.ts");
    const { toolbox, say } = await open(at);
    expect(await say("echo", { text: "hello" })).toBe(REFUSED);
    writeFileSync(guard, text);
    await toolbox.reload();
    expect(await say("echo", { text: "hello" })).toBe(REFUSED);
    await toolbox.close();
    for (let round = 0; round < 2; round += 1) {
      const again = await opened(at);
      expect(await again.say("echo", { text: "hello" })).toContain(`The hooks in ${guard} may have to see the call`);
      await again.toolbox.close();
    }
    writeFileSync(guard, "export default () => {};");
    const without = await opened(at);
    expect(await without.say("echo", { text: "hello" })).toBe("hello");
  });
});

describe("[D6] [P1] a guard that is known from the cache only", () => {
  it("refuses calls after an edit that breaks a part of it", { timeout: 30_000 }, async () => {
    const plugin = (start: string): string => `export const A = async () => ({ "tool.execute.before": () => {} });
      export const B = async () => { ${start} return { "tool.execute.before": () => { throw new Error("No."); } }; };`;
    const at = project({ ...TOOL, ".opencode/plugin/guard.ts": plugin("") });
    await (await open(at)).toolbox.close();
    const { toolbox, say } = await open(at);
    writeFileSync(join(at.project, ".opencode/plugin/guard.ts"), plugin('throw new Error("oops");'));
    await toolbox.reload();
    expect(await say("echo", { text: "hello" })).toContain('could not be read: Its function "B" failed: oops.');
  });
});

/** What can be in the place of a guard, or of its folder, that is no file. */
const HIDDEN: Record<string, (file: string) => void> = {
  "a folder": (file) => replace(file, mkdirSync),
  "a link to nothing": (file) => replace(file, (at) => symlinkSync("absent.ts", at)),
  "a link to itself": (file) => replace(file, (at) => symlinkSync(at, at)),
  "a pipe": (file) => replace(file, (at) => execFileSync("mkfifo", [at])),
  "a file for its folder": (file) => replace(dirname(file), (at) => writeFileSync(at, "")),
  "a link to nothing for its folder": (file) => replace(dirname(file), (at) => symlinkSync("absent", at)),
  "a link to itself for a folder above": (file) => replace(dirname(dirname(file)), (at) => symlinkSync(at, at)),
};

function replace(path: string, by: (path: string) => unknown): void {
  renameSync(path, `${path}.old`);
  by(path);
}

describe("[D6] [P1] a guard that is hidden", () => {
  it.each(Object.entries(HIDDEN))("by %s", { timeout: 30_000 }, async (_, hide) => {
    const at = project({ ...TOOL, ".pi/extensions/guard.ts": EXTENSION() });
    const guard = join(at.project, ".pi/extensions/guard.ts");
    const { toolbox, say } = await open(at);
    expect(await say("echo", { text: "hello" })).toBe(REFUSED);
    hide(guard);
    await toolbox.reload();
    expect(await say("echo", { text: "hello" })).toBe(REFUSED);
    await toolbox.close();
    for (let round = 0; round < 2; round += 1) {
      const again = await opened(at);
      expect(await again.say("echo", { text: "hello" })).toContain(`The hooks in ${guard} may have to see the call`);
      await again.toolbox.close();
    }
  });

  it.each([".pi/extensions/guard.ts", ".pi/extensions", ".pi"])("by nothing: %s is deleted", async (path) => {
    const at = project({ ...TOOL, ".pi/extensions/guard.ts": EXTENSION() });
    const { toolbox, say } = await open(at);
    rmSync(join(at.project, path), { recursive: true });
    await toolbox.reload();
    expect(await say("echo", { text: "hello" })).toBe("hello");
    expect(await (await opened(at)).say("echo", { text: "hello" })).toBe("hello");
  });

  it.each([
    ["opencode.json", '{ "plugin": ["./lib/guard.ts"] }'],
    [".pi/settings.json", '{ "extensions": ["../lib/guard.ts"] }'],
    [".toolwright/settings.json", '{ "tools": { "paths": ["lib"] } }'],
  ])("by an error in %s, which names it", async (config, text) => {
    const plugin = `import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
      const blocks = async () => { throw new Error("No."); };
      export const A = async () => ({ "tool.execute.before": blocks });
      export default (pi: ExtensionAPI) => { ${HANDLERS} };`;
    const at = project({ ...TOOL, "lib/guard.ts": plugin, [config]: text });
    const { toolbox, say } = await open(at);
    expect(await say("echo", { text: "hello" })).toBe(REFUSED);
    writeFileSync(join(at.project, config), text.slice(0, 5));
    await toolbox.reload();
    expect(await say("echo", { text: "hello" })).toBe(REFUSED);
    await toolbox.close();
    expect(await (await opened(at)).say("echo", { text: "hello" })).toBe(REFUSED);
    writeFileSync(join(at.project, config), "{}");
    expect(await (await opened(at)).say("echo", { text: "hello" })).toBe("hello");
  });

  it("by a link of the project to the user's guard, which the project disables", async () => {
    const at = project({ ...TOOL, ".toolwright/settings.json": '{ "tools": { "disabled": ["mine"] } }' });
    const guard = join(at.home, ".pi/agent/extensions/guard.ts");
    for (const file of [guard, join(at.project, ".pi/extensions/mine.ts")])
      mkdirSync(dirname(file), { recursive: true });
    writeFileSync(guard, EXTENSION());
    symlinkSync(guard, join(at.project, ".pi/extensions/mine.ts"));
    const { say } = await opened(at);
    expect(await say("echo", { text: "hello" })).toBe(REFUSED);
  });
});

describe("[P1] [D5] other files that cannot be read refuse nothing", () => {
  it.each([
    ["a syntax error", { ".pi/extensions/x.ts": "export default (pi) => { oops oops" }],
    [
      "a missing package",
      { ".pi/extensions/x.ts": 'import "not-installed"; export default (pi) => pi.on("session_start", () => {});' },
    ],
    [
      "the words of a model's messages",
      { ".toolwright/tools/x.ts": 'import "not-installed"; export const of = ({ tool_calls, tool_call_id }) => {};' },
    ],
    [
      "a script that is no tool and reads a model's messages",
      { ".toolwright/tools/x.ts": 'export const isResult = ({ type }) => type === "tool_result";' },
    ],
    [
      "a disabled guard",
      {
        ".pi/extensions/guard.ts": `import "not-installed"; ${EXTENSION()}`,
        ".toolwright/settings.json": '{ "tools": { "disabled": ["guard"] } }',
      },
    ],
    [
      "a script that is no tool and has a function as default",
      { ".toolwright/tools/x.ts": 'export default ({ type }) => type === "tool_result";' },
    ],
    [
      "a hook around commands, not calls",
      {
        ".opencode/plugin/x.ts":
          'import "not-installed"; export const A = () => ({ "command.execute.before": () => {} });',
      },
    ],
    [
      "a helper of another file",
      {
        ".pi/extensions/a.ts": 'import "./b.ts"; export default () => {};',
        ".pi/extensions/b.ts": "export const on = () => \"on('tool_call')\";",
      },
    ],
    [
      "a guard that hangs in a folder that is no place of tools",
      { "lib/guard.ts": EXTENSION("await new Promise(() => {});") },
    ],
  ])("%s", async (_, files) => {
    const { say } = await opened(project({ ...TOOL, ...(files as Files) }));
    expect(await say("echo", { text: "hello" })).toBe("hello");
  });

  it("a guard of an untrusted project never runs and refuses nothing", async () => {
    const at = project({ ".pi/extensions/guard.ts": `import "not-installed"; ${EXTENSION()}` });
    mkdirSync(join(at.home, ".toolwright/tools"), { recursive: true });
    writeFileSync(join(at.home, ".toolwright/tools/echo.ts"), ECHO_TOOL);
    const { say } = await opened(at, { trust: false });
    expect(await say("echo", { text: "hello" })).toBe("hello");
  });
});

describe("[P1] [U1] [S1] [M1] guards of every surface", () => {
  const files = { ...TOOL, ".pi/extensions/guard.ts": EXTENSION(SLEEP(900), SLEEP(600)) };

  it("toolwright run", { timeout: 60_000 }, async () => {
    ensureBuilt();
    const at = project(files);
    for (let round = 0; round < 3; round += 1) {
      if (round === 2)
        writeFileSync(join(at.project, ".pi/extensions/guard.ts"), `${EXTENSION(SLEEP(900))}\n// edited`);
      const { code, stdout, stderr } = await cli(at, ["run", "echo", "--text", "hello", "--trust"]);
      expect([code, stdout, stderr.trim()]).toEqual([1, "", `error: ${REFUSED}`]);
    }
  });

  it.each(["module", "factory"])(
    "a call that a guard makes while it is read, in its %s",
    { timeout: 60_000 },
    async (where) => {
      ensureBuilt();
      const call = `const run = spawnSync(process.execPath, [${JSON.stringify(CLI)}, "run", "echo", "--text", "inner", "--trust"], { encoding: "utf8" });
      writeFileSync(process.cwd() + "/inner.txt", run.stdout + run.stderr);`;
      const imports = 'import { spawnSync } from "node:child_process"; import { writeFileSync } from "node:fs";';
      const guard = where === "module" ? EXTENSION("", `${imports}\n${call}`) : EXTENSION(call, imports);
      const at = project({ ...TOOL, ".pi/extensions/guard.ts": guard });
      for (let round = 0; round < 2; round += 1) {
        const { stderr } = await cli(at, ["run", "echo", "--text", "hello", "--trust"]);
        expect(stderr.trim()).toBe(`error: ${REFUSED}`);
        expect(readFileSync(join(at.project, "inner.txt"), "utf8").trim()).toBe(
          `error: "echo" was not allowed to run. ${join(at.project, ".pi/extensions/guard.ts")} makes the call while it is being read, and its hooks are not known before that has ended. Make the call later, for example in a handler.`,
        );
      }
    },
  );

  it("the first request to toolwright serve", { timeout: 60_000 }, async () => {
    const at = project(files);
    const server = startServe(at, ["--port", "0"]);
    const [url = ""] = /http:\/\/\S+/.exec(await server.until("token=")) ?? [];
    const { origin, searchParams, hash } = new URL(url);
    const token = searchParams.get("token") ?? new URLSearchParams(hash.slice(1)).get("token");
    const response = await fetch(`${origin}/api/tools/echo/run`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: '{"input":{"text":"hello"}}',
    });
    expect([response.status, await response.text()]).toEqual([403, expect.stringContaining("No.")]);
  });

  it.each(ERAS)("the first call of an MCP client, %s", { timeout: 60_000 }, async (era) => {
    ensureBuilt();
    const { client } = await connect(project(files), era, { args: ["--trust", "--wait", "0"] });
    const result = await client.callTool({ name: "echo", arguments: { text: "hello" } });
    expect(result).toMatchObject({ isError: true, content: [{ text: REFUSED }] });
  });
});
