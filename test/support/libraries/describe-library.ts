import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { ToolEvent } from "../../../src/core/events.ts";
import type { Toolbox } from "../../../src/toolbox/toolbox.ts";
import { type ScriptedModel, startModel } from "../agents/scripted-model.ts";
import type { ModelCall, Turn } from "../agents/wire.ts";
import { DOT, PAPER } from "../coding-agents/suite-tools.ts";
import { type Sandbox, sandbox, writeTool } from "../fixture.ts";
import { installed, MODULES } from "../installed.ts";
import { open } from "../toolbox.ts";
import type { Library, Question } from "./library.ts";
import { TOOLS } from "./library-tools.ts";

const PATIENT = { timeout: 50_000, interval: 50 };

const NOTE_SCHEMA = {
  type: "object",
  properties: {
    text: { type: "string", minLength: 1, description: "The line to repeat." },
    times: { type: "integer", minimum: 1, maximum: 9, default: 2, description: "How often." },
    tone: { type: "string", enum: ["loud", "quiet"] },
  },
  required: ["text"],
};

interface Asking {
  readonly toolbox: Toolbox;
  readonly at: Sandbox;
  readonly model: ScriptedModel;
  readonly events: readonly ToolEvent[];
  readonly progress: readonly string[];
  ask(more?: Partial<Question>): Promise<string>;
  /** The results as the model has read them. */
  answers(): readonly { text: string; failed?: true }[];
}

/** The cases that every library must pass. */
export async function describeLibrary(library: Library): Promise<void> {
  const missing = await installed(library.package);
  const { named = (tool) => tool, failed = (message) => message, normalize = (text) => text } = library;

  const call = (tool: string, input: Record<string, unknown> = {}): ModelCall => ({ call: named(tool), input });

  /** A toolbox with the tools, and an agent of the library whose model takes these turns. */
  async function prepare(turns: readonly Turn[]): Promise<Asking> {
    const at = sandbox(TOOLS);
    symlinkSync(MODULES[library.package], join(at.project, "node_modules"));
    const { toolbox } = await open(at);
    const model = await startModel(library.wire, turns);
    onTestFinished(() => model.close());
    const events: ToolEvent[] = [];
    toolbox.on("call", (event) => void events.push(event));
    const progress: string[] = [];
    const onProgress = ({ title }: { title?: string }): void => void progress.push(title ?? "");
    const { signal } = new AbortController();
    const { origin } = model;
    return {
      toolbox,
      at,
      model,
      events,
      progress,
      ask: (more = {}) => library.ask({ toolbox, at, origin, prompt: "Do it.", signal, onProgress, ...more }),
      answers: () => (model.heard.at(-1)?.answers ?? []).map((each) => ({ ...each, text: normalize(each.text) })),
    };
  }

  /** The results of these calls, one after the other, as the model reads them. */
  async function resultsOf(...calls: readonly ModelCall[]): Promise<string[]> {
    const asking = await prepare([...calls, { say: "Done." }]);
    expect(await asking.ask()).toBe("Done.");
    return asking.answers().map(({ text }) => text);
  }

  describe.skipIf(missing)(`${library.title}${missing ? ` (${missing})` : ""}`, { timeout: 120_000 }, () => {
    it("[G8] shows the model every tool with its description and its JSON Schema", async () => {
      const { ask, model, toolbox } = await prepare([{ say: "Done." }]);
      expect(await ask()).toBe("Done.");
      const offered = model.heard[0]?.offered ?? [];
      const names = toolbox.list().map(({ name }) => named(name));
      expect(
        offered
          .map(({ name }) => name)
          .filter((name) => names.includes(name))
          .sort(),
      ).toEqual(names.sort());
      expect(offered.find(({ name }) => name === named("note"))).toMatchObject({
        description: "Repeats a line.",
        schema: library.noteSchema ?? NOTE_SCHEMA,
      });
    });

    it("[G8] applies defaults, and calls a tool without arguments", async () => {
      expect(await resultsOf(call("note", { text: "tea" }), call("time"))).toEqual(["tea, tea", "noon"]);
    });

    it("[G8] returns invalid input and thrown errors to the model, which goes on", async () => {
      const [invalid, thrown, fixed] = await resultsOf(
        call("note", { text: "tea", times: "many" }),
        call("print"),
        call("note", { text: "tea", times: 1 }),
      );
      const issue = "- /times: Invalid input: expected number, received string";
      expect(invalid).toBe(failed(`The input for "note" is not valid:\n${issue}\nCorrect it and call the tool again.`));
      expect(thrown).toBe(failed(PAPER));
      expect(fixed).toBe("tea");
    });

    it("[G8] carries images and files as far as it can; the model is told where the others are", async () => {
      const { ask, model, answers } = await prepare([call("draw"), call("scan"), call("archive"), { say: "Done." }]);
      expect(await ask()).toBe("Done.");
      const [drawn, scanned, packed] = answers();
      expect(drawn?.text).toContain("A dot:");
      if (library.carriesImages) expect(model.heard.at(-1)?.pictures).toContain(DOT);
      else expect(drawn?.text).toMatch(/\[image, image\/png, \d+ bytes: .*\.png\]/);
      if (library.carriesPdfs) expect(scanned?.text).toContain("scan.pdf");
      else expect(scanned?.text).toMatch(/scan\.pdf|toolwright:\/\/files\/.*scan\.pdf/);
      expect(packed?.text).toContain("Packed.");
      expect(packed?.text).toContain("all.zip");
    });

    it("[G8] replaces lone surrogates, which model APIs reject", async () => {
      expect(await resultsOf(call("broken-text"))).toEqual(["\uFFFD lone \uFFFD"]);
    });

    it("[G8] passes a large result that the pipeline has cut, and does not cut it again", async () => {
      const [large = ""] = await resultsOf(call("large"));
      expect(large).toMatch(/^1 x+\n2 x+\n/);
      expect(large).toMatch(/\n\[truncated: \d+ \w+ omitted; full output: .+\](?:$|\n)/);
      expect(large.length).toBeGreaterThan(49_000);
    });

    it("[G8] runs several calls of one message, and returns each result to its call", async () => {
      const texts = ["one", "two", "three"];
      const { ask, answers } = await prepare([
        { calls: texts.map((text) => call("note", { text, times: 1 })) },
        ...[{ say: "" }, { say: "" }],
        { say: "Done." },
      ]);
      expect(await ask()).toBe("Done.");
      expect(
        answers()
          .map(({ text }) => text)
          .sort(),
      ).toEqual(texts.toSorted());
    });

    it("[G8] gives calls a true context", async () => {
      const asking = await prepare([call("context"), { say: "Done." }]);
      await asking.ask({ sessionID: "desk" });
      const context = JSON.parse(asking.answers()[0]?.text ?? "");
      expect(context).toMatchObject({ sessionID: "desk", agent: "tester", directory: asking.at.project });
      if (library.passesCallIDs) expect(context.callID).toMatch(/^call_\d+_0$/);
      if (library.ownSession) {
        await asking.ask();
        expect(JSON.parse(asking.answers()[0]?.text ?? "").sessionID).toMatch(library.ownSession);
      }
    });

    it.runIf(library.showsProgress)("[G8] shows the progress of a tool", async () => {
      const { ask, progress, answers } = await prepare([call("progress"), { say: "Done." }]);
      expect(await ask()).toBe("Done.");
      expect(progress).toContain("half");
      expect(answers()[0]?.text).toBe("whole");
    });

    it("[G8] aborts the call when the library is aborted", async () => {
      const { ask, events } = await prepare([call("wait"), { say: "Done." }]);
      const controller = new AbortController();
      const ended = ask({ signal: controller.signal }).catch(() => {});
      await vi.waitFor(() => expect(events.map(({ type }) => type)).toContain("tool.update"), PATIENT);
      controller.abort();
      await ended;
      const codeOf = (event: ToolEvent | undefined): unknown =>
        event?.type === "tool.failed" && event.result.error.code;
      await vi.waitFor(() => expect(codeOf(events.at(-1))).toBe("aborted"), PATIENT);
    });

    it("[G8] runs the code of the last reload", async () => {
      const { ask, answers, at, toolbox } = await prepare([call("time"), { say: "Done." }]);
      writeTool(at, "time.js", TOOLS["time.js"]?.replace("noon", "midnight") ?? "");
      await toolbox.reload();
      await ask();
      expect(answers()[0]?.text).toBe("midnight");
    });
  });
}
