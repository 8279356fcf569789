import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Sandbox, sandbox } from "../support/fixture.ts";
import { open } from "../support/toolbox.ts";

/** A project in the mode acceptEdits with these files. */
function accepting(files: Record<string, string> = {}, settings: object = {}): Sandbox {
  const at = sandbox();
  const own = { [join(at.env.TOOLWRIGHT_HOME as string, "settings.json")]: JSON.stringify({ mode: "acceptEdits" }) };
  const ofProject = { ".toolwright/settings.json": JSON.stringify(settings) };
  for (const [path, text] of Object.entries({ ...own, ...ofProject, ...files })) {
    const file = path.startsWith("/") ? path : join(at.project, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return at;
}

/** The decision on writing each of these paths. */
async function decided(at: Sandbox, paths: readonly string[]): Promise<Record<string, string>> {
  const { toolbox } = await open(at, { builtins: ["write"] });
  const actions: Record<string, string> = {};
  for (const path of paths) {
    const explained = await toolbox.explain({ name: "write", input: { filePath: path, content: "x" } });
    actions[path] = explained.ok ? explained.decision.action : explained.error.message;
  }
  return actions;
}

function all<T>(paths: readonly string[], value: T): Record<string, T> {
  return Object.fromEntries(paths.map((path) => [path, value]));
}

const ORDINARY = ["src/a.ts", "README.md", "AGENTS.md", "CLAUDE.md", "docs/guide.md", "src/new/b.py", "src/index.ts"];
const TOOL = (imports: string): string =>
  `${imports}\nexport default { description: "Answers.", execute: () => "x" };\n`;

describe("[P3] [X1] acceptEdits asks about every file whose code runs without a further question", () => {
  it("[P3] edits ordinary files without a question, also in a project with hooks, tools and servers", async () => {
    const at = accepting(
      { "src/a.ts": "x", "scripts/check.mjs": "// checks src and README\n", "src/lib.js": "export const a = 1;" },
      {
        hooks: {
          before: [{ tool: "*", command: "jq -r '.tool // empty' | xargs npx eslint && node scripts/check.mjs" }],
        },
      },
    );
    expect(await decided(at, ORDINARY)).toEqual(all(ORDINARY, "allow"));
  });

  it("[P3] tool files, their imports, and files that an import would find instead", async () => {
    const at = accepting(
      {
        ".toolwright/tools/one.js": TOOL('import "../../lib/helper.js"; import "../../lib/deep/index.js";'),
        "lib/helper.js": 'import "./inner.mjs";',
        "lib/inner.mjs": "export {};",
        "lib/deep/index.js": "export {};",
        "lib/other.js": "export {};",
        ".toolwright/tools/off.js": TOOL('import "../../lib/off.js";'),
        "lib/off.js": "export {};",
        "own/single.ts": TOOL('import "./beside.ts";'),
        "own/beside.ts": "export const a = 1;",
      },
      { tools: { paths: ["own/single.ts", "more"], disabled: ["off"] } },
    );
    const asked = [
      ...[
        "lib/helper.js",
        "lib/inner.mjs",
        "lib/deep/index.js",
        "lib/helper.ts",
        "lib/deep.js",
        "lib/off.js",
        "LIB/Helper.js",
      ],
      ...["lib/../lib/helper.js", "lib/./helper.js", ".toolwright/tools/new.ts", ".toolwright/tools/one.txt"],
      ...["own/single.ts", "own/single.txt", "own/beside.ts", "more/new.js", "more/deep/index.js", "MORE/new.js"],
    ];
    const free = ["lib/other.js", "lib/new.js", "own/other.ts", "src/a.ts"];
    expect(await decided(at, [...asked, ...free])).toEqual({ ...all(asked, "implicit-ask"), ...all(free, "allow") });
  });

  it("[P3] [X1] does not read the texts of scripts: files that they name or import are ordinary", async () => {
    const at = accepting(
      {
        "hooks/check.mjs": 'import "../lib/rules.mjs";',
        "hooks/run.sh": "sh scripts/step.sh\n",
        Makefile: "check:\n\tsh scripts/check.sh\n",
        ".husky/pre-commit": "sh scripts/commit.sh\n",
        "package.json": '{ "scripts": { "guard": "node tools/guard.js" } }',
      },
      { hooks: { before: [{ tool: "*", command: "node hooks/check.mjs; hooks/run.sh; make check; npm run guard" }] } },
    );
    const free = ["lib/rules.mjs", "scripts/step.sh", "scripts/check.sh", "scripts/commit.sh", "tools/guard.js"];
    expect(await decided(at, free)).toEqual(all(free, "allow"));
  });

  it("[A6] [A7] [X1] files that the commands of JSON tools and of imported MCP servers name", async () => {
    const at = accepting(
      {
        ".toolwright/tools/shell.json": JSON.stringify({
          name: "shell",
          description: "Runs a script in docs.",
          parameters: { type: "object", properties: {} },
          handler: { type: "shell", command: "sh scripts/deploy.sh; ./in.sh", cwd: "ops" },
        }),
        "scripts/deploy.sh": "",
        ".mcp.json": JSON.stringify({
          mcpServers: {
            one: { command: "node", args: ["server/main.js"], env: { NODE_OPTIONS: "--import ./server/pre.js" } },
          },
        }),
        "server/main.js": "process.exit(1);",
        "server/pre.js": "",
      },
      { mcp: { import: true } },
    );
    const asked = ["scripts/deploy.sh", "ops/in.sh", "server/main.js", "server/pre.js"];
    const free = ["scripts/other.sh", "server/other.js", "src/a.ts", "docs/a.md"];
    expect(await decided(at, [...asked, ...free])).toEqual({ ...all(asked, "implicit-ask"), ...all(free, "allow") });
  });

  it("[X1] links to them, and targets of their links", async () => {
    const at = accepting(
      { "real/check.sh": "", "kept/tools/a.js": TOOL(""), "githooks/pre-commit": "", "src/a.ts": "" },
      { hooks: { before: [{ tool: "*", command: "linked/check.sh" }] }, tools: { paths: ["place"] } },
    );
    const link = (target: string, path: string): void => symlinkSync(join(at.project, target), join(at.project, path));
    link("real", "linked");
    link("kept/tools", "place");
    link("githooks", ".husky");
    link(".git", "innocent");
    link("package.json", "notes.md");
    link("real/check.sh", "src/b.ts");
    const asked = [
      ...["real/check.sh", "linked/check.sh", "kept/tools/a.js", "kept/tools/new.js", "githooks/pre-commit"],
      ...["githooks/new", "innocent/hooks/post-checkout", "notes.md", "src/b.ts"],
    ];
    const free = ["real/other.sh", "kept/a.js", "src/a.ts"];
    expect(await decided(at, [...asked, ...free])).toEqual({ ...all(asked, "implicit-ask"), ...all(free, "allow") });
  });

  it("[X1] targets of links in folders with such code", async () => {
    const at = accepting(
      { ".toolwright/tools/one.js": TOOL(""), "hooks/plain.sh": "", "parts/deep/a.sh": "", "loop/a": "" },
      { hooks: { before: [{ tool: "*", command: "sh hooks/*.sh; sh *.sh" }] } },
    );
    const link = (target: string, path: string): void => {
      mkdirSync(dirname(join(at.project, path)), { recursive: true });
      symlinkSync(target, join(at.project, path));
    };
    link("../scripts/a.sh", "hooks/a.sh");
    link("../parts", "hooks/parts");
    link("../../loop", "loop/again/to");
    link("../loop", "hooks/loop");
    link("../../scripts/inner.sh", "parts/deep/inner.sh");
    link("scripts/top.sh", "top.sh");
    link("../scripts/husky.sh", ".husky/pre-commit");
    link("../../scripts/git.sh", ".git/hooks/pre-push");
    link("../../scripts/ci.yml", ".github/workflows/ci.yml");
    link("../../../lib/pages", ".toolwright/tools/pages/lib");
    link(at.root, "hooks/outside");
    const asked = [
      ...["a.sh", "inner.sh", "top.sh", "husky.sh", "git.sh", "ci.yml"].map((name) => `scripts/${name}`),
      ...["parts/deep/a.sh", "parts/new.sh", "loop/a", "lib/pages/index.js"],
    ];
    const free = ["scripts/other.sh", "src/a.ts", "lib/a.js"];
    expect(await decided(at, [...asked, ...free])).toEqual({ ...all(asked, "implicit-ask"), ...all(free, "allow") });
  });

  it("[X1] the folder that Git runs hooks from", async () => {
    const at = accepting({ ".git/config": "[core]\n\tbare = false\n\thooksPath = ci/git\n", "ci/git/pre-commit": "" });
    expect(await decided(at, ["ci/git/pre-commit", "ci/git/new", "ci/a.sh"])).toEqual({
      "ci/git/pre-commit": "implicit-ask",
      "ci/git/new": "implicit-ask",
      "ci/a.sh": "allow",
    });
  });

  it("[X1] commands in the configuration of Git, also in a worktree", async () => {
    const config = [
      '[core]\n\tfsmonitor = tools/watch.sh\n[filter "x"]\n\tclean = ./tools/clean\n[alias]\n\tst = !scripts/st.py',
      '[remote "docs"]\n\turl = src/lib\n[branch "main"]\n\tremote = docs\n',
      "[include]\n\tpath = ../dev/gitconfig\n[core] hooksPath = old/hooks\n[core]\n\thooksPath = ci/git ; kept here\n",
    ].join("\n");
    const asked = [
      ...["tools/watch.sh", "tools/clean", "scripts/st.py", "ci/git/pre-commit", "ci/git/a/b", "old/hooks/a"],
    ];
    const free = ["tools/other.sh", "ci/a.sh", "src/a.ts", "src/lib/a.ts", "docs/a.md", "main.ts"];
    const expected = { ...all(asked, "implicit-ask"), ...all(free, "allow") };
    const at = accepting({ ".git/config": config });
    expect(await decided(at, [...asked, ...free, "dev/gitconfig"])).toEqual({
      ...expected,
      "dev/gitconfig": "implicit-ask",
    });

    const included = accepting({
      ".git/config": "[include]\n\tpath = ../dev/one\n",
      "dev/one": '[includeIf "gitdir:/"]\n\tpath = "two"\n[include]\n\tpath = one\n',
      "dev/two": "[core]\n\thooksPath = ci/included\n",
      ".git/config.worktree": "[core]\n\thooksPath = ci/worktree\n",
    });
    const paths = ["dev/one", "dev/two", "ci/included/pre-commit", "ci/worktree/pre-commit"];
    expect(await decided(included, [...paths, "ci/a.sh"])).toEqual({
      ...all(paths, "implicit-ask"),
      "ci/a.sh": "allow",
    });

    const tree = accepting();
    const main = join(tree.root, "main/.git");
    rmSync(join(tree.project, ".git"), { recursive: true });
    mkdirSync(join(main, "worktrees/a"), { recursive: true });
    writeFileSync(join(tree.project, ".git"), `gitdir: ${main}/worktrees/a\n`);
    writeFileSync(join(main, "worktrees/a/commondir"), "../..\n");
    writeFileSync(join(main, "config"), config);
    expect(await decided(tree, [...asked, ...free])).toEqual(expected);
  });

  const PROGRAM_SETTINGS: Record<string, string> = {
    "a pager of one command": "[pager]\n\tlog = NAMED",
    "a filter of patches": "[interactive]\n\tdiffFilter = NAMED",
    "a command that lists references": "[core]\n\talternateRefsCommand = NAMED",
    "a proxy": "[core]\n\tgitProxy = NAMED",
    "a hook of another key": "[uploadpack]\n\tpackObjectsHook = NAMED",
    "a template of repositories": "[init]\n\ttemplateDir = NAMED",
    "a program of a remote": '[remote "a"]\n\tuploadpack = NAMED',
    "arguments of a program": '[lfs "customtransfer.a"]\n\tpath = python3\n\targs = NAMED',
    "a key of signatures": '[gpg "ssh"]\n\tdefaultKeyCommand = NAMED',
    "a mail program": "[sendemail]\n\ttoCmd = NAMED",
    "a setting that is not known": "[new]\n\tsetting = NAMED",
    "attributes, which name filters": "[core]\n\tattributesFile = NAMED",
    "an alias of several lines": '[alias]\n\tx = "!f() { \\\n sh NAMED; }; f"',
    "a value with a comment": '[diff]\n\texternal = "NAMED" # kept',
    "an included file": "[include]\n\tpath = ../NAMED",
    "an included file, from home": "[include]\n\tpath = ~/../project/NAMED",
    "an included file, over two lines": "[include]\n\tpath = ../\\\nNAMED",
  };

  it.each(Object.entries(PROGRAM_SETTINGS))("[X1] %s in the configuration of Git", async (_, text) => {
    const inner = "[core]\n\thooksPath = ci/all hooks\n";
    const at = accepting({ ".git/config": text.replace("NAMED", "dev/named"), "dev/named": inner });
    const asked = ["dev/named", ...(text.startsWith("[include]") ? ["ci/all hooks/pre-commit"] : [])];
    expect(await decided(at, [...asked, "dev/other"])).toEqual({ ...all(asked, "implicit-ask"), "dev/other": "allow" });
  });

  it("[X1] data in the configuration of Git, and programs on PATH, are ordinary", async () => {
    const own =
      '[remote "a"]\n\turl = ../src/lib\n\tfetch = +refs/heads/*:refs/remotes/a/*\n[branch "src"]\n\tmerge = refs/heads/src/a\n[core]\n\texcludesFile = src/ignored\n[user]\n\tname = src/a\n';
    const at = accepting({ ".git/config": own });
    writeFileSync(
      join(at.home, ".gitconfig"),
      "[credential]\n\thelper = store\n[core]\n\teditor = vim\n\tpager = less\n",
    );
    const free = ["src/lib/a.ts", "src/a.ts", "src/ignored", "store/index.ts", "vim/a", "less.ts", "refs/a"];
    expect(await decided(at, free)).toEqual(all(free, "allow"));
  });

  it.each([".gitconfig", ".config/git/config"])("[X1] the user's own configuration of Git: %s", async (name) => {
    const at = accepting({ "dev/included": "[alias]\n\tx = !scripts/x.sh\n" });
    const file = join(at.home, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `[core]\n\thooksPath = ci/hooks\n[include]\n\tpath = ${at.project}/dev/included\n`);
    const asked = ["ci/hooks/pre-commit", "dev/included", "scripts/x.sh"];
    expect(await decided(at, [...asked, "ci/a", "src/a.ts"])).toEqual({
      ...all(asked, "implicit-ask"),
      ...all(["ci/a", "src/a.ts"], "allow"),
    });
  });

  it("[X1] targets of links in .git: the folder of hooks, the configuration and the attributes", async () => {
    const at = accepting({ "tools/hooks/a": "", "tools/config": "[core]\n\thooksPath = ci/hooks\n" });
    for (const [target, path] of [
      ["../tools/hooks", "hooks"],
      ["../tools/config", "config"],
      ["../../tools/attributes", "info/attributes"],
    ] as const) {
      mkdirSync(dirname(join(at.project, ".git", path)), { recursive: true });
      symlinkSync(target, join(at.project, ".git", path));
    }
    const asked = ["tools/hooks/pre-commit", "tools/config", "ci/hooks/pre-commit", "tools/attributes"];
    expect(await decided(at, [...asked, "tools/other"])).toEqual({
      ...all(asked, "implicit-ask"),
      "tools/other": "allow",
    });
  });

  it("[P3] imports of broken tool files, and those that a call will run", async () => {
    const at = accepting({
      ".toolwright/tools/broken.js": 'import "../../lib/broken.js"; oops oops',
      ".toolwright/tools/absent.js": 'import "not-installed"; import "../../lib/absent.js";',
      "lib/absent.js": 'import "./inner.js";',
      ".toolwright/tools/lazy.js":
        'export default { description: "L.", execute: async () => String(await import("../../lib/lazy.mjs")) };',
      "lib/lazy.mjs": "",
    });
    const asked = ["lib/broken.js", "lib/absent.js", "lib/inner.js", "lib/lazy.mjs"];
    expect(await decided(at, [...asked, "lib/other.js"])).toEqual({
      ...all(asked, "implicit-ask"),
      "lib/other.js": "allow",
    });
  });

  const SERVER = JSON.stringify({ mcpServers: { a: { command: "node", args: ["dev/named.js"] } } });
  it.each<[string, string]>([
    ...[".roo/mcp.json", ".kiro/settings/mcp.json", ".qwen/settings.json", ".factory/mcp.json", "crush.json"].map(
      (path): [string, string] => [path, SERVER],
    ),
    ...["mcp.json", ".zed/settings.json", ".opencode/opencode.json", ".windsurf/hooks.json", ".kiro/hooks/a.json"].map(
      (path): [string, string] => [path, SERVER],
    ),
    [
      ".claude/settings.json",
      '{ "hooks": { "Stop": [{ "hooks": [{ "command": "node", "args": ["dev/named.js"] }] }] } }',
    ],
    [".cursor/environment.json", '{ "install": "sh dev/named.js" }'],
    [".cursor/worktrees.json", '{ "setup-worktree": ["sh dev/named.js"] }'],
    [".codex/config.toml", 'model = "src/x"\nnotify = [\n  "python3",\n  "dev/named.js",\n]\n'],
    [".codex/config.toml", '[mcp_servers.a]\ncommand = "node"\nargs = ["dev/named.js"]\nname = "src/x"\n'],
    [
      ".pre-commit-config.yaml",
      "repos:\n- repo: local\n  hooks:\n  - id: src/x\n    entry: node dev/named.js\n    files: src/x\n",
    ],
    ["lefthook.yml", "pre-commit:\n  commands:\n    a:\n      glob: src/x\n      run: |\n        node dev/named.js\n"],
  ])("[X1] commands in %s: %s", async (path, text) => {
    const at = accepting({ [path]: text });
    expect(await decided(at, ["dev/named.js", "dev/other.js", "src/x"])).toEqual({
      "dev/named.js": "implicit-ask",
      "dev/other.js": "allow",
      "src/x": "allow",
    });
  });

  it("[P4] [X1] commands in the configurations of agents and of hooks for commits", async () => {
    const at = accepting({
      ".claude/settings.json": JSON.stringify({
        permissions: { allow: ["Edit(src/**)"] },
        hooks: { Stop: [{ hooks: [{ type: "command", command: "node hooks/stop.mjs" }] }] },
        apiKeyHelper: "keys/key.sh",
        awsAuthRefresh: "keys/aws.sh",
      }),
      ".codex/hooks.json": '{ "hooks": { "Stop": [{ "hooks": [{ "command": "hooks/codex.sh" }] }] } }',
      ".github/hooks/all.json": '{ "hooks": { "sessionStart": [{ "type": "command", "bash": "hooks/copilot.sh" }] } }',
      ".gemini/settings.json": '{ "tools": { "discoveryCommand": "hooks/gemini.sh" } }',
      ".cursor/hooks.json": '{ "hooks": { "stop": [{ "command": "hooks/cursor.sh" }] } } // with a comment',
      ".vscode/mcp.json": '{ "servers": { "a": { "command": "node", "args": ["server/a.js"], "cwd": "ops" } } }',
      "package.json": JSON.stringify({
        "lint-staged": { "*.ts": "node scripts/staged.mjs" },
        scripts: { start: "node src/a.js" },
      }),
    });
    const asked = [
      ...["hooks/stop.mjs", "hooks/cursor.sh", "server/a.js", "ops/a.js", "scripts/staged.mjs", "keys/key.sh"],
      ...["keys/aws.sh", "hooks/codex.sh", "hooks/copilot.sh", "hooks/gemini.sh"],
    ];
    const free = ["src/a.js", "src/a.ts", "hooks/other.sh"];
    expect(await decided(at, [...asked, ...free])).toEqual({ ...all(asked, "implicit-ask"), ...all(free, "allow") });
  });

  it("[P3] a refusal contains the reason", async () => {
    const at = accepting();
    const { say } = await open(at, { builtins: ["write"], callerIsAsked: false });
    expect(await say("write", { filePath: "src/a.ts", content: "x" })).toBe("Created src/a.ts (1 line, 1 byte).");
    expect(await say("write", { filePath: "package.json", content: "{}" })).toBe(
      `"write" was not allowed to run. The tool "write" writing "${join(at.project, "package.json")}" needs approval: its code or commands run without further approval, so the mode acceptEdits does not cover it. No person can be asked here, so it was refused. To allow it, the user can add {"tool":"write","match":"${join(at.project, "package.json")}","action":"allow"} to "permissions" in ${join(at.env.TOOLWRIGHT_HOME as string, "settings.json")}.`,
    );
  });
});
