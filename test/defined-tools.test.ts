import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import * as builtins from "../src/builtins/exports/index.ts";
import type { Question } from "../src/calls/permission-question.ts";
import { outputOf, type Tool, ToolError } from "../src/index.ts";
import { sandbox } from "./support/fixture.ts";
import { open } from "./support/toolbox.ts";

const BUILTINS = fileURLToPath(new URL("../src/builtins", import.meta.url));
const EXAMPLES = fileURLToPath(new URL("../examples/tools", import.meta.url));

const WHO = `
import { Tool } from "toolwright";
import { z } from "zod";
let inits = 0;
export default Tool.define("who", async ({ agent, directory }) => {
  const number = ++inits;
  if (agent?.name === "lost") throw new Error("no such agent");
  const most = agent?.name === "plan" ? 1 : 9;
  return {
    description: "Says for whom it was made.",
    parameters: z.object({ n: z.string().transform(Number).pipe(z.number().max(most)) }),
    access: ({ n }) => [{ kind: "read", target: directory + "/" + (agent?.name ?? "nobody") + n }],
    execute: ({ n }) => ({ title: "", metadata: {}, output: number + " " + (agent?.name ?? "nobody") + " " + n }),
  };
});`;

describe("[A7] init of a tool", () => {
  it("runs once for each agent, until a reload", async () => {
    const { toolbox, at } = await open({ "who.ts": WHO });
    const say = async (agent: string | undefined, n = "1"): Promise<string> =>
      outputOf(await toolbox.call({ name: "who", input: { n }, ...(agent === undefined ? {} : { agent }) }).result);
    expect([await say(undefined), await say("build"), await say("plan"), await say("build"), await say("")]).toEqual([
      "1 nobody 1",
      "2 build 1",
      "3 plan 1",
      "2 build 1",
      "1 nobody 1",
    ]);
    expect(await say("plan", "2")).toBe(
      'The input for "who" is not valid:\n- /n: Too big: expected number to be <=1\nCorrect it and call the tool again.',
    );
    expect(await say("lost")).toBe('init of "who" failed for the agent "lost": no such agent');
    expect(await say("build", "2")).toBe("2 build 2");
    writeFileSync(join(at.tools, "who.ts"), `${WHO}\n// Changed.`);
    await toolbox.reload();
    expect([await say("build"), await say("plan")]).toEqual(["2 build 1", "3 plan 1"]);
  });

  it("decides for the agent what a call accesses, and refuses the call if it fails", async () => {
    const asked: Question[] = [];
    const { toolbox } = await open(
      { "who.ts": WHO },
      {
        callerIsAsked: false,
        permissions: { rules: [{ tool: "who", action: "ask" }] },
        approve: async (question) => {
          asked.push(question);
          return { allowed: true };
        },
      },
    );
    for (const agent of ["build", "lost"]) await toolbox.call({ name: "who", input: { n: "1" }, agent }).result;
    expect(asked.map(({ access }) => access)).toEqual([
      [expect.objectContaining({ target: expect.stringMatching(/build1$/) })],
    ]);
  });
});

describe("[A7] [B12] the example of Tool.define", () => {
  it("is listed with the description of its text file, and runs", async () => {
    const { toolbox, at, say } = await open({}, { toolsPaths: [join(EXAMPLES, "recent-commits.ts")] });
    const git = (...args: string[]): unknown => execFileSync("git", args, { cwd: at.project });
    git("init", "-q");
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "First");
    expect(toolbox.problems()).toEqual([]);
    expect(toolbox.get("recent-commits")?.description).toBe(
      `Lists the commits of ${at.project} since a date, the newest first. Use it before you write release notes or a summary of recent work.`,
    );
    expect(await say("recent-commits", { since: "1 hour ago" })).toMatch(/^[0-9a-f]+ First$/m);
  });
});

describe("[B14] toolwright/builtins", () => {
  it("exports every built-in tool", () => {
    const files = readdirSync(BUILTINS).filter((file) => file.endsWith(".ts"));
    const names = Object.values(builtins).map(({ id }) => id);
    expect(names.sort()).toEqual(files.map((file) => basename(file, ".ts")).sort());
    const camelCase = (id: string): string => id.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    for (const [name, { id }] of Object.entries(builtins)) expect(name).toBe(camelCase(id));
  });

  it("gives each its description, a schema and a function that checks its arguments", async () => {
    for (const [name, tool] of Object.entries(builtins)) {
      const { description, parameters, execute } = await tool.init({ directory: "/here" });
      expect([name, description?.length, typeof parameters, typeof execute]).toEqual([
        name,
        expect.any(Number),
        "object",
        "function",
      ]);
      expect(description).not.toContain("${");
    }
    const { description, execute } = await builtins.bash.init({ directory: "/here" });
    expect(description).toBe(
      readFileSync(join(BUILTINS, "bash.txt"), "utf8")
        .trim()
        .replaceAll(/\$\{directory\}/g, "/here"),
    );
    const refused = await execute({ command: 5 }, {} as Tool.Context).catch((error: unknown) => error);
    expect(ToolError.is(refused) && refused.code).toBe("invalid_input");
  });

  it("gives tools that a toolbox serves as values", async () => {
    const { read, todowrite, todoread } = builtins;
    const { toolbox, at, say } = await open({}, { tools: [read, todowrite, todoread] });
    writeFileSync(join(at.project, "a.txt"), "text\n");
    expect(toolbox.problems()).toEqual([]);
    expect(toolbox.list().map(({ name }) => name)).toEqual(["read", "todoread", "todowrite"]);
    expect(await say("read", { filePath: "a.txt" })).toContain("1\ttext");
    expect(await say("todoread")).toBe("The to-do list is empty.");
  });

  it("can be imported by tool files that have no node_modules", async () => {
    const file = `
import { Tool } from "toolwright";
import { list } from "toolwright/builtins";
export default Tool.define("folders", async (init) => {
  const inner = await list.init(init);
  return { ...inner, description: "Lists a folder. " + inner.description };
});`;
    const { toolbox, at, say } = await open(sandbox({ "folders.ts": file }));
    writeFileSync(join(at.project, "a.txt"), "");
    expect(toolbox.problems()).toEqual([]);
    expect(toolbox.get("folders")?.description).toMatch(/^Lists a folder\. /);
    expect(await say("folders")).toContain("a.txt");
  });
});
