import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { QuestionAnswer } from "../../../../src/core/question.ts";
import type { AgentWorld, Seen, TurnOptions } from "../agent-world.ts";
import type { Step } from "../prompted-model.ts";
import { call, ourCalls } from "./call-cases.ts";
import { checkNext } from "./running-cases.ts";

/** The cases with questions to a person. */
export const permissionCases = {
  async refused(world: AgentWorld): Promise<void> {
    const seen = await asking(world, "Publish, refused.", [call(world, "guarded"), { say: "Not published." }], {
      allowed: false,
      reason: "not before the tests pass",
    });
    expect(questions(seen)).toMatchObject([{ tool: "guarded", agent: world.row.name, kind: "permission" }]);
    expect(seen.answers[0]?.text).toContain("not before the tests pass");
    expect(ourCalls(seen.stored)).toMatchObject([{ type: "tool.failed", result: { error: { code: "denied" } } }]);
    expect(seen.stored.at(-1)).toMatchObject({ type: "session.idle", text: "Not published." });
  },

  async headless(world: AgentWorld): Promise<void> {
    const seen = await world.turn("Publish alone.", [call(world, "guarded"), { say: "Not published." }]);
    expect(questions(seen)).toEqual([]);
    expect(seen.answers[0]?.text).toContain("No person can be asked here, so it was refused.");
    expect(seen.stored.at(-1)).toMatchObject({ type: "session.idle", text: "Not published." });
  },

  async once(world: AgentWorld): Promise<void> {
    const seen = await asking(world, "Publish twice.", twice(world), { allowed: true }, "once");
    expect(questions(seen)).toHaveLength(2);
    expect(seen.answers.map(({ text }) => text.includes("Published."))).toEqual([true, true]);
  },

  async session(world: AgentWorld): Promise<void> {
    const answer = { allowed: true, remember: "session" } as const;
    const seen = await asking(world, "Publish in this session.", twice(world), answer, "for-session");
    expect(questions(seen)).toHaveLength(1);
    expect(seen.answers.map(({ text }) => text.includes("Published."))).toEqual([true, true]);
    const other = await asking(world, "Publish in another one.", twice(world), answer, "other-session");
    expect(questions(other)).toHaveLength(1);
  },

  async always(world: AgentWorld): Promise<void> {
    const file = join(world.env.TOOLWRIGHT_HOME as string, "settings.json");
    const before = readFileSync(file, "utf8");
    const answer = { allowed: true, remember: "always" } as const;
    const seen = await asking(world, "Publish always.", twice(world), answer, "always");
    expect(questions(seen)).toHaveLength(1);
    expect(readFileSync(file, "utf8")).not.toBe(before);
    const other = await world.turn("Publish as always.", twice(world), { sessionID: "as-always" });
    expect(questions(other)).toEqual([]);
    expect(other.answers.map(({ text }) => text.includes("Published."))).toEqual([true, true]);
    world.settings({});
  },

  async abortQuestion(world: AgentWorld): Promise<void> {
    await abortAsked(world, "Publish, and stop.", [call(world, "guarded"), { say: "Never said." }], world.talk);
  },

  async ownRefused(world: AgentWorld): Promise<void> {
    const { file, steps, logged } = ownTool(world, "refused");
    const seen = await world.turn("Write alone.", steps, { sessionID: "own-refused" });
    expect(existsSync(file)).toBe(false);
    expect(questions(seen)).toEqual([]);
    expect(ownEnds(seen, logged)).toMatchObject([{ type: "tool.failed" }]);
    expect(seen.answers[0]?.text).toContain("No person can be asked here");
    expect(seen.stored.at(-1)).toMatchObject({ type: "session.idle" });
  },

  async ownAsked(world: AgentWorld): Promise<void> {
    const { file, steps, logged } = ownTool(world, "asked");
    const seen = await asking(world, "Write if allowed.", steps, { allowed: true }, "own-asked");
    expect(questions(seen)).toMatchObject([{ tool: logged, agent: world.row.name }]);
    expect(readFileSync(file, "utf8")).toContain("Written by asked.");
    expect(ownEnds(seen, logged)).toMatchObject([{ type: "tool.complete" }]);
    expect(seen.stored.at(-1)).toMatchObject({ type: "session.idle", text: "Written." });
  },

  async ownAllowed(world: AgentWorld): Promise<void> {
    const { file, steps, logged } = ownTool(world, "allowed");
    await world.close();
    world.settings({ permissions: [{ tool: logged, action: "allow" }] });
    const seen = await world.turn("Write by the rule.", steps, { sessionID: "own-allowed", answerable: true });
    expect(questions(seen)).toEqual([]);
    expect(readFileSync(file, "utf8")).toContain("Written by allowed.");
    expect(ownEnds(seen, logged)).toMatchObject([{ type: "tool.complete" }]);
    expect(seen.stored.at(-1)).toMatchObject({ type: "session.idle", text: "Written." });
    world.settings({ permissions: [] });
  },

  async ownAborted(world: AgentWorld): Promise<void> {
    const { file, steps } = ownTool(world, "aborted");
    await abortAsked(world, "Write, and stop.", steps, "own-aborted");
    expect(existsSync(file)).toBe(false);
  },
};

/** Aborts a turn while its question is open. */
async function abortAsked(world: AgentWorld, prompt: string, steps: readonly Step[], sessionID: string): Promise<void> {
  const during: TurnOptions["during"] = (event, turn) => {
    if (event.type === "question.asked") turn.abort();
  };
  const seen = await world.turn(prompt, steps, { sessionID, answerable: true, during });
  expect(questions(seen)).toHaveLength(1);
  const answers = seen.stored.filter(({ type }) => type === "question.answered");
  expect(answers).toMatchObject([{ allowed: false, withdrawn: true }]);
  expect(seen.stored.at(-1)).toMatchObject({ type: "session.idle", aborted: true });
  await checkNext(world, `${prompt} And go on.`, sessionID);
}

/** Runs a turn whose questions get this answer. */
async function asking(
  world: AgentWorld,
  prompt: string,
  steps: readonly Step[],
  answer: QuestionAnswer,
  sessionID: string = world.talk,
): Promise<Seen> {
  const toolbox = await world.toolbox();
  const during: TurnOptions["during"] = (event) =>
    event.type === "question.asked" ? toolbox.sessions.answer(event.questionID, answer) : undefined;
  return world.turn(prompt, steps, { sessionID, answerable: true, during });
}

function twice(world: AgentWorld): Step[] {
  return [call(world, "guarded"), call(world, "guarded"), { say: "Published both." }];
}

function questions({ stored }: Seen): Seen["stored"] {
  return stored.filter(({ type }) => type === "question.asked");
}

/** A step in which the agent's own tool writes a file of the project. */
function ownTool(world: AgentWorld, name: string): { file: string; steps: Step[]; logged: string } {
  const { ownTool: own, name: agent } = world.row;
  if (!own) throw new Error(`${agent} has no tools of its own.`);
  const file = world.file(`${name}.txt`);
  return { file, logged: own.logged, steps: [own.call(file, `Written by ${name}.`), { say: "Written." }] };
}

function ownEnds({ stored }: Seen, logged: string): Seen["stored"] {
  return stored
    .filter((event) => event.type === "tool.complete" || event.type === "tool.failed")
    .filter(({ tool }) => tool === logged);
}
