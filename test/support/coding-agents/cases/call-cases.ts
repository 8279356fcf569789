import { expect } from "vitest";
import { textOf } from "../../../../src/core/result.ts";
import type { AgentWorld, Seen } from "../agent-world.ts";
import { DOT, LARGE, LONE, PAPER, SUITE_FILES, UNICODE } from "../suite-tools.ts";

/** The cases in which a tool is called and ends by itself. */
export const callCases = {
  async schema(world: AgentWorld): Promise<void> {
    const { row } = world;
    const { asked } = await world.turn("Show me the tools.", [{ say: "Here they are." }], { sessionID: "first" });
    const offered = asked[0]?.offered ?? [];
    const toolbox = await world.toolbox();
    const names = Object.keys(SUITE_FILES).map((file) => file.replace(".ts", ""));
    expect(offered.map(({ name }) => name)).toEqual(expect.arrayContaining(names.map(row.toolName)));
    for (const name of names) {
      const ours = toolbox.get(name);
      const shown = offered.find((each) => each.name === row.toolName(name));
      const schema = ours?.inputSchema ?? {};
      expect({ name, ...shown }).toMatchObject({
        description: row.shownDescription?.(ours?.description ?? "") ?? ours?.description,
        schema: row.shownSchema?.(schema, name) ?? schema,
      });
    }
  },

  async defaults(world: AgentWorld): Promise<void> {
    const { answers, stored } = await world.turn("Repeat cheese.", [
      call(world, "note", { text: "cheese" }),
      { say: "Repeated." },
    ]);
    expect(answers).toHaveLength(1);
    expect(answers[0]?.text).toContain("plain: cheese, cheese");
    expect(stored.at(-1)).toMatchObject({ type: "session.idle", text: "Repeated." });
    expect(ourCalls(stored)).toMatchObject([{ type: "tool.complete", tool: "note", agent: world.row.name }]);
  },

  async context(world: AgentWorld): Promise<void> {
    const seen = await world.turn("Return the context.", [call(world, "context"), { say: "Returned." }]);
    const context = contextIn(seen);
    expect(context).toMatchObject({
      sessionID: world.talk,
      agent: world.row.name,
      directory: world.at.project,
      aborted: false,
    });
    const [start] = seen.stored.filter((event) => event.type === "tool.start" && event.tool === "context");
    expect(start).toMatchObject({ callID: context.callID, messageID: context.messageID });
    // checkTurn() has checked that the log has this message.
    const message = seen.stored.find(
      (event) => event.type === "message.complete" && event.messageID === context.messageID,
    );
    expect(message).toMatchObject({ type: "message.complete" });
  },

  async callId(world: AgentWorld): Promise<void> {
    const seen = await world.turn("Return the id.", [call(world, "context"), { say: "Returned." }]);
    expect(contextIn(seen).callID).toBe(seen.asked[0]?.reply?.calls[0]?.id);
  },

  async registered(world: AgentWorld): Promise<void> {
    const { heard } = world;
    for (const list of Object.values(heard)) list.length = 0;
    const { answers, asked, stored } = await world.turn("Who are the mayors?", [
      call(world, "registered", { city: "Delft" }),
      call(world, "registered", { city: 5 }),
      call(world, "note", { text: "mayors" }),
      { say: "Asked." },
    ]);
    const name = world.row.toolName("registered");
    expect(asked[0]?.offered.find((each) => each.name === name)?.description).toContain("mayor");
    expect(answers).toHaveLength(3);
    expect(answers[0]?.text).toContain("Mayor of Delft");
    expect(heard.contexts).toMatchObject([
      { sessionID: world.talk, agent: world.row.name, directory: world.at.project, abort: { aborted: false } },
    ]);
    expect(heard.contexts[0]?.callID).toBe(asked[0]?.reply?.calls[0]?.id);
    const logged = ourCalls(stored).map(({ tool, type }) => [tool, type]);
    // Some agents check arguments themselves: the second call is then one of their own.
    expect(logged.filter(([, type]) => type === "tool.complete")).toEqual([
      ["registered", "tool.complete"],
      ["note", "tool.complete"],
    ]);
    expect(heard.starts.filter(({ tool }) => tool === "note")).toMatchObject([{ input: { text: "mayors" } }]);
    expect(heard.ends.map(({ success }) => success)).toEqual([true, false, true]);
    expect(heard.starts.map(({ callID }) => callID)).toEqual(heard.ends.map(({ callID }) => callID));
  },

  async streaming(world: AgentWorld): Promise<void> {
    const first = "I will repeat one word for you, and then I am done.";
    const last = "That was the word, in several pieces of text.";
    const { stored, events } = await world.turn("Talk to me.", [
      { calls: [{ call: world.row.toolName("note"), input: { text: "tea" } }], say: first },
      { say: last },
    ]);
    const messages = stored.filter((event) => event.type === "message.complete");
    expect(messages.map(({ content }) => textOf(content)).filter((text) => text !== "")).toEqual([first, last]);
    const deltas = events.filter((event) => event.type === "message.delta");
    expect(deltas.length).toBeGreaterThan(2);
    const usage = stored.filter((event) => event.type === "usage");
    expect(usage.length).toBeGreaterThan(0);
    expect(usage.reduce((sum, { inputTokens = 0 }) => sum + inputTokens, 0)).toBeGreaterThan(0);
    expect(usage.reduce((sum, { outputTokens = 0 }) => sum + outputTokens, 0)).toBeGreaterThan(0);
    expect(stored.at(-1)).toMatchObject({ type: "session.idle", text: last });
  },

  async invalid(world: AgentWorld): Promise<void> {
    const { answers, stored } = await world.turn("Repeat it wrongly.", [
      call(world, "note", { text: "", times: 99 }),
      call(world, "note", { text: "corrected", times: 1 }),
      { say: "Corrected." },
    ]);
    const expected = world.row.invalidInput ?? [
      'The input for "note" is not valid:',
      "- /text: ",
      "- /times: ",
      "Correct it and call the tool again.",
    ];
    for (const part of expected) expect(answers[0]?.text).toContain(part);
    expect(answers[1]?.text).toContain("plain: corrected");
    expect(stored.at(-1)).toMatchObject({ type: "session.idle", text: "Corrected." });
  },

  async thrown(world: AgentWorld): Promise<void> {
    const { answers, stored } = await world.turn("Print it.", [
      call(world, "print"),
      call(world, "note", { text: "afterwards" }),
      { say: "No paper." },
    ]);
    expect(answers[0]?.text).toContain(PAPER);
    expect(answers[1]?.text).toContain("afterwards");
    expect(ourCalls(stored)).toMatchObject([
      { type: "tool.failed", result: { error: { message: PAPER } } },
      { type: "tool.complete" },
    ]);
    expect(stored.at(-1)).toMatchObject({ type: "session.idle", text: "No paper." });
  },

  async image(world: AgentWorld): Promise<void> {
    const { asked, answers } = await world.turn("Draw a dot.", [call(world, "draw"), { say: "Drawn." }]);
    expect(answers[0]?.text).toContain("Here it is.");
    expect(asked.at(-1)?.pictures).toEqual([DOT]);
  },

  async empty(world: AgentWorld): Promise<void> {
    const { answers, stored } = await world.turn("Return nothing.", [call(world, "empty"), { say: "Nothing." }]);
    expect(answers).toHaveLength(1);
    expect(ourCalls(stored)).toMatchObject([{ type: "tool.complete", tool: "empty" }]);
    expect(stored.at(-1)).toMatchObject({ type: "session.idle", text: "Nothing." });
  },

  async data(world: AgentWorld): Promise<void> {
    const { answers } = await world.turn("Count the words.", [call(world, "data"), { say: "Counted." }]);
    expect(answers[0]?.text).toContain("There are 7 words.");
  },

  async file(world: AgentWorld): Promise<void> {
    const { answers } = await world.turn("Write a report.", [call(world, "report"), { say: "Written." }]);
    expect(answers[0]?.text).toContain("The report is ready.");
    expect(answers[0]?.text).toContain("report.pdf");
  },

  async promptImage(world: AgentWorld): Promise<void> {
    const prompt = "Look at this.";
    const content = [
      { type: "text", text: prompt },
      { type: "image", data: DOT, mimeType: "image/png" },
    ] as const;
    const { asked, stored } = await world.turn(prompt, [{ say: "A dot." }], { content, sessionID: "picture" });
    expect(asked[0]?.pictures).toEqual([DOT]);
    expect(stored.at(-1)).toMatchObject({ type: "session.idle", text: "A dot." });
  },

  async large(world: AgentWorld): Promise<void> {
    const { answers, stored } = await world.turn("Print the log.", [call(world, "log"), { say: "Printed." }]);
    const [end] = ourCalls(stored);
    const ours = end?.type === "tool.complete" ? textOf(end.result.content) : "";
    expect(Buffer.byteLength(ours)).toBeLessThan(51_000);
    expect(ours.slice(0, 10_000)).toBe(LARGE.slice(0, 10_000));
    const notice = /\[truncated: \d+ (lines|bytes) omitted; full output: .+\]/g;
    expect(ours.match(notice)).toHaveLength(1);
    const told = answers[0]?.text ?? "";
    expect(told).toContain(ours);
    expect(told.match(notice)).toHaveLength(1);
    expect(told.length - ours.length).toBeLessThan(500);
  },

  async parallel(world: AgentWorld): Promise<void> {
    const { answers, asked, stored } = await world.turn("Repeat two words.", [
      { calls: ["one", "two"].map((text) => call(world, "note", { text })) },
      { say: "Both." },
    ]);
    expect(answers).toHaveLength(2);
    const calls = asked[0]?.reply?.calls ?? [];
    for (const [index, text] of ["one", "two"].entries()) {
      const own = answers.find(({ callID }) => callID === calls[index]?.id) ?? answers[index];
      expect(own?.text).toContain(`plain: ${text}, ${text}`);
    }
    expect(ourCalls(stored)).toHaveLength(2);
    expect(stored.at(-1)).toMatchObject({ type: "session.idle", text: "Both." });
  },

  async overlap(world: AgentWorld): Promise<void> {
    const place = "overlap";
    const { answers } = await world.turn("Meet.", [
      { calls: ["a", "b"].map((name) => call(world, "meet", { place, name })) },
      { say: "Met." },
    ]);
    for (const { text } of answers) expect(text).toContain("is not alone");
    expect(answers).toHaveLength(2);
  },

  async unicode(world: AgentWorld): Promise<void> {
    const { answers, asked, stored } = await world.turn(`Characters.\n${UNICODE}`, [
      call(world, "echo", { text: UNICODE }),
      { say: `Said: ${UNICODE}` },
    ]);
    expect(asked[0]?.prompt).toContain(UNICODE);
    expect(inputOf(stored)).toEqual({ text: UNICODE });
    expect(answers[0]?.text).toContain(UNICODE);
    expect(stored.at(-1)).toMatchObject({ type: "session.idle", text: `Said: ${UNICODE}` });
  },

  async longPrompt(world: AgentWorld): Promise<void> {
    const text = "A long line of a long prompt.\n".repeat(10_000);
    const { asked, stored } = await world.turn(`A long prompt.\n${text}End.`, [{ say: "Read." }], {
      sessionID: "long",
    });
    expect(asked[0]?.prompt).toContain(`${text}End.`);
    expect(stored.at(-1)).toMatchObject({ type: "session.idle", text: "Read." });
  },

  async slashPrompt(world: AgentWorld): Promise<void> {
    for (const prompt of ["/etc/hosts is a file, @nobody", "!ls is a command", "#1 is a number", "-p is an option"]) {
      const { asked, stored } = await world.turn(prompt, [{ say: "It is." }], { sessionID: "slash" });
      expect(asked.at(-1)?.prompt).toContain(prompt);
      expect(stored.at(-1)).toMatchObject({ type: "session.idle", text: "It is." });
    }
  },

  async loneArguments(world: AgentWorld): Promise<void> {
    const { answers, stored } = await world.turn("Half arguments.", [
      call(world, "units", { text: LONE }),
      { say: "Half." },
    ]);
    expect(answers[0]?.text).toMatch(/(dc00|fffd) 20 6c 6f 6e 65 20 (d83d|fffd)/);
    expect(stored.at(-1)).toMatchObject({ type: "session.idle", text: "Half." });
  },

  async loneResult(world: AgentWorld): Promise<void> {
    const { answers, stored } = await world.turn("Half a result.", [call(world, "half"), { say: "Half." }]);
    expect(answers[0]?.text.toWellFormed()).toContain(LONE.toWellFormed());
    expect(stored.at(-1)).toMatchObject({ type: "session.idle", text: "Half." });
  },

  async lonePrompt(world: AgentWorld): Promise<void> {
    const { asked, stored } = await world.turn(`Half a prompt.\n${LONE}`, [{ say: "Half." }]);
    expect(asked[0]?.prompt.toWellFormed()).toContain(LONE.toWellFormed());
    expect(stored.at(-1)).toMatchObject({ type: "session.idle", text: "Half." });
  },

  async loneText(world: AgentWorld): Promise<void> {
    const { result } = await world.turn("Half a text.", [{ say: `Half ${LONE}` }]);
    expect(result).toMatchObject({ ok: true });
    expect(result.text.toWellFormed()).toBe(`Half ${LONE}`.toWellFormed());
    const { stored } = await world.turn("After half a text.", [{ say: "Whole." }]);
    expect(stored.at(-1)).toMatchObject({ type: "session.idle", text: "Whole." });
  },
};

/** A call of one of our tools. */
export function call(
  { row }: AgentWorld,
  name: string,
  input: Record<string, unknown> = {},
): { call: string; input: Record<string, unknown> } {
  return { call: row.toolName(name), input };
}

/** The ends of the calls of our tools. */
export function ourCalls(
  stored: Seen["stored"],
): (Seen["stored"][number] & { type: "tool.complete" | "tool.failed" })[] {
  return stored
    .filter((event) => event.type === "tool.complete" || event.type === "tool.failed")
    .filter(({ tool }) => !tool.includes(":"));
}

function inputOf(stored: Seen["stored"]): unknown {
  return stored.find((event) => event.type === "tool.start")?.input;
}

function contextIn({ answers }: Seen): Record<string, unknown> {
  const [json = "{}"] = /\{.*\}/.exec(answers[0]?.text ?? "") ?? [];
  return JSON.parse(json.replaceAll('\\"', '"'));
}
