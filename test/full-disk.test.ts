import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { AuditLog } from "../src/calls/audit.ts";
import { addRules } from "../src/settings/add-rules.ts";
import { cli, ensureBuilt, json } from "./support/cli.ts";
import { sandbox } from "./support/fixture.ts";
import { canMount, fillDisk, NO_MOUNT, smallDisk } from "./support/small-disk.ts";
import { put, temporary } from "./support/temporary.ts";

beforeAll(ensureBuilt);

const FULL = "ENOSPC: no space left on device, write";

describe("a full disk", () => {
  const mountable = canMount();

  it("trust: no entry is lost, no file is left behind, and it works as soon as there is space", async ({ skip }) => {
    skip(!mountable, NO_MOUNT);
    const at = sandbox();
    const home = at.env.TOOLWRIGHT_HOME as string;
    smallDisk(home);
    const before = '{ "projects": ["/other"] }\n';
    put(join(home, "trust.json"), before);
    const free = fillDisk(home);
    for (const args of [["trust"], ["trust", "--cwd", at.home]]) {
      expect(await cli(at, args)).toEqual({
        code: 1,
        signal: null,
        stdout: "",
        stderr: `toolwright: The list of trusted projects cannot be written: ${FULL}. Nothing was changed. Free some space, then run this again.\n`,
      });
    }
    expect(readFileSync(join(home, "trust.json"), "utf8")).toBe(before);
    expect(
      readdirSync(home)
        .filter((name) => name !== "cache")
        .sort(),
    ).toEqual(["filler", "trust.json"]);
    free();
    expect(json(await cli(at, ["trust", "--json"]))).toMatchObject({ trusted: true, changed: true });
    expect(JSON.parse(readFileSync(join(home, "trust.json"), "utf8"))).toEqual({ projects: ["/other", at.project] });
  });

  it("rules that are added to the settings: the settings stay unchanged", async ({ skip }) => {
    skip(!mountable, NO_MOUNT);
    const home = temporary();
    smallDisk(home);
    const file = put(join(home, "settings.json"), '{ "mode": "plan" }\n');
    const free = fillDisk(home);
    const rules = Array.from({ length: 100 }, (_, n) => ({ tool: `tool-${n}`, action: "allow" as const }));
    await expect(addRules(file, rules)).rejects.toThrow(FULL);
    expect(readFileSync(file, "utf8")).toBe('{ "mode": "plan" }\n');
    expect(readdirSync(home).sort()).toEqual(["filler", "settings.json"]);
    free();
    await addRules(file, rules.slice(0, 1));
    expect(readFileSync(file, "utf8")).toContain("tool-0");
  });

  it("install: the agent's configuration stays unchanged", async ({ skip }) => {
    skip(!mountable, NO_MOUNT);
    const at = sandbox();
    smallDisk(join(at.home, ".cursor"));
    const file = put(join(at.home, ".cursor/mcp.json"), '{ "mcpServers": {} }\n');
    fillDisk(join(at.home, ".cursor"));
    expect(await cli(at, ["install", "cursor", "--yes"])).toMatchObject({
      code: 1,
      stderr: `toolwright: ${file} cannot be changed: ${FULL}. Free some space, then run this again.\n`,
    });
    expect(readFileSync(file, "utf8")).toBe('{ "mcpServers": {} }\n');
    expect(readdirSync(join(at.home, ".cursor")).sort()).toEqual(["filler", "mcp.json"]);
  });

  it("install: the configuration stays unchanged if Toolwright's folder has no space", async ({ skip }) => {
    skip(!mountable, NO_MOUNT);
    const at = sandbox();
    const own = at.env.TOOLWRIGHT_HOME as string;
    smallDisk(own);
    fillDisk(own);
    const file = put(join(at.home, ".cursor/mcp.json"), '{ "mcpServers": {} }\n');
    expect(await cli(at, ["install", "cursor", "--yes"])).toMatchObject({
      code: 1,
      stderr: `toolwright: ${own} cannot be written: ${FULL}. Nothing was changed. Free some space, then run this again.\n`,
    });
    expect(readFileSync(file, "utf8")).toBe('{ "mcpServers": {} }\n');
    expect(readdirSync(own)).not.toContain("install.lock");
  });

  it.for([["new", "mine"], ["init"]])("%s: no partial file", async (args, { skip }) => {
    skip(!mountable, NO_MOUNT);
    const at = sandbox();
    smallDisk(join(at.project, ".toolwright"));
    mkdirSync(at.tools);
    fillDisk(join(at.project, ".toolwright"));
    const { code, stderr } = await cli(at, args);
    expect(code).toBe(1);
    expect(stderr).toContain(` cannot be written: ${FULL}. Free some space, then run this again.\n`);
    const empty = readdirSync(join(at.project, ".toolwright"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== "filler")
      .filter(({ parentPath, name }) => statSync(join(parentPath, name)).size === 0);
    expect(empty).toEqual([]);
    expect(existsSync(join(at.tools, "mine.ts"))).toBe(false);
  });

  it("the audit log: later lines are complete", ({ skip }) => {
    skip(!mountable, NO_MOUNT);
    const home = temporary();
    smallDisk(home);
    const file = join(home, "audit.jsonl");
    const log = new AuditLog(file, () => (value) => value);
    const record = (text: string): void => {
      const call = { callID: "c", tool: "t", sessionID: "s", messageID: "m", agent: "a", at: 0 };
      const result = { ok: true, content: [], notes: { durationMs: 1 } };
      log.record(
        { type: "tool.complete", ...call, result } as unknown as Parameters<AuditLog["record"]>[0],
        { text },
        "library",
      );
      log.flush();
    };
    record("first");
    const free = fillDisk(home);
    record("x".repeat(8_000));
    free();
    record("last");
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ input: { text: "first" } });
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ input: { text: "last" } });
  });
});
