import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { put, temporary } from "../../../test/support/temporary.ts";
import { distrustProject, type TrustQuestion, trustOf, trustProject } from "./trusted-projects.ts";

function question(root: string, project = join(root, "project")) {
  return { project, toolwrightHome: join(root, "tw"), parents: [], home: join(root, "home"), env: {}, flag: false };
}

const isTrusted = (question: TrustQuestion): boolean => trustOf(question).trusted;

describe("trust", () => {
  it("[D7] is granted once, stored, and revoked", async () => {
    const root = temporary();
    mkdirSync(join(root, "project/sub"), { recursive: true });
    const asked = question(root);
    expect(isTrusted(asked)).toBe(false);
    expect(await trustProject(asked.project, asked.toolwrightHome)).toBe(true);
    expect(await trustProject(asked.project, asked.toolwrightHome)).toBe(false);
    expect(isTrusted(asked)).toBe(true);
    expect(isTrusted(question(root, join(root, "project/sub")))).toBe(false);
    expect(isTrusted(question(root, join(root, "project-two")))).toBe(false);
    expect(await distrustProject(asked.project, asked.toolwrightHome)).toBe(true);
    expect(await distrustProject(asked.project, asked.toolwrightHome)).toBe(false);
    expect(isTrusted(asked)).toBe(false);
  });

  it("[D7] depends on the real path of a project", async () => {
    const root = temporary();
    mkdirSync(join(root, "project"));
    symlinkSync(join(root, "project"), join(root, "link"));
    await trustProject(join(root, "link"), join(root, "tw"));
    expect(isTrusted(question(root))).toBe(true);
    rmSync(join(root, "link"));
    mkdirSync(join(root, "link"));
    expect(isTrusted(question(root, join(root, "link")))).toBe(false);
  });

  it("[D7] --trust and TOOLWRIGHT_TRUST=1 trust a project for one run", () => {
    const asked = question(temporary());
    expect(isTrusted({ ...asked, flag: true })).toBe(true);
    expect(isTrusted({ ...asked, env: { TOOLWRIGHT_TRUST: "1" } })).toBe(true);
    expect(isTrusted({ ...asked, env: { TOOLWRIGHT_TRUST: "0" } })).toBe(false);
  });

  it("[D7] trust.parents covers projects at and below the folders, by real path and whole folder names", () => {
    const root = temporary();
    for (const folder of ["ci/a/b", "ci-evil", "home/work/x", "other"])
      mkdirSync(join(root, folder), { recursive: true });
    symlinkSync(join(root, "other"), join(root, "ci/out"));
    symlinkSync(join(root, "ci"), join(root, "ci-link"));
    const below = (project: string, parent: string): boolean =>
      isTrusted({ ...question(root, join(root, project)), parents: [parent] });
    expect(below("ci/a/b", join(root, "ci"))).toBe(true);
    expect(below("ci", join(root, "ci"))).toBe(true);
    expect(below("ci/a", join(root, "ci-link"))).toBe(true);
    expect(below("home/work/x", "~/work")).toBe(true);
    expect(below("ci-evil", join(root, "ci"))).toBe(false);
    expect(below("ci/out", join(root, "ci"))).toBe(false);
    expect(below("ci/a", "ci")).toBe(false);
    expect(below("ci/a", "")).toBe(false);
  });

  it("[X2] the list is private to the user", async () => {
    const root = temporary();
    await trustProject(root, join(root, "tw"));
    expect((statSync(join(root, "tw")).mode & 0o777).toString(8)).toBe("700");
    expect((statSync(join(root, "tw/trust.json")).mode & 0o777).toString(8)).toBe("600");
    expect(readdirSync(join(root, "tw"))).toEqual(["trust.json"]);
  });

  it.each(["{", "[]", '{ "projects": {} }', '{ "projects": [1] }', "null"])(
    "[D7] an invalid list (%s) trusts no project, is reported, and is not overwritten",
    async (text) => {
      const root = temporary();
      const file = put(join(root, "tw/trust.json"), text);
      const { trusted, problem } = trustOf(question(root));
      expect(trusted).toBe(false);
      expect(problem).toMatchObject({ file, code: "unreadable" });
      expect(problem?.message).toMatch(
        /^The list of trusted projects cannot be read \(.+\), so no project is trusted\. Correct the file, or delete it and run `toolwright trust` again in each project\.$/,
      );
      await expect(trustProject(root, join(root, "tw"))).rejects.toThrow(
        "run `toolwright trust` again in each project",
      );
      await expect(distrustProject(root, join(root, "tw"))).rejects.toThrow(file);
      expect(readFileSync(file, "utf8")).toBe(text);
    },
  );

  it("[D7] several processes that write at once lose no entry", async () => {
    const root = temporary();
    const module = new URL("./trusted-projects.ts", import.meta.url).href;
    const program = `
      const { trustProject } = await import(${JSON.stringify(module)});
      const [home, name] = process.argv.slice(1);
      for (let i = 0; i < 10; i++) await trustProject("/" + name + i, home);`;
    const children = ["a", "b", "c", "d"].map((name) =>
      spawn(process.execPath, ["--input-type=module", "-e", program, join(root, "tw"), name], { stdio: "inherit" }),
    );
    const codes = await Promise.all(children.map(async (child) => (await once(child, "exit"))[0]));
    expect(codes).toEqual([0, 0, 0, 0]);
    expect(JSON.parse(readFileSync(join(root, "tw/trust.json"), "utf8")).projects).toHaveLength(40);
    expect(readdirSync(join(root, "tw"))).toEqual(["trust.json"]);
  });
});
