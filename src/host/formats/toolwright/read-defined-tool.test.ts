import { describe, expect, it } from "vitest";
import { z } from "zod";
import { callContext, exportAt, FILE, formatHost } from "../../../../test/support/forms.ts";
import { put, temporary } from "../../../../test/support/temporary.ts";
import { Tool } from "../../../index.ts";
import type { Contributions } from "../contributions.ts";
import { readDefinedTool } from "./read-defined-tool.ts";

const result = { title: "t", metadata: {}, output: "done" };
const NO_TEXT =
  '"count" has no description. Add description: "…" to its definition, or write it to count.txt in the folder of the file.';

/** The contribution of a file with this default export. */
function load(folder: string, defined: Parameters<typeof readDefinedTool>[0]): Promise<Contributions> {
  return readDefinedTool(defined, exportAt({ file: { ...FILE, path: `${folder}/lint.ts` } }));
}

describe("Tool.define", () => {
  it("[A7] is named by its id, and runs with parsed arguments and the context of the call", async () => {
    const defined = Tool.define("count", {
      description: "Counts",
      parameters: z.object({ n: z.number().default(2) }),
      limits: { timeoutMs: 5 },
      access: ({ n }) => [{ kind: "read", target: `/${n}` }],
      execute: ({ n }, { sessionID, messages }) => ({ ...result, output: `${n} ${sessionID} ${messages.length}` }),
    });
    const { tools, problems, dependsOnHost, reads, about } = await load("/p", defined);
    expect(problems).toEqual([]);
    expect(tools[0]).toMatchObject({
      name: "count",
      description: "Counts",
      limits: { timeoutMs: 5 },
      origin: { format: "define", exportName: "default" },
      input: { json: { type: "object", properties: { n: { type: "number", default: 2 } } } },
    });
    expect(await tools[0]?.run({ n: 3 }, callContext())).toEqual({ ...result, output: "3 s1 1" });
    expect(tools[0]?.access?.({ n: 3 }, { cwd: "/" })).toEqual([{ kind: "read", target: "/3" }]);
    expect({ dependsOnHost, reads, format: about?.format }).toEqual({
      dependsOnHost: true,
      reads: [],
      format: "define",
    });
  });

  it("[A7] calls init once, with the directories", async () => {
    const given: unknown[] = [];
    const defined = Tool.define("count", async (init) => {
      given.push(init);
      return { description: "Counts", execute: () => result };
    });
    const { tools } = await load("/p", defined);
    await tools[0]?.run({}, callContext());
    await tools[0]?.run({}, callContext());
    expect(given).toEqual([{ agent: undefined, directory: "/p/app", worktree: "/p", workspace: "/p" }]);
  });

  it("[A7] calls init once for each agent, again after a failure, and not for a plain definition", async () => {
    const given: unknown[] = [];
    const defined = Tool.define("count", async ({ agent }) => {
      given.push(agent?.name);
      if (agent?.name === "broken" && given.filter((name) => name === "broken").length < 2) throw new Error("later");
      return {
        description: "Counts",
        parameters: z.object({ n: agent?.name === "plan" ? z.number().max(1) : z.number() }),
        access: ({ n }: { n: number }) => [{ kind: "read", target: `/${agent?.name}/${n}` }],
        execute: ({ n }: { n: number }) => ({ ...result, output: `${agent?.name} ${n}` }),
      };
    });
    const [tool] = (await load("/p", defined)).tools;
    const plan = await tool?.forAgent?.("plan");
    expect(await tool?.forAgent?.("plan")).toBe(plan);
    expect(await plan?.input.check({ n: 2 })).toMatchObject({ ok: false });
    expect(await tool?.input.check({ n: 2 })).toMatchObject({ ok: true });
    expect(plan?.access?.({ n: 1 }, { cwd: "/" })).toEqual([{ kind: "read", target: "/plan/1" }]);
    expect(await plan?.run({ n: 1 }, callContext())).toMatchObject({ output: "plan 1" });
    await expect(tool?.forAgent?.("broken")).rejects.toThrow('init of "count" failed for the agent "broken": later');
    expect(await (await tool?.forAgent?.("broken"))?.run({ n: 1 }, callContext())).toMatchObject({
      output: "broken 1",
    });
    expect(given).toEqual([undefined, "plan", "broken", "broken"]);

    const plain = Tool.define("count", { description: "Counts", execute: () => result });
    expect((await load("/p", plain)).tools[0]?.forAgent).toBeUndefined();
  });

  it("[A7] parses the arguments once", async () => {
    const defined = Tool.define("count", async () => ({
      description: "Counts",
      parameters: z.object({ n: z.string().transform(Number) }),
      execute: ({ n }: { n: number }) => ({ ...result, output: typeof n }),
    }));
    const [tool] = (await load("/p", defined)).tools;
    const checked = await tool?.input.check({ n: "1" });
    expect(checked?.ok && (await tool?.run(checked.value, callContext()))).toMatchObject({ output: "number" });
  });

  it("[A7] keeps its `this` in execute", async () => {
    const defined = {
      id: "count",
      init: () => ({
        description: "d",
        n: 7,
        execute(this: { n: number }) {
          return this.n;
        },
      }),
    };
    const { tools } = await load("/p", defined);
    expect(await tools[0]?.run({}, callContext())).toBe(7);
  });

  it("[A7] formats validation errors with formatValidationError", async () => {
    const defined = Tool.define("count", {
      description: "d",
      parameters: z.object({ n: z.number() }),
      formatValidationError: (error) => `n must count: ${(error as z.ZodError).issues.length} issue`,
      execute: () => result,
    });
    const { tools } = await load("/p", defined);
    expect(await tools[0]?.input.check({})).toEqual({
      ok: false,
      issues: [{ path: "", message: "n must count: 1 issue" }],
    });
    expect(await tools[0]?.input.check({ n: 1 })).toEqual({ ok: true, value: { n: 1 } });
  });

  it.each([
    [
      "an init that throws",
      () => Promise.reject(new Error("no database")),
      "init_failed",
      'init of "count" failed: no database',
    ],
    [
      "an init that returns nothing",
      async () => undefined,
      "bad_definition",
      'init of "count" returned no definition. Return { description: "…", parameters: z.object({ … }), async execute(args, context) { … } }.',
    ],
    [
      "bad parameters",
      async () => ({ description: "d", parameters: { a: 5 }, execute: () => result }),
      "bad_schema",
      'parameters of "count": Field "a" is not a schema but a value of type number. Write a Zod schema such as z.string(), or a JSON Schema such as { type: "string" }.',
    ],
    ["no description", async () => ({ execute: () => result }), "bad_definition", NO_TEXT],
  ])("[D5] %s is a problem", async (_, init, code, message) => {
    const { tools, problems } = await load("/p/nowhere", { id: "count", init });
    expect(tools).toEqual([]);
    expect(problems).toEqual([{ file: "/p/nowhere/lint.ts", tool: "count", exportName: "default", code, message }]);
  });

  it("[A2] an invalid id is a problem", async () => {
    const { problems } = await load("/p", {
      id: "my count",
      init: async () => ({ description: "d", execute: () => 1 }),
    });
    expect(problems[0]).toMatchObject({
      code: "bad_name",
      message:
        '"my count" is not a valid tool name: a name has 1 to 64 letters, digits, "_" and "-". Change the name in the definition.',
    });
  });
});

describe("a description file", () => {
  const bare = { id: "count", init: async () => ({ execute: () => result }) };

  it("[A7] is <id>.txt, with variables replaced", async () => {
    const folder = temporary();
    put(`${folder}/count.txt`, `Counts in \${directory}\nof \${workspace}, \${directory}.\n`);
    const { tools, reads } = await load(folder, bare);
    expect(tools[0]?.description).toBe("Counts in /p/app\nof /p, /p/app.");
    expect(reads).toEqual([`${folder}/count.txt`]);
  });

  it("[A7] is else <file>.txt, and both are watched", async () => {
    const folder = temporary();
    put(`${folder}/lint.txt`, "Counts.");
    const { tools, reads } = await load(folder, bare);
    expect(tools[0]?.description).toBe("Counts.");
    expect(reads).toEqual([`${folder}/count.txt`, `${folder}/lint.txt`]);
  });

  it("[A7] that does not exist yet is watched too", async () => {
    const folder = temporary();
    const { reads } = await load(folder, bare);
    expect(reads).toEqual([`${folder}/count.txt`, `${folder}/lint.txt`]);
  });

  it("[A7] may not use an unknown variable", async () => {
    const folder = temporary();
    put(`${folder}/count.txt`, `Counts\nin \${directry}.`);
    const { tools, problems } = await load(folder, bare);
    expect(tools).toEqual([]);
    expect(problems[0]).toMatchObject({
      code: "bad_definition",
      message: `The description of "count" uses the unknown variable \${directry} (${folder}/count.txt, line 2). Use \${directory} or \${workspace}, or write the text without a variable.`,
    });
  });

  it("[D5] that cannot be read is a problem", async () => {
    const folder = temporary();
    put(`${folder}/count.txt/in-the-way`);
    const { problems } = await load(folder, bare);
    expect(problems[0]?.message).toMatch(/count\.txt cannot be read: it is not a regular file/);
  });

  it("[A7] is not read if the definition has a description", async () => {
    expect(
      (
        await readDefinedTool(
          { ...bare, init: async () => ({ description: "d", execute: () => 1 }) },
          exportAt({ host: formatHost() }),
        )
      ).reads,
    ).toEqual([]);
  });
});
