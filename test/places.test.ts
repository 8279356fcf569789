import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { trustProject } from "../src/catalog/discovery/trusted-projects.ts";
import { makeFixture, type Sandbox, sandbox, writeTool } from "./support/fixture.ts";
import { answering, open } from "./support/toolbox.ts";

function put(folder: string, name: string, text: string): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

function settings({ env }: Sandbox, value: object): void {
  put(env.TOOLWRIGHT_HOME as string, "settings.json", JSON.stringify(value));
}

describe("[D1] [D4] precedence between folders", () => {
  it("the nearer folder wins over the farther, and the shadowed tool is listed", async () => {
    const fixture = makeFixture();
    const { toolbox, say } = await open(fixture, {
      cwd: join(fixture.project, "packages/app"),
      limits: { importMs: 1000 },
    });
    expect(await say("greet")).toBe("Hello from the app.");
    const nearer = join(fixture.project, "packages/app/.toolwright/tools/greet.ts");
    expect(toolbox.status.shadowed).toEqual([{ name: "greet", file: join(fixture.tools, "greet.ts"), by: nearer }]);
    expect(await say("greet_loudly", { name: "Ada" })).toBe("HELLO, ADA!");
    await toolbox.close();
    fixture.remove();
  });

  it("configured folders win over the project's, those over other systems', and those over global ones", async () => {
    const at = sandbox({ "lint.ts": answering('"project"') });
    put(join(at.project, ".opencode/tools"), "lint.ts", answering('"opencode"'));
    put(join(at.env.TOOLWRIGHT_HOME as string, "tools"), "lint.ts", answering('"global"'));
    put(join(at.project, "extra"), "lint.ts", answering('"configured"'));
    const plain = await open(at);
    expect(await plain.say("lint")).toBe("project");
    expect(plain.toolbox.get("lint")).toMatchObject({ place: "project", source: "custom", format: "tool" });
    expect(plain.toolbox.status.shadowed.map(({ file }) => dirname(file))).toEqual([
      join(at.project, ".opencode/tools"),
      join(at.env.TOOLWRIGHT_HOME as string, "tools"),
    ]);
    const { toolbox, say } = await open(at, { toolsPaths: ["extra"] });
    expect(await say("lint")).toBe("configured");
    expect(toolbox.get("lint")).toMatchObject({ place: "configured" });
  });

  it("of two tools with one name in one folder, the first is served and the second is a problem", async () => {
    const at = sandbox({ "lint.js": answering('"js"'), "lint.ts": answering('"ts"') });
    const { toolbox, say } = await open(at);
    expect(await say("lint")).toBe("js");
    expect(toolbox.problems()).toEqual([
      {
        file: join(at.tools, "lint.ts"),
        code: "name_taken",
        message: `The name "lint" is taken by ${join(at.tools, "lint.js")} in the same folder. Rename this file or its export, or add the name to "tools.override".`,
        tool: "lint",
      },
    ]);
  });

  it("[D2] one real file is loaded once, however many links lead to it", async () => {
    const at = sandbox({ "lint.ts": answering('"once"') });
    symlinkSync(join(at.tools, "lint.ts"), join(at.tools, "zlint.ts"));
    const { toolbox } = await open(at);
    expect(toolbox.list().map(({ name }) => name)).toEqual(["lint"]);
  });

  it("[D5] a disabled tool's file is not imported, and the tool is listed as disabled", async () => {
    const at = sandbox();
    const marker = join(at.root, "marker");
    writeTool(at, "deploy.ts", `require("node:fs").writeFileSync(${JSON.stringify(marker)}, ""); ${answering('"x"')}`);
    settings(at, { tools: { disabled: ["dep*"] } });
    const { toolbox, say } = await open(at);
    expect(toolbox.list()).toMatchObject([{ name: "deploy", enabled: false }]);
    expect(await say("deploy")).toBe(
      '"deploy" is disabled. To use it, take it out of "tools.disabled" in the settings.',
    );
    expect(existsSync(marker)).toBe(false);
  });
});

describe("[D7] trust", () => {
  it("runs no code of a project until it is trusted, and explains how to trust it", async () => {
    const at = sandbox();
    const marker = join(at.root, "marker");
    const mark = `require("node:fs").writeFileSync(${JSON.stringify(marker)}, "");`;
    const file = writeTool(at, "lint.ts", `${mark} ${answering('"ran"')}`);
    put(join(at.env.TOOLWRIGHT_HOME as string, "tools"), "mine.ts", answering('"mine"'));
    const { toolbox, say } = await open(at, { trust: false });
    const fix = `toolwright trust --cwd ${at.project}`;
    expect(toolbox.status.blocked).toEqual([{ directory: at.tools, files: [file], fix }]);
    expect(toolbox.list().map(({ name }) => name)).toEqual(["mine"]);
    expect(await toolbox.call({ name: "lint" }).result).toMatchObject({
      ok: false,
      error: {
        code: "denied",
        message: `"lint" belongs to a project that is not trusted. To allow its tools, run: ${fix}`,
      },
    });
    expect(await say("mine")).toBe("mine");
    await toolbox.reload({ verify: true });
    expect(existsSync(marker)).toBe(false);

    await trustProject(at.project, at.env.TOOLWRIGHT_HOME as string);
    await toolbox.reload();
    expect(toolbox.status.blocked).toEqual([]);
    expect(await say("lint")).toBe("ran");
    expect(existsSync(marker)).toBe(true);
  });

  it("does not let a project's settings add paths, rules or modes before it is trusted", async () => {
    const at = sandbox();
    put(join(at.root, "elsewhere"), "evil.ts", answering('"evil"'));
    put(join(at.project, ".toolwright"), "settings.json", JSON.stringify({ tools: { paths: ["../elsewhere"] } }));
    const { toolbox } = await open(at, { trust: false });
    expect(toolbox.list()).toEqual([]);
  });

  it.each([
    ["the environment", { env: { TOOLWRIGHT_TRUST: "1" } }],
    ["a parent in the user's settings", { parents: true }],
  ])("is given by %s", async (_name, { env, parents }: { env?: Record<string, string>; parents?: boolean }) => {
    const at = sandbox({ "lint.ts": answering('"ran"') });
    if (parents) settings(at, { trust: { parents: [at.root] } });
    const { say } = await open(at, { trust: false, env: { ...at.env, ...env } });
    expect(await say("lint")).toBe("ran");
  });
});

describe("[D5] a failure with a cause outside the file", () => {
  it("is not remembered by the next process", async () => {
    const at = sandbox({
      "query.ts": `if (!process.env.DATABASE_URL) throw new Error("no database"); ${answering('"asked"')}`,
    });
    const first = await open(at);
    expect(first.toolbox.problems()).toMatchObject([{ code: "import_failed" }]);
    await first.toolbox.close();
    const { toolbox, say } = await open(at, { env: { ...at.env, DATABASE_URL: "x" } });
    expect(toolbox.problems()).toEqual([]);
    expect(toolbox.get("query")).toMatchObject({ name: "query" });
    expect(await say("query")).toBe("asked");
  });
});

describe("[D2] a file without a tool", () => {
  it("is no problem while a tool file imports it, and one as soon as none does", async () => {
    const uses = 'import { word } from "./words.ts";\nexport default { description: "Says.", execute: () => word };\n';
    const at = sandbox({ "words.ts": 'export const word = "said";\n', "says.ts": uses });
    const { toolbox, say } = await open(at);
    expect([await say("says"), toolbox.problems()]).toEqual(["said", []]);
    writeTool(at, "says.ts", answering('"alone"'));
    expect((await toolbox.reload()).problems).toMatchObject([{ code: "not_a_tool" }]);
  });
});
