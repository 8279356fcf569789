import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Sandbox, sandbox } from "./support/fixture.ts";
import { open } from "./support/toolbox.ts";

/** A project in the mode acceptEdits, with these files in it, by their paths. */
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

/** What is decided on writing each of these paths. */
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

  it("[P3] tool files, what they import, and files that an import would find instead", async () => {
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

  it("[P4] [X1] the scripts of hooks, however the command names them, and what those scripts name", async () => {
    const at = accepting(
      {
        "hooks/check.mjs": 'import { a } from "./lib.mjs";\nawait import("../shared/rules");',
        "hooks/lib.mjs": 'import "./deeper.mjs";',
        "hooks/deeper.mjs": "",
        "shared/rules.js": "",
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
      ...["hooks/check.mjs", "hooks/lib.mjs", "hooks/deeper.mjs", "shared/rules.js", "preload.cjs", "scripts/run.sh"],
      ...["scripts/env.sh", "scripts/step.sh", "scripts/judge.py", "scripts/verdict.py", "scripts/pack/inner.py"],
      ...["my scripts/a b.js", "in/a/dir.sh", "plain.js", "guard/main.py", "tools/guard.js", "not/there/yet.sh"],
      ...["Hooks/CHECK.mjs", "hooks/../hooks/check.mjs"],
    ];
    const free = ["hooks/other.mjs", "scripts/other.sh", "src/index.js", "src/a.ts", "in/a/other.sh"];
    expect(await decided(at, [...asked, ...free])).toEqual({ ...all(asked, "implicit-ask"), ...all(free, "allow") });
  });

  it("[A6] [A7] [X1] what the commands of JSON tools and of imported MCP servers name", async () => {
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

  it("[X1] wherever links lead, in both directions", async () => {
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

  it("[P3] a refusal says why", async () => {
    const at = accepting();
    const { say } = await open(at, { builtins: ["write"], callerIsAsked: false });
    expect(await say("write", { filePath: "src/a.ts", content: "x" })).toBe("Created src/a.ts (1 line, 1 byte).");
    expect(await say("write", { filePath: "package.json", content: "{}" })).toBe(
      `"write" was not allowed to run. The tool "write" writing "${join(at.project, "package.json")}" needs a yes: its code or commands run without a further question, so the mode acceptEdits does not cover it. Nobody can be asked here, so it was refused. Find another way, or tell the user.`,
    );
  });
});
