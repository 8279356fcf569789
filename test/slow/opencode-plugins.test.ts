import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { sandbox } from "../support/fixture.ts";
import { put } from "../support/temporary.ts";
import { open } from "../support/toolbox.ts";

/** A trusted toolbox with these files of a project. */
function openProject(files: Readonly<Record<string, string>>): ReturnType<typeof open> {
  const at = sandbox();
  for (const [path, text] of Object.entries(files)) put(join(at.project, path), text);
  return open(at);
}

const OPTIONS = `export default { id: "opts", server: async (input, options) => ({
  tool: { opts: { description: "Shows its options.", args: {}, execute: async () => JSON.stringify(options) } },
}) };`;

const plugin = (setup: string): string => `import { appendFileSync } from "node:fs";
import { Plugin } from "@opencode/plugin";
export default Plugin.define({ id: "acme", async setup(ctx) { ${setup} } });`;

const add = (name: string): string =>
  `await ctx.tool.transform((tools) => tools.add({ name: "${name}", description: "Says its name.", execute: async () => ({ content: "${name}" }) }));`;

const config = (plugins: readonly unknown[]): string => JSON.stringify({ plugins });

describe("[A14] [D6] plugins of OpenCode in a toolbox", () => {
  it("follow changes of opencode.json while watching", async () => {
    const { toolbox, at, say } = await openProject({ ".opencode/plugin/opts.ts": OPTIONS });
    onTestFinished(await toolbox.watch());
    expect(await say("opts")).toBe("{}");
    const file = join(at.project, "opencode.json");
    for (const n of [1, 2]) {
      put(file, config([["./.opencode/plugin/opts.ts", { n }]]));
      await expect.poll(() => say("opts"), { timeout: 20_000 }).toBe(`{"n":${n}}`);
    }
    put(file, config(["-opts"]));
    await expect.poll(() => toolbox.has("opts"), { timeout: 20_000 }).toBe(false);
    put(file, config(["later"]));
    await expect.poll(() => toolbox.problems().map(({ code }) => code), { timeout: 20_000 }).toEqual(["plugin_failed"]);
    put(join(at.project, ".opencode/node_modules/later/index.js"), plugin(add("later")));
    put(join(at.project, ".opencode/node_modules/later/package.json"), "{}");
    await expect.poll(() => toolbox.has("later"), { timeout: 20_000 }).toBe(true);
    expect([await say("later"), toolbox.problems()]).toEqual(["later", []]);
  });

  it("announce tools that they add later, and remove those that they dispose", async () => {
    const setup = `${add("first")} let once;
      await ctx.tool.transform((tools) => tools.add({ name: "more", description: "Adds a tool.", execute: async () => {
        once = await ctx.tool.transform((tools) => tools.add({ name: "second", description: "Removes itself.", execute: async () => {
          await once.dispose();
          return { content: "gone" };
        } }));
        return { content: "added" };
      } }));
      setTimeout(async () => { ${add("third")} }, 300);`;
    const { toolbox, say } = await openProject({ ".opencode/plugins/acme.ts": plugin(setup) });
    expect(await say("more")).toBe("added");
    await expect
      .poll(() => toolbox.list().map(({ name }) => name), { timeout: 20_000 })
      .toEqual(["first", "more", "second", "third"]);
    expect([await say("third"), await say("second")]).toEqual(["third", "gone"]);
    await expect.poll(() => toolbox.has("second"), { timeout: 20_000 }).toBe(false);
    expect(toolbox.problems()).toEqual([]);
  });

  it("are cleaned up when their file changes, and at the end", async () => {
    const cleaning = (text: string): string =>
      plugin(`${add("tidy")} return () => appendFileSync(ctx.location.directory + "/cleaned", "${text} ");`);
    const { toolbox, at, say } = await openProject({ ".opencode/plugins/tidy.ts": cleaning("first") });
    const cleaned = join(at.project, "cleaned");
    expect([await say("tidy"), existsSync(cleaned)]).toEqual(["tidy", false]);
    put(join(at.project, ".opencode/plugins/tidy.ts"), cleaning("second"));
    await toolbox.reload();
    expect(await say("tidy")).toBe("tidy");
    await expect.poll(() => existsSync(cleaned) && readFileSync(cleaned, "utf8"), { timeout: 20_000 }).toBe("first ");
    await toolbox.close();
    await expect.poll(() => readFileSync(cleaned, "utf8"), { timeout: 20_000 }).toBe("first second ");
  });

  it("see the calls of all tools, in both versions", async () => {
    const { say, toolbox } = await openProject({
      ".toolwright/tools/echo.ts": `export default { description: "Echoes.", args: { text: { type: "string" } }, execute: ({ text }) => text };`,
      ".opencode/plugin/one.js": `export const One = async () => ({ "tool.execute.after": async (input, output) => { output.output += " one"; } });`,
      ".opencode/plugins/two.js": `export default { id: "two", setup: async (ctx) => {
        await ctx.tool.hook("execute.before", (event) => {
          if (event.input.text === "no") throw new Error("two says no");
          event.input = { text: event.input.text + " two" };
        });
      } };`,
    });
    expect([await say("echo", { text: "hi" }), toolbox.problems()]).toEqual(["hi two one", []]);
    expect(await say("echo", { text: "no" })).toContain("two says no");
  });
});
