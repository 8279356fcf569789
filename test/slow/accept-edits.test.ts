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
      { hooks: { before: [{ tool: "*", command: "npx eslint src && node scripts/check.mjs" }] } },
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

  it("[P4] [X1] the scripts of hooks, however the command names them, and the scripts that those name", async () => {
    const at = accepting(
      {
        "hooks/check.mjs": 'import { a } from "./lib.mjs";\nawait import("../common/rules");',
        "hooks/lib.mjs": 'import "./deeper.mjs";',
        "hooks/deeper.mjs": "",
        "common/rules.js": "",
        "scripts/run.sh": '. ./scripts/env.sh\n"$(dirname "$0")"/step.sh\npython3 scripts/judge.py\n',
        "scripts/env.sh": "",
        "scripts/step.sh": "",
        "scripts/judge.py": "from verdict import say\nimport pack.inner\n",
        "scripts/verdict.py": "",
        "scripts/pack/inner.py": "",
        "my scripts/a b.js": "",
        "plain.js": "",
        "preload.cjs": "",
        "in/a/dir.sh": "",
        "guard/main.py": "",
        "package.json": '{ "main": "src/index.js", "scripts": { "guard": "node tools/guard.js" } }',
        "tools/guard.js": "",
        "src/index.js": "",
      },
      {
        hooks: {
          before: [
            { tool: "*", command: ["node", "--require=./preload.cjs", "hooks/check.mjs"] },
            { tool: "x", command: 'sh "$PWD/scripts/run.sh" && node "my scripts/a b.js"; npm run -s guard' },
            { tool: "y", command: "cd in/a && ./dir.sh; node plain; python3 -m guard.main" },
          ],
          after: [{ tool: "z", command: ["sh", "-c", "exec not/there/yet.sh"] }],
        },
      },
    );
    const asked = [
      ...["hooks/check.mjs", "hooks/lib.mjs", "hooks/deeper.mjs", "common/rules.js", "preload.cjs", "scripts/run.sh"],
      ...["scripts/env.sh", "scripts/step.sh", "scripts/judge.py", "scripts/verdict.py", "scripts/pack/inner.py"],
      ...["my scripts/a b.js", "in/a/dir.sh", "plain.js", "guard/main.py", "tools/guard.js", "not/there/yet.sh"],
      ...["Hooks/CHECK.mjs", "hooks/../hooks/check.mjs"],
    ];
    const free = ["hooks/other.mjs", "scripts/other.sh", "src/index.js", "src/a.ts", "in/a/other.sh"];
    expect(await decided(at, [...asked, ...free])).toEqual({ ...all(asked, "implicit-ask"), ...all(free, "allow") });
  });

  it("[A6] [A7] [X1] files that the commands of JSON tools and of imported MCP servers name", async () => {
    const at = accepting(
      {
        ".toolwright/tools/shell.json": JSON.stringify({
          name: "shell",
          description: "Runs a script.",
          parameters: { type: "object", properties: {} },
          handler: { type: "shell", command: "sh scripts/deploy.sh" },
        }),
        "scripts/deploy.sh": "",
        ".mcp.json": JSON.stringify({
          mcpServers: {
            one: { command: "node", args: ["server/main.js"], env: { NODE_OPTIONS: "--import ./server/pre.js" } },
          },
        }),
        "server/main.js": 'import "./part.js"; process.exit(1);',
        "server/part.js": "",
        "server/pre.js": "",
      },
      { mcp: { import: true } },
    );
    const asked = ["scripts/deploy.sh", "server/main.js", "server/part.js", "server/pre.js"];
    const free = ["scripts/other.sh", "server/other.js", "src/a.ts"];
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

  it("[X1] the folder that Git runs hooks from", async () => {
    const at = accepting({ ".git/config": "[core]\n\tbare = false\n\thooksPath = ci/git\n", "ci/git/pre-commit": "" });
    expect(await decided(at, ["ci/git/pre-commit", "ci/git/new", "ci/a.sh"])).toEqual({
      "ci/git/pre-commit": "implicit-ask",
      "ci/git/new": "implicit-ask",
      "ci/a.sh": "allow",
    });
  });

  it("[X1] files that the configuration of Git names, also in a worktree", async () => {
    const config = [
      '[core]\n\tfsmonitor = tools/watch.sh\n[filter "x"]\n\tclean = ./tools/clean\n[alias]\n\tst = !scripts/st.py',
      "[include]\n\tpath = ../dev/gitconfig\n[core] hooksPath = old/hooks\n[core]\n\thooksPath = ci/git ; kept here\n",
    ].join("\n");
    const files = {
      "tools/clean": "",
      "tools/watch.sh": "sh tools/inner.sh",
      "tools/inner.sh": "",
      "dev/gitconfig": "",
    };
    const asked = [
      ...["tools/watch.sh", "tools/clean", "tools/inner.sh", "scripts/st.py", "ci/git/pre-commit", "old/hooks/a"],
    ];
    const free = ["tools/other.sh", "ci/a.sh", "src/a.ts"];
    const expected = { ...all(asked, "implicit-ask"), ...all(free, "allow") };
    const at = accepting({ ".git/config": config, ...files });
    expect(await decided(at, [...asked, ...free, "dev/gitconfig"])).toEqual({
      ...expected,
      "dev/gitconfig": "implicit-ask",
    });

    const tree = accepting(files);
    const main = join(tree.root, "main/.git");
    rmSync(join(tree.project, ".git"), { recursive: true });
    mkdirSync(join(main, "worktrees/a"), { recursive: true });
    writeFileSync(join(tree.project, ".git"), `gitdir: ${main}/worktrees/a\n`);
    writeFileSync(join(main, "worktrees/a/commondir"), "../..\n");
    writeFileSync(join(main, "config"), config);
    expect(await decided(tree, [...asked, ...free])).toEqual(expected);
  });

  it("[P4] [X1] a whole folder that a command runs, and the main of its package.json", async () => {
    const at = accepting(
      {
        "package.json": '{ "main": "lib/main.js" }',
        "lib/main.js": 'require("./part")',
        "lib/part.js": "",
        "tool/package.json": '{ "main": "deep/run.js" }',
        "tool/deep/run.js": "",
        "cmd/server/main.go": "",
        "guard/__main__.py": "",
        "guard/rules.py": "",
        "test/a.test.js": "",
        "src/a.ts": "",
      },
      {
        hooks: {
          before: [
            { tool: "a", command: "node ." },
            { tool: "b", command: ["node", "tool"] },
            { tool: "c", command: "go run ./cmd/server" },
            { tool: "d", command: "python3 -m guard" },
            { tool: "e", command: "node --test test && npm run src && bun run test && npx eslint src" },
          ],
        },
      },
    );
    const asked = [
      ...["lib/main.js", "lib/part.js", "tool/deep/run.js", "tool/new.js", "cmd/server/main.go", "cmd/server/new.go"],
      ...["guard/__main__.py", "guard/rules.py"],
    ];
    const free = ["lib/other.js", "cmd/other/main.go", "test/a.test.js", "test/new.js", "src/a.ts", "src/new/b.ts"];
    expect(await decided(at, [...asked, ...free])).toEqual({ ...all(asked, "implicit-ask"), ...all(free, "allow") });
  });

  it("[P4] [X1] the scripts of package.json that a command runs, and no others", async () => {
    const scripts = {
      start: "node src/index.js",
      dev: "tsx watch src/server.ts",
      test: "node --test test/",
      prebuild: "node scripts/pre.mjs",
      build: "run-s inner:*",
      "inner:a": "node scripts/a.mjs",
      lint: "node scripts/lint.mjs",
      postinstall: "node scripts/installed.mjs",
    };
    const at = accepting(
      {
        "package.json": JSON.stringify({ scripts, "lint-staged": { "*.ts": "node scripts/staged.mjs" } }),
        ".husky/pre-commit": "npm run lint\nmake check\n",
        Makefile: "check:\n\tsh scripts/check.sh\nstart:\n\tnpm start\n",
        "src/index.js": "",
        "src/server.ts": "",
        "test/a.test.js": "",
      },
      { hooks: { after: [{ tool: "edit", command: "npx prettier --write src && npm run build" }] } },
    );
    const asked = ["pre", "a", "lint", "staged"].map((name) => `scripts/${name}.mjs`).concat("scripts/check.sh");
    const free = ["src/index.js", "src/server.ts", "test/a.test.js", "scripts/installed.mjs", "src/new.ts"];
    expect(await decided(at, [...asked, ...free])).toEqual({ ...all(asked, "implicit-ask"), ...all(free, "allow") });
  });

  it("[P4] [X1] programs without an extension that a shell script names", async () => {
    const at = accepting(
      {
        "scripts/run": "#!/bin/sh\nbin/step --all docs/guide\ncd tools/deep && ./x\n. scripts/env\n",
        ".envrc": "source_env dev/.envrc\nsource dev/env.sh\n",
        "bin/step": "",
        "bin/other": "",
        "tools/deep/x": "",
        "docs/guide/a.md": "",
      },
      { hooks: { before: [{ tool: "*", command: "scripts/run" }] } },
    );
    const asked = ["scripts/run", "bin/step", "tools/deep/x", "scripts/env", "dev/.envrc", "dev/env.sh"];
    const free = ["bin/other", "docs/guide/a.md", "tools/deep/y", "src/a.ts"];
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
