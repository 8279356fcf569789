import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { outputOf, type ToolResult } from "../../src/core/result.ts";
import { createToolbox, type RenderView, type RunEvent } from "../../src/index.ts";
import type { Toolbox } from "../../src/toolbox/toolbox.ts";
import { makeSandbox } from "../support/fixture.ts";
import { ABILITIES, type Ability, FORMS, type FormCase } from "../support/form-files.ts";
import { BUN_FOLDER, installed, MODULES } from "../support/installed.ts";

const PAGE = fileURLToPath(new URL("../../docs/other-systems.md", import.meta.url));
const missing = {
  frameworks: await installed("frameworks"),
  "agent-libraries": await installed("agent-libraries"),
  "mcp-servers": await installed("mcp-servers"),
  bun: await installed("bun"),
};

describe.each(FORMS)("$form", (form) => {
  const reason = form.needs && missing[form.needs];
  describe.skipIf(reason)(reason ? `(${reason})` : "works unchanged", () => {
    const at = makeSandbox();
    let toolbox: Toolbox;

    beforeAll(async () => {
      for (const [path, text] of Object.entries(form.files)) put(join(at.project, path), text);
      if (form.settings) put(join(at.env.TOOLWRIGHT_HOME ?? "", "settings.json"), JSON.stringify(form.settings));
      if (form.needs && form.needs !== "bun") symlinkSync(MODULES[form.needs], join(at.project, "node_modules"));
      const PATH = form.needs === "bun" ? `${BUN_FOLDER}:${at.env.PATH}` : at.env.PATH;
      toolbox = await createToolbox({ cwd: at.project, env: { ...at.env, PATH }, trust: true, builtins: false });
    });
    afterAll(async () => {
      await toolbox.close();
      at.remove();
    });

    const reach = (ability: keyof FormCase["can"]) => {
      const use = form.can[ability];
      if (!use) throw new Error(`${form.form} is not said to know "${ability}".`);
      return toolbox.call({ name: use.tool, input: use.input, sessionID: "matrix" });
    };
    /** Skipped if the form does not have this ability. */
    const only = (ability: keyof FormCase["can"]): ((name: string, test: () => Promise<void>) => void) =>
      form.can[ability] ? it : () => {};
    const names = (): string[] => Object.values(form.can).map(({ tool }) => tool);

    it("load: is listed with its format", () => {
      const tools = toolbox.list().filter(({ name }) => names().includes(name));
      expect(tools.map(({ format }) => format)).toEqual(tools.map(() => form.format));
      expect(new Set(tools.map(({ name }) => name))).toEqual(new Set(names()));
    });

    it("schema: describes an object, and rejects an invalid input", async () => {
      const { tool } = form.can.call ?? { tool: "" };
      const { inputSchema } = toolbox.get(tool) ?? {};
      expect(inputSchema).toMatchObject({ type: "object", required: [expect.any(String)] });
      const result = await toolbox.call({ name: tool, input: {} }).result;
      expect(result).toMatchObject({ ok: false, error: { code: "invalid_input" } });
    });

    it("call: returns the result of the tool", async () => {
      const result = await reach("call").result;
      expect([outputOf(result), result.ok]).toEqual([expect.stringMatching(/^said/), true]);
    });

    it("error: fails the call with the message of the tool", async () => {
      const result = await reach("error").result;
      expect(result.ok).toBe(false);
      expect(outputOf(result)).toContain(form.words ?? "failed as asked");
    });

    only("abort")("abort: reaches the tool, which stops", async () => {
      const run = reach("abort");
      // A waiting tool creates a file. For tools that cannot create one, the test waits a moment.
      const begun = join(at.project, "begun");
      for (let tries = 0; tries < (form.stopped ? 10 : 200) && !existsSync(begun); tries += 1) await sleep(50);
      run.abort();
      expect(await run.result).toMatchObject({ ok: false, error: { code: "aborted" } });
      const { stopped } = form;
      if (!stopped) return expect(existsSync(join(at.project, "stopped"))).toBe(true);
      const answer = await toolbox.call({ name: stopped.tool, input: stopped.input }).result;
      expect(outputOf(answer)).toBe(stopped.output);
    });

    only("progress")("progress: is seen while the tool runs", async () => {
      const events: RunEvent[] = [];
      for await (const event of reach("progress")) events.push(event);
      const updates = events.filter(({ type }) => type === "tool.update");
      expect(JSON.stringify(updates)).toContain(form.shows ?? "halfway");
    });

    it("image: is an image in the result", async () => {
      const result = await reach("image").result;
      expect(result.content).toContainEqual({ type: "image", data: expect.any(String), mimeType: "image/png" });
    });

    only("render")("render: comes back as lines, of the call and of its result", async () => {
      const { tool: name, input } = form.can.render ?? { tool: "", input: {} };
      const result = await toolbox.call({ name, input, callID: "drawn" }).result;
      const view = {
        name,
        input,
        width: 30,
        expanded: false,
        isPartial: false,
        color: false,
        callID: "drawn",
        cwd: "/",
      };
      expect((await toolbox.render({ ...view, kind: "call" }))?.map(trimmed)).toEqual(["doing say"]);
      const lines = await toolbox.render({ ...view, ...resultView(result) });
      expect(lines?.map(trimmed).join(" ")).toMatch(/^done: said/);
    });

    only("session event")("session event: is heard", async () => {
      await toolbox.sessions.start("another");
      const { tool: name, input } = form.can["session event"] ?? { tool: "", input: {} };
      const result = await toolbox.call({ name, input, sessionID: "another" }).result;
      expect(outputOf(result)).toMatch(/having heard .*(?:start|new|session\.created)/);
    });
  });
});

describe("the matrix in the docs", () => {
  it("[A9] matches the tests", () => {
    const rows = readFileSync(PAGE, "utf8")
      .split("\n")
      .filter((line) => line.startsWith("|") && line.split("|").length === ABILITIES.length + 3);
    const [head = [], , ...body] = rows.map((line) => line.split("|").slice(1, -1).map(trimmed));
    expect(head.slice(1)).toEqual(ABILITIES);
    expect(body).toEqual(FORMS.map((form) => [form.form, ...ABILITIES.map((ability) => cell(form, ability))]));
  });
});

function cell({ can }: FormCase, ability: Ability): string {
  return ability === "load" || ability === "schema" || can[ability] ? "yes" : "–";
}

function resultView(result: ToolResult): Extract<RenderView, { kind: "result" }> {
  return { kind: "result", content: result.content, isError: !result.ok } as Extract<RenderView, { kind: "result" }>;
}

function trimmed(text: string): string {
  return text.trim();
}

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, file.endsWith(".png") ? Buffer.from(text, "base64") : text);
}
