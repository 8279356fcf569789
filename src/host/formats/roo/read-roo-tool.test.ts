import { describe, expect, it } from "vitest";
import { z } from "zod";
import { callContext, FILE, formatHost } from "../../../../test/support/forms.ts";
import type { Contributions, ModuleFile } from "../contributions.ts";
import { readModule } from "../read-module.ts";

const IMPORT = 'import { parametersSchema as z, defineCustomTool } from "@roo-code/types";';
const ROO: ModuleFile = { ...FILE, path: "/p/.roo/tools/lint.ts", system: "roo" };

const count = {
  name: "count_words",
  description: "Counts words.",
  parameters: z.object({ text: z.string().default("a b") }),
  execute: async ({ text }: { text: string }) => String(text.split(" ").length),
};

async function read(module: object, file: ModuleFile, source = ""): Promise<Contributions> {
  return readModule({ ...module }, file, { host: formatHost(), source });
}

describe("[A15] custom tools of Roo Code", () => {
  it.each([
    ["in .roo/tools", ROO, "", "roo"],
    ["by an import", FILE, IMPORT, "roo"],
    ["not elsewhere", FILE, "", "sdk"],
    ["not by a comment", FILE, `// ${IMPORT}`, "sdk"],
  ])("[R1] are known %s", async (_, file, source, format) => {
    const { tools, problems } = await read({ default: count }, file, source);
    expect(problems).toEqual([]);
    expect(tools.map(({ name, origin }) => [name, origin.format])).toEqual([["count_words", format]]);
  });

  it("are each export, with defaults of their parameters, or without parameters", async () => {
    const bare = { name: "bare", description: "Bare.", execute: async () => "bare" };
    const { tools } = await read({ default: count, bare }, ROO);
    expect(tools.map(({ name }) => name)).toEqual(["count_words", "bare"]);
    const checked = await tools[0]?.input.check({});
    expect(checked).toEqual({ ok: true, value: { text: "a b" } });
    expect(await tools[0]?.run({ text: "a b" }, callContext())).toBe("2");
    expect(tools[1]?.input.json).toMatchObject({ properties: {} });
    expect(await tools[1]?.run({}, callContext())).toBe("bare");
  });

  it("get the mode and the task", async () => {
    const context = callContext();
    type Given = { mode: string; task: { say(type: string, text: string): Promise<void>; ask(): never } };
    const execute = async (_: unknown, { mode, task }: Given): Promise<unknown> => {
      await task.say("text", "half");
      return mode === "tester" && task.ask();
    };
    const { tools } = await read({ default: { ...count, execute } }, ROO);
    await expect(tools[0]?.run({}, context)).rejects.toThrow(
      "ask() needs an agent of Roo Code, and this call has none.",
    );
    expect(context.shown).toEqual([{ title: "half", metadata: { type: "text", text: "half" } }]);
  });

  it("[D5] with parameters that are undefined are a problem", async () => {
    const { tools, problems } = await read({ default: { ...count, parameters: undefined } }, ROO);
    expect([tools, problems.map(({ code }) => code)]).toEqual([[], ["bad_schema"]]);
  });
});
