import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Explanation } from "../../src/index.ts";
import { type Ended, ending } from "../support/cli.ts";
import { type Sandbox, sandbox } from "../support/fixture.ts";
import { open } from "../support/toolbox.ts";

const WRITES = `import { writeFileSync } from "node:fs";
export default { description: "Writes.", args: { path: { type: "string" } },
  access: ({ path }, { cwd }) => [
    { kind: "write", target: path.startsWith("/") ? path : cwd + "/" + path, named: true },
    { kind: "read", target: cwd + "/package.json" },
  ],
  execute: ({ path }, { directory }) => { writeFileSync(directory + "/ran", ""); return "wrote " + path; } };`;
const ASKS = `export default { description: "Asks.", async execute(_, context) {
  await context.ask({ permission: "deploy", patterns: ["prod"] });
  return "deployed";
} };`;
const FILES = { "writes.ts": WRITES, "asks.ts": ASKS };

const SETTINGS = `{
  // mine
  "permissions": [
    { "tool": "writes", "mach": "x", "action": "allow" },
    { "tool": "*", "match": "src/**", "action": "ask" },
    { "tool": "writes", "match": "secrets", "action": "deny" }, // never
    { "tool": "writes", "match": "docs", "agent": "scribe", "action": "allow" },
  ],
  "hooks": { "before": [{ "tool": "*", "command": "touch hooked" }] },
}
`;

const userFile = (at: Sandbox): string => join(at.env.TOOLWRIGHT_HOME as string, "settings.json");

function made(text = SETTINGS): Sandbox {
  const at = sandbox(FILES);
  mkdirSync(at.env.TOOLWRIGHT_HOME as string, { recursive: true });
  writeFileSync(userFile(at), text);
  return at;
}

describe("[P3] explaining a decision without making the call", () => {
  const explain = async (path: string, agent = ""): Promise<Explanation> => {
    const { toolbox } = await open(made(), { builtins: false });
    const explained = await toolbox.explain({ name: "writes", input: { path }, agent });
    if (!explained.ok) throw explained.error;
    return explained;
  };

  it("[P3] returns the decision on each access, with its rule", async () => {
    expect(await explain("src/a.ts")).toMatchObject({
      tool: "writes",
      agents: [""],
      mode: "default",
      decision: { action: "ask", ground: "rule", rule: { match: "src/**", from: "user", index: 0 } },
      decisions: [
        { action: "ask", access: { kind: "write" } },
        { action: "allow", ground: "inside", access: { kind: "read" } },
      ],
      offer: { choices: ["once", "session", "always"], rules: [{ tool: "writes", action: "allow" }] },
    });
    expect(await explain("secrets/a")).toMatchObject({ decision: { action: "deny", rule: { index: 1 } } });
    expect(await explain("docs/a")).toMatchObject({ decision: { action: "implicit-ask", ground: "no-rule" } });
    expect(await explain("docs/a", "scribe")).toMatchObject({ decision: { action: "allow", rule: { index: 2 } } });
    expect(await explain("/etc/x")).toMatchObject({ decision: { action: "ask", ground: "unnamed" } });
  });

  it("[P3] fails for an unknown tool or an invalid input", async () => {
    const at = made();
    const { toolbox } = await open(at, { builtins: false });
    expect(await toolbox.explain({ name: "writs" })).toMatchObject({ ok: false, error: { code: "unknown_tool" } });
    expect(await toolbox.explain({ name: "writes" })).toMatchObject({ ok: false, error: { code: "invalid_input" } });
    expect(existsSync(join(at.project, "ran"))).toBe(false);
    expect(existsSync(join(at.project, "hooked"))).toBe(false);
  });
});

describe("[P3] [P4] a tool that does not return its access", () => {
  it("has the same timeout for that as for a call", async () => {
    const slow = `import { z } from "zod";
export default { description: "Slow.", args: z.object({ a: z.string().refine(() => new Promise(() => {})) }),
  access: () => [], execute: () => "x" };`;
    const at = sandbox({ "slow.ts": slow });
    const { toolbox } = await open(at, { builtins: false, limits: { timeoutMs: 300 } });
    const explained = await toolbox.explain({ name: "slow", input: { a: "x" } });
    expect(explained).toMatchObject({ ok: false, error: { code: "timeout" } });
  });
});

const MAIN = fileURLToPath(new URL("../../src/surfaces/cli/main.ts", import.meta.url));

/** Runs the command line from its sources. */
function toolwright(at: Sandbox, args: readonly string[]): Promise<Ended> {
  const env = { ...at.env, NODE_NO_WARNINGS: "1" };
  return ending(spawn(process.execPath, [MAIN, ...args], { cwd: at.project, env, stdio: ["ignore", "pipe", "pipe"] }));
}

describe("[U1] [P3] toolwright permissions", () => {
  it("[P3] lists the rules in force, in order, with their files and lines", async () => {
    const at = made();
    const file = join(at.project, ".toolwright/settings.json");
    writeFileSync(file, '{ "mode": "plan", "permissions": [{ "tool": "asks", "action": "ask" }] }');
    const listed = await toolwright(at, ["permissions", "--trust"]);
    expect(listed).toMatchObject({ code: 0 });
    expect(listed.stdout).toBe(`Mode: plan (yours is default, the project's is plan: the stricter one applies)

Your rules (the last one that matches decides):
  ${userFile(at)}:5  {"tool":"*","match":"src/**","action":"ask"}
  ${userFile(at)}:6  {"tool":"writes","match":"secrets","action":"deny"}
  ${userFile(at)}:7  {"tool":"writes","match":"docs","agent":"scribe","action":"allow"}

The project's rules (they can only restrict yours):
  .toolwright/settings.json:1  {"tool":"asks","action":"ask"}
`);
    const { stdout } = await toolwright(at, ["permissions", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      mode: "default",
      modes: { user: "default" },
      rules: [
        { tool: "*", from: "user", file: userFile(at), position: 1, line: 5 },
        { position: 2, line: 6 },
        { position: 3, line: 7 },
      ],
      ignored: ["mode", "permissions"],
    });
    const untrusted = await toolwright(at, ["permissions"]);
    expect(untrusted.stdout).toMatch(
      /\nThis project is not trusted, so these of its settings are ignored: mode, permissions\n$/,
    );
  });

  it("[P3] reports that there are no rules", async () => {
    expect((await toolwright(made("{}"), ["permissions"])).stdout).toBe("Mode: default\nNo rules: the mode decides.\n");
  });

  it("[P3] explains a call, and makes none", async () => {
    const at = made();
    const explain = async (...args: string[]): Promise<Ended> =>
      toolwright(at, ["permissions", "explain", "writes", "--trust", ...args]);
    const asked = await explain("--path", "src/a.ts");
    const target = join(at.project, "src/a.ts");
    expect(asked.stdout).toBe(`writes: asks

  asks
    The tool "writes" writing "${target}" needs approval under the user's rule {"tool":"*","match":"src/**","action":"ask"}.
    Rule 1 in ${userFile(at)}:5

  allowed
    The tool "writes" reading "${join(at.project, "package.json")}" is allowed: it is inside the project.

Mode: default
Typed as "toolwright run": a person is asked.
Called by a model: a person is asked, or, if no person can be asked, it is refused.
To allow it always, add to "permissions" in ${userFile(at)}:
  {"tool":"writes","match":"${target}","action":"allow"}
`);
    const agreed = await explain("--input", '{"path":"other"}', "--agent", "build");
    expect(agreed.stdout).toContain(`Mode: default. Agent: build
Typed as "toolwright run": it runs: typing the command is the approval.
Called by a model: a person is asked, or, if no person can be asked, it is refused.
`);
    const denied = await explain("--path", "secrets/a", "--json");
    expect(JSON.parse(denied.stdout)).toMatchObject({
      tool: "writes",
      agents: [""],
      mode: "default",
      decision: {
        action: "deny",
        rule: { tool: "writes", match: "secrets", from: "user", file: userFile(at), position: 2, line: 6 },
      },
      outcomes: { run: "refused", attended: "refused", unattended: "refused" },
      always: null,
    });
    expect(existsSync(join(at.project, "ran"))).toBe(false);
    expect(existsSync(join(at.project, "hooked"))).toBe(false);
  });

  it.each<[readonly string[], string, number]>([
    [["explain", "writs"], 'There is no tool "writs". Did you mean "write" or "writes"?', 2],
    [["explain", "writes"], 'The input for "writes" is not valid:\n- /path: is required, expected string', 2],
    [["explain", "writes", "--input", "{"], "--input is not valid JSON", 2],
    [["explain"], "Missing argument. Usage: toolwright permissions", 2],
    [["explian", "writes"], 'Unknown argument "explian". Did you mean "explain"?', 2],
    [["--path", "a"], "Unknown option --path. See --help.", 2],
  ])("[U1] permissions %j is a usage error", async (args, message, code) => {
    const ended = await toolwright(made(), ["permissions", "--trust", ...args]);
    expect(ended.stderr).toContain(`toolwright: ${message}`);
    expect(ended).toMatchObject({ code, stdout: "" });
  });

  it("[D7] does not explain a tool of an untrusted project", async () => {
    const ended = await toolwright(made(), ["permissions", "explain", "writes", "--path", "a"]);
    expect(ended.stderr).toContain('"writes" belongs to a project that is not trusted.');
    expect(ended.code).toBe(1);
  });
});

describe("[P3] the question on a terminal", () => {
  const hasScript = spawnSync("script", ["--version"]).status === 0;

  /** Runs a command in a new pseudo-terminal and types one line at the question. */
  async function typed(
    at: Sandbox,
    args: readonly string[],
    line: string,
  ): Promise<{ code: number | null; shown: string }> {
    const words = [process.execPath, MAIN, ...args, "--trust"].map((word) => `'${word}'`).join(" ");
    const env = { ...at.env, TERM: "xterm", NODE_NO_WARNINGS: "1" };
    const child = spawn("script", ["-qec", words, "/dev/null"], { cwd: at.project, env });
    let asked = false;
    child.stdout.on("data", (text: Buffer) => {
      if (asked || !text.toString().includes("[y/N]")) return;
      asked = true;
      child.stdin.write(`${line}\n`);
    });
    const { code, stdout } = await ending(child);
    return { code, shown: stdout.replaceAll("\r\n", "\n") };
  }

  it.skipIf(!hasScript)('[P3] "always" shows the rule and the file, and writes it', async () => {
    const at = made('{ "permissions": [{ "tool": "writes", "action": "ask" }] }');
    const { code, shown } = await typed(at, ["run", "writes", "--path", "a"], "a");
    const match = join(at.project, "a");
    const read = join(at.project, "package.json");
    expect(
      shown,
    ).toContain(`The tool "writes" writing "${match}" needs approval under the user's rule {"tool":"writes","action":"ask"}. The tool "writes" reading "${read}" needs approval under the user's rule {"tool":"writes","action":"ask"}.
  y  yes, this once
  a  always: adds {"tool":"writes","match":"${match}","action":"allow"}, {"tool":"writes","match":"${read}","action":"allow"} to ${userFile(at)}
  n  no, or type a reason for the model
Allow it? [y/N]`);
    expect({ code, done: shown.includes("wrote a") }).toEqual({ code: 0, done: true });
    expect(readFileSync(userFile(at), "utf8")).toBe(
      `{ "permissions": [{ "tool": "writes", "action": "ask" }, { "tool": "writes", "match": "${match}", "action": "allow" }, { "tool": "writes", "match": "${read}", "action": "allow" }] }`,
    );
    expect(await toolwright(at, ["run", "writes", "--path", "a", "--trust"])).toMatchObject({ code: 0 });
  });

  it.skipIf(!hasScript)("[P3] a typed reason reaches the model", async () => {
    const at = made('{ "permissions": [{ "tool": "writes", "action": "ask" }] }');
    const { code, shown } = await typed(at, ["run", "writes", "--path", "a"], "not on Fridays");
    expect(code).toBe(1);
    expect(shown).toContain('"writes" was not allowed to run. The user said: not on Fridays.');
    const plain = await typed(at, ["run", "writes", "--path", "a"], "no");
    expect(plain.shown).toContain(
      '"writes" was not allowed to run. The user said no. Find another way, or tell the user.',
    );
  });

  it.skipIf(!hasScript)("[P3] a permission that a tool requests is not offered for the shared session", async () => {
    const { code, shown } = await typed(made("{}"), ["run", "asks"], "y");
    expect(shown).toContain("  y  yes, this once\n");
    expect(shown).not.toContain("  s  ");
    expect({ code, done: shown.includes("deployed") }).toEqual({ code: 0, done: true });
  });
});
