import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "smol-toml";
import { beforeAll, describe, expect, it } from "vitest";
import type { Level, UserEnvironment } from "../src/agents/setup/agent.ts";
import { targetAt } from "../src/agents/setup/agent-files.ts";
import { findAgent } from "../src/agents/setup/agents.ts";
import { applyAgreed, applyPlan } from "../src/agents/setup/apply-plan.ts";
import { findInstallations } from "../src/agents/setup/find-installations.ts";
import { type Plan, planInstall, planUninstall } from "../src/agents/setup/plan.ts";
import type { ConfigTarget } from "../src/agents/setup/target.ts";
import { resolveLinks } from "../src/platform/files/real-path.ts";
import { parseJson } from "../src/platform/json/parse-json.ts";
import { CLI, cli, ensureBuilt } from "./support/cli.ts";
import { sandbox } from "./support/fixture.ts";
import { put } from "./support/temporary.ts";

const LAUNCH = { command: "/usr/bin/node", args: ["/opt/toolwright/dist/cli.mjs", "mcp"] };

/** Texts of configurations: written by people, written by programs, and damaged. */
const JSON_TEXTS: Record<string, string> = {
  nothing: "",
  "white space alone": " \n\t\n",
  "a byte order mark alone": "\uFEFF",
  "comments alone": "// mine\n/* and\nmine */\n",
  "comments alone, without a last line end": "// mine",
  "an empty object": "{}",
  "an empty object with a comment in it": "{ /* nothing yet */ }\n",
  "no last line end": '{\n  "a": 1\n}',
  "Windows lines": '{\r\n  "a": 1,\r\n  "mcpServers": {\r\n    "b": {}\r\n  }\r\n}\r\n',
  "both kinds of line breaks": '{\r\n  "a": 1,\n  "mcpServers": {\n    "b": {}\r\n  }\n}\r\n',
  "a byte order mark, Windows lines and tabs": '\uFEFF{\r\n\t"mcpServers": {\r\n\t\t"b": {}\r\n\t}\r\n}\r\n',
  "trailing commas everywhere": '{\n  "mcpServers": {\n    "b": { "args": [1, 2,], },\n  },\n}\n',
  "comments between entries, and commas in them":
    '{\n  "mcpServers": {\n    // one, two\n    "b": {}, // b, the last\n    /* "c": {}, */\n  }\n}\n',
  "a comment after the last entry, without a comma": '{\n  "mcpServers": {\n    "b": {} // b }\n  }\n}\n',
  "a comment before the comma": '{\n  "mcpServers": {\n    "b": {} /* b */, "c": {}\n  }\n}\n',
  "an empty section over two lines": '{\n  "mcpServers": {\n  }\n}\n',
  "one line": '{"mcpServers":{"b":{"command":"x"}},"z":[]}',
  "text after the object": '{ "a": 1 }\n\n// the end',
  "the name toolwright elsewhere":
    '{ "toolwright": { "mcpServers": 1 }, "projects": { "mcpServers": { "toolwright": {} } } }\n',
  "braces and escapes in strings": '{ "a": "}\\" // no", "mcpServers": { "}": { "command": "\\u007b" } } }\n',
  "no indentation": '{\n"a": 1,\n"mcpServers": {\n"b": {}\n}\n}\n',
  "large numbers": '{ "id": 12345678901234567890, "f": 1.10, "mcpServers": {} }\n',
  "a key that is special to JavaScript": '{ "mcpServers": { "__proto__": { "command": "x" }, "constructor": {} } }\n',
};

const TOML_TEXTS: Record<string, string> = {
  nothing: "",
  "white space alone": " \n\n",
  "a byte order mark alone": "\uFEFF",
  "comments alone": "# mine\n",
  "comments alone, without a last line end": "# mine",
  "no last line end": "a = 1",
  "Windows lines": 'a = 1\r\n\r\n[mcp_servers.b]\r\ncommand = "x"\r\n',
  "both kinds of line breaks": 'a = 1\r\n[mcp_servers.b]\ncommand = "x"\r\n',
  "a byte order mark and tabs": '\uFEFF\ta = 1\n\t[mcp_servers.b]\n\tcommand = "x"\n',
  "servers as inline tables": '[mcp_servers]\nb = { command = "x", env = { A = "1" } }\n',
  "servers as dotted keys": 'mcp_servers.b.command = "x"\nmcp_servers.b.args = []\n\n[other]\na = 1\n',
  "a table for one above it": '[mcp_servers.b]\ncommand = "x"\n\n[mcp_servers]\n',
  "lists of tables": '[[profiles]]\nname = "a"\n[[profiles]]\nname = "b"\n[profiles.mcp_servers.toolwright]\nx = 1\n',
  "comments between tables": '# a\n[mcp_servers.b] # b\ncommand = "x" # c\n# d\n\n# e\n[z]\n',
  "strings over several lines": "a = \"\"\"\n[mcp_servers.toolwright]\n\"\"\"\nb = '''\n[x\n'''\n",
  "lists over several lines": 'a = [\n  "[mcp_servers.toolwright]", # ]\n  [1, 2],\n]\n',
  "quoted keys": '["mcp_servers"."b.c"]\n"com\\"mand" = "x"\n',
  "large numbers and dates": "big = 9223372036854775807\nwhen = 1979-05-27T07:32:00-08:00\nday = 1979-05-27\n",
};

describe.each<[string, string, Record<string, string>, (text: string) => unknown]>([
  ["gemini", "mcpServers", JSON_TEXTS, (text) => parseJson(text, { allowEmpty: true }).value ?? {}],
  ["codex", "mcp_servers", TOML_TEXTS, (text) => parse(text, { integersAsBigInt: "asNeeded" })],
])("[M3] %s: the text outside the entry in %s is unchanged", (id, section, texts, read) => {
  const value = (text: string): Record<string, Record<string, unknown>> =>
    read(text.replace(/^\uFEFF/, "")) as Record<string, Record<string, unknown>>;

  it.each(Object.entries(texts))("%s", (_, before) => {
    const at = target(id);
    put(at.file, before);
    carryOut(at, planInstall(at, LAUNCH, { force: false }));
    const installed = readFileSync(at.file, "utf8");
    const { [section]: servers, ...rest } = value(installed);
    const { toolwright, ...others } = servers ?? {};
    expect(toolwright).toEqual({ ...LAUNCH, ...at.agent.loadFields });
    const { [section]: serversBefore, ...restBefore } = value(before);
    expect([rest, others]).toEqual([restBefore, serversBefore ?? {}]);
    expect(isWithin(before, installed)).toBe(true);
    carryOut(at, planUninstall(at, LAUNCH, { force: false }));
    expect(readFileSync(at.file, "utf8")).toBe(before);

    // Uninstalling works the same without a record of the original text.
    writeFileSync(at.file, installed);
    carryOut(at, planUninstall(at, LAUNCH, { force: false }));
    const left = existsSync(at.file) ? readFileSync(at.file, "utf8") : "";
    const { [section]: serversLeft, ...restLeft } = value(left);
    expect([restLeft, serversLeft ?? {}]).toEqual([restBefore, serversBefore ?? {}]);
    expect(isWithin(left, installed)).toBe(true);
  });
});

/** Whether the first text is the second with parts removed. */
function isWithin(part: string, whole: string): boolean {
  let at = 0;
  for (const character of whole) if (character === part[at]) at += 1;
  return at === part.length;
}

describe("[M3] an unusual file", () => {
  beforeAll(ensureBuilt);

  it("a folder at its path is not touched", () => {
    const at = target("cursor");
    mkdirSync(at.file, { recursive: true });
    const refused = {
      kind: "refused",
      problem: `${at.file} is not a file. Nothing was changed. Correct it, then run this again.`,
    };
    expect(planInstall(at, LAUNCH, { force: true })).toEqual(refused);
    expect(planUninstall(at, LAUNCH, { force: true })).toEqual(refused);
  });

  it("a read-only file is not changed, even by an administrator", () => {
    const at = target("cursor");
    chmodSync(put(at.file, "{}"), 0o444);
    expect(() => carryOut(at, planInstall(at, LAUNCH, { force: false }))).toThrow(
      `${at.file} cannot be changed: it is read-only. Check the permissions of the file and its folder, then run this again.`,
    );
    expect(readFileSync(at.file, "utf8")).toBe("{}");
    expect(readdirSync(dirname(at.file))).toEqual(["mcp.json"]);
  });

  it("a folder that cannot be created is reported", () => {
    const at = target("cursor");
    put(dirname(at.file), "a file");
    const plan = planInstall(at, LAUNCH, { force: false });
    expect(plan).toEqual({
      kind: "refused",
      problem: `${at.file} cannot be read: ENOTDIR: not a directory, stat '${at.file}'. Nothing was changed. Correct it, then run this again.`,
    });
  });

  it("links stay links: relative ones, chains of links, and a link below a linked folder", () => {
    const surroundings = machine();
    const { home } = surroundings;
    const real = put(join(home, "dotfiles/zed/settings.json"), "// mine\n{}\n");
    symlinkSync("zed", join(home, "dotfiles/current"));
    mkdirSync(join(home, ".config"));
    symlinkSync("../dotfiles/current", join(home, ".config/zed"));
    const linked = target("zed", "user", surroundings);
    rmSync(real);
    put(join(home, "dotfiles/common.json"), "// mine\n{}\n");
    symlinkSync("../common.json", real);

    carryOut(linked, planInstall(linked, LAUNCH, { force: false }));
    expect(readFileSync(join(home, "dotfiles/common.json"), "utf8")).toContain("toolwright");
    carryOut(linked, planUninstall(linked, LAUNCH, { force: false }));
    expect(readFileSync(join(home, "dotfiles/common.json"), "utf8")).toBe("// mine\n{}\n");
    for (const link of [join(home, ".config/zed"), join(home, "dotfiles/current"), real]) {
      expect(lstatSync(link).isSymbolicLink()).toBe(true);
    }
    expect(readdirSync(join(home, "dotfiles")).sort()).toEqual(["common.json", "current", "zed"]);
  });

  it.each<[string, (project: string, outside: string) => string]>([
    ["the file is a link", (project, outside) => link(join(outside, "mcp.json"), join(project, ".cursor/mcp.json"))],
    ["by a relative path", (project) => link("../../outside/mcp.json", join(project, ".cursor/mcp.json"))],
    ["its folder is a link", (project, outside) => link(outside, join(project, ".cursor"))],
    [
      "a link leads to a link",
      (project, outside) => {
        link(outside, join(project, "middle"));
        return link("../middle/mcp.json", join(project, ".cursor/mcp.json"));
      },
    ],
    [
      "its folder is a link through another folder",
      (project, outside) => {
        link(dirname(outside), join(project, "assets/up"));
        return link("assets/up/outside", join(project, ".cursor"));
      },
    ],
    ["there is no file yet", (project, outside) => link(join(outside, "new.json"), join(project, ".cursor/mcp.json"))],
    ["there is no folder yet", (project, outside) => link(join(outside, "new"), join(project, ".cursor"))],
  ])("[X1] a file outside the project is neither edited through a link nor copied into it: %s", (_, make) => {
    const surroundings = machine();
    const { project } = surroundings;
    const outside = join(dirname(project), "outside");
    const secret = put(join(outside, "mcp.json"), '{ "mcpServers": { "a": { "env": { "KEY": "s3cret" } } } }\n');
    make(project, outside);
    const before = readdirSync(project, { recursive: true });
    const at = target("cursor", "project", surroundings);
    const leads = resolveLinks(at.file);
    for (const force of [false, true]) {
      const refused = {
        kind: "refused",
        problem: `${at.file} is a link out of the project, to ${leads}. Nothing was changed. Replace the link with a file, or edit ${leads} yourself.`,
      };
      expect(planInstall(at, LAUNCH, { force })).toEqual(refused);
      expect(planUninstall(at, LAUNCH, { force })).toEqual(refused);
    }
    expect(readFileSync(secret, "utf8")).toBe('{ "mcpServers": { "a": { "env": { "KEY": "s3cret" } } } }\n');
    expect(readdirSync(outside)).toEqual(["mcp.json"]);
    expect(readdirSync(project, { recursive: true })).toEqual(before);
    const [cursor] = findInstallations(surroundings, LAUNCH).filter(({ id }) => id === "cursor");
    expect(cursor?.problems).toEqual([`${at.file} is a link out of the project, to ${leads}. It was not read.`]);
  });

  it("[X1] a link that is created after the change was confirmed is not followed", () => {
    const surroundings = machine();
    const at = target("cursor", "project", surroundings);
    put(at.file, "{}\n");
    const plan = planInstall(at, LAUNCH, { force: false });
    const secret = put(join(dirname(surroundings.project), "outside.json"), "{}\n");
    rmSync(at.file);
    link(secret, at.file);
    expect(() => carryOut(at, plan)).toThrow(/is a link out of the project/);
    expect(readFileSync(secret, "utf8")).toBe("{}\n");
  });

  it("a file behind a link inside the project is edited, and the link stays", () => {
    const surroundings = machine();
    const real = put(join(surroundings.project, "configs/cursor.json"), "{}\n");
    const at = target("cursor", "project", surroundings);
    link("../configs/cursor.json", at.file);
    carryOut(at, planInstall(at, LAUNCH, { force: false }));
    expect(readFileSync(real, "utf8")).toContain("/opt/toolwright/dist/cli.mjs");
    expect(lstatSync(at.file).isSymbolicLink()).toBe(true);
    carryOut(at, planUninstall(at, LAUNCH, { force: false }));
    expect(readFileSync(real, "utf8")).toBe("{}\n");
  });

  it("[X2] the copy of a configuration is private, and not in the project", () => {
    const surroundings = machine();
    const at = target("cursor", "project", surroundings);
    chmodSync(put(at.file, '{ "key": "s3cret" }\n'), 0o644);
    const { backup = "" } = carryOut(at, planInstall(at, LAUNCH, { force: false }));
    expect(dirname(backup)).toBe(join(surroundings.home, ".toolwright/backups"));
    expect(readFileSync(backup, "utf8")).toBe('{ "key": "s3cret" }\n');
    expect([statSync(backup).mode & 0o777, statSync(dirname(backup)).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(readdirSync(dirname(at.file))).toEqual(["mcp.json"]);
    carryOut(at, planUninstall(at, LAUNCH, { force: false }));
    expect(existsSync(backup)).toBe(false);
  });

  it.each<[string, (home: string, repository: string) => void]>([
    ["the home folder is a repository", (home) => git(home, "init", "-q")],
    [
      "~/.toolwright is a link into a repository",
      (home, repository) => {
        mkdirSync(join(repository, "toolwright"), { recursive: true });
        git(repository, "init", "-q");
        link(join(repository, "toolwright"), join(home, ".toolwright"));
      },
    ],
  ])("[X2] git does not offer to commit the copy if %s", (_, make) => {
    const surroundings = machine();
    const repository = join(dirname(surroundings.home), "dotfiles");
    mkdirSync(surroundings.home, { recursive: true });
    make(surroundings.home, repository);
    const at = target("cursor", "user", surroundings);
    put(at.file, '{ "key": "s3cret" }\n');
    const { backup = "" } = carryOut(at, planInstall(at, LAUNCH, { force: false }));
    expect(git(dirname(backup), "status", "--porcelain", "--untracked-files=all", ".")).toBe("");
  });

  it("links in a circle are reported", () => {
    const at = target("cursor");
    mkdirSync(dirname(at.file), { recursive: true });
    symlinkSync("mcp.json", at.file);
    expect(planInstall(at, LAUNCH, { force: false })).toMatchObject({
      kind: "refused",
      problem: expect.stringMatching(/ELOOP.* Nothing was changed. Correct it, then run this again\.$/),
    });
  });

  const long = "x".repeat(1_000);
  it.each([
    ["claude-code", "{\n", (n: number) => `  "k${n}": { "a": [${n}, "${long}, } //"] },\n`, '  "last": 1\n}\n'],
    ["codex", "# mine\n", (n: number) => `[t${n}]\na = [${n}, "${long}, ] #"]\n`, "[last]\n"],
  ])("%s: one of five megabytes", (id, start, line, end) => {
    const at = target(id);
    const lines = Array.from({ length: Math.ceil(5_000_000 / line(0).length) }, (_, n) => line(n));
    const before = `${start}${lines.join("")}${end}`;
    put(at.file, before);
    carryOut(at, planInstall(at, LAUNCH, { force: false }));
    expect(readFileSync(at.file, "utf8")).toContain("/opt/toolwright/dist/cli.mjs");
    carryOut(at, planUninstall(at, LAUNCH, { force: false }));
    expect(readFileSync(at.file, "utf8") === before).toBe(true);
  });

  it.runIf(canMount())("a file that is a mount point, as in a container, is written in place", () => {
    const at = sandbox();
    const outside = put(join(at.root, "outside.json"), "{}\n");
    const inside = put(join(at.home, ".cursor/mcp.json"), "");
    const run = (command: string): string => `"${process.execPath}" "${CLI}" ${command} cursor --yes`;
    const script = `mount --bind "${outside}" "${inside}" && ${run("install")} && cp "${outside}" "${at.root}/installed" && ${run("uninstall")}`;
    const { status } = spawnSync("unshare", ["-rm", "sh", "-c", script], { cwd: at.project, env: at.env });
    expect(status).toBe(0);
    expect(readFileSync(join(at.root, "installed"), "utf8")).toContain('"toolwright"');
    expect(readFileSync(outside, "utf8")).toBe("{}\n");
  });

  it("folders that were created for it are removed with it, unless they contain other files", () => {
    const at = target("vscode");
    carryOut(at, planInstall(at, LAUNCH, { force: false }));
    carryOut(at, planUninstall(at, LAUNCH, { force: false }));
    expect(readdirSync(at.environment.home)).toEqual([]);

    put(join(at.environment.home, ".config/Code/other"));
    carryOut(at, planInstall(at, LAUNCH, { force: false }));
    carryOut(at, planUninstall(at, LAUNCH, { force: false }));
    expect(readdirSync(join(at.environment.home, ".config/Code"))).toEqual(["other"]);
  });
});

describe("[M3] a file that another program changes in the meantime", () => {
  beforeAll(ensureBuilt);

  const force = { force: false };
  const install = (at: ConfigTarget): Plan => planInstall(at, LAUNCH, force);

  it("gets the confirmed change on top of its current text", async () => {
    const at = target("claude-code");
    put(at.file, '{ "numStartups": 1 }');
    const plan = change(install(at));
    writeFileSync(at.file, '{ "numStartups": 2 }');
    const { backup } = await applyAgreed(at, plan, install);
    expect(JSON.parse(readFileSync(at.file, "utf8"))).toMatchObject({ numStartups: 2, mcpServers: { toolwright: {} } });
    expect(readFileSync(String(backup), "utf8")).toBe('{ "numStartups": 2 }');
  });

  it("is not changed if Toolwright's folder cannot be written, and the error explains what to do", async () => {
    const at = target("claude-code");
    const own = put(join(at.environment.home, ".toolwright"), "a file, not a folder");
    put(at.file, "{}");
    await expect(applyAgreed(at, change(install(at)), install)).rejects.toThrow(
      `${own} cannot be written: EEXIST: file already exists, mkdir '${own}'. Nothing was changed. Make it writable, or set TOOLWRIGHT_HOME to a folder that is, then run this again.`,
    );
    expect(readFileSync(at.file, "utf8")).toBe("{}");
  });

  it("is not changed if the change would now be a different one", async () => {
    const at = target("claude-code");
    put(at.file, "{}");
    const plan = change(install(at));
    const theirs = '{ "mcpServers": { "toolwright": { "command": "else" } } }';
    writeFileSync(at.file, theirs);
    await expect(applyAgreed(at, plan, install)).rejects.toThrow(
      `Another program has changed ${at.file}. Nothing was written. Run this again.`,
    );
    expect(readFileSync(at.file, "utf8")).toBe(theirs);
  });

  it("is done if another program has made the same change", async () => {
    const at = target("claude-code");
    put(at.file, "{}");
    const plan = change(install(at));
    await applyAgreed(at, plan, install);
    const text = readFileSync(at.file, "utf8");
    expect(await applyAgreed(at, plan, install)).toEqual({});
    expect(readFileSync(at.file, "utf8")).toBe(text);
  });

  it("keeps all entries when several installs run at once", async () => {
    const surroundings = sandbox();
    const names = Array.from({ length: 6 }, (_, n) => `server-${n}`);
    const installs = names.map((name) => cli(surroundings, ["install", "codex", "cursor", "--name", name]));
    for (const ended of await Promise.all(installs)) expect(ended).toMatchObject({ code: 0, stderr: "" });
    const { home } = surroundings;
    const json = JSON.parse(readFileSync(join(home, ".cursor/mcp.json"), "utf8"));
    const toml = parse(readFileSync(join(home, ".codex/config.toml"), "utf8")) as { mcp_servers: object };
    expect(Object.keys(json.mcpServers).sort()).toEqual(names);
    expect(Object.keys(toml.mcp_servers).sort()).toEqual(names);
  });
});

/** Some users may not mount, not even in a new namespace. */
function canMount(): boolean {
  return spawnSync("unshare", ["-rm", "true"]).status === 0;
}

function change(plan: Plan): Plan & { kind: "change" } {
  if (plan.kind !== "change") throw new Error(`not a change: ${JSON.stringify(plan)}`);
  return plan;
}

function target(id: string, level: Level = "user", at: UserEnvironment = machine()): ConfigTarget {
  const agent = findAgent(id);
  const found = agent && targetAt(agent, level, at, "toolwright");
  if (!found) throw new Error(`${id} has no file at the ${level}'s level`);
  return found;
}

function machine(): UserEnvironment {
  const { home, project } = sandbox();
  return { env: {}, home, cwd: project, platform: "linux", project };
}

function carryOut(at: ConfigTarget, plan: Plan): { backup?: string } {
  return applyPlan(at, change(plan));
}

/** Creates a link, and the folders above it. */
function link(to: string, path: string): string {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(to, path);
  return path;
}

function git(cwd: string, ...args: string[]): string {
  return spawnSync("git", args, { cwd, encoding: "utf8" }).stdout;
}
