import { expect, it } from "vitest";
import type { DialogAnswer, DialogRequest } from "../../core/coding-agent.ts";
import { AgentDialogs, chooseOrWrite, OTHER, Unanswered } from "./agent-dialogs.ts";
import { answerQuestions } from "./claude/claude-questions.ts";
import { answerQuestion } from "./copilot/copilot-questions.ts";

/** Dialogs that get these answers, and write down what was asked. */
function dialogs(...answers: readonly (string | DialogAnswer)[]): { of: AgentDialogs; asked: DialogRequest[] } {
  const asked: DialogRequest[] = [];
  const left = [...answers];
  const ask = async (request: DialogRequest): Promise<DialogAnswer> => {
    asked.push(request);
    const answer = left.shift() ?? { kind: "unasked", reason: "No one." };
    return typeof answer === "string" ? { kind: "answered", value: answer } : answer;
  };
  return { of: new AgentDialogs(ask, { callID: "c", tool: "Ask", input: {} }), asked };
}

const CHOICES = ["a", "b"].map((value) => ({ value, shown: `${value}!` }));

it.each<[string, Parameters<typeof chooseOrWrite>[2], readonly string[], object]>([
  ["a choice", { choices: CHOICES, takesText: true }, ["b!"], { answer: "b", isText: false }],
  ["a text instead", { choices: CHOICES, takesText: true }, [OTHER, "c"], { answer: "c", isText: true }],
  ["no text", { choices: CHOICES, takesText: false }, ["a!"], { answer: "a", isText: false }],
  ["no choices", { choices: [], takesText: false }, ["c"], { answer: "c", isText: true }],
])("[S2] a question of an agent with %s", async (_, choices, answers, expected) => {
  const { of, asked } = dialogs(...answers);
  expect(await chooseOrWrite(of, "Which?", choices)).toEqual(expected);
  expect(asked.map(({ title, callID, tool }) => [title, callID, tool])).toEqual(
    answers.map(() => ["Which?", "c", "Ask"]),
  );
  expect(asked[0]?.dialog.options?.includes(OTHER) ?? false).toBe(choices.takesText);
});

it("[S2] a question without an answer has the reason for the model", async () => {
  const { of } = dialogs({ kind: "closed", reason: "Closed." });
  await expect(of.input("Which?")).rejects.toEqual(new Unanswered({ kind: "closed", reason: "Closed." }));
});

it.each<[string, unknown, readonly (string | DialogAnswer)[], object]>([
  ["no questions", undefined, [], { behavior: "allow", updatedInput: { answers: {} } }],
  ["questions that are none", [5, null], [], { behavior: "allow", updatedInput: { answers: {} } }],
  ["no options", [{ question: "Q?" }], ["x"], { behavior: "allow", updatedInput: { answers: { "Q?": "x" } } }],
  [
    "options without descriptions",
    [{ question: "Q?", options: [{ label: "A" }, { label: "B", description: "" }] }],
    ["B"],
    { behavior: "allow", updatedInput: { answers: { "Q?": "B" } } },
  ],
  ["half a character", [{ question: "Q\ud800?" }], ["x"], { updatedInput: { answers: { "Q\ud800?": "x" } } }],
  [
    "a second question that is closed",
    [{ question: "Q?" }, { question: "R?" }],
    ["x", { kind: "closed", reason: "Closed." }],
    { behavior: "deny", message: "Closed." },
  ],
])("[S2] Claude's questions: %s", async (_, questions, answers, expected) => {
  expect(await answerQuestions({ questions }, dialogs(...answers).of)).toMatchObject(expected);
});

it.each<[object, readonly (string | DialogAnswer)[], object]>([
  [{ choices: ["a", "b"] }, ["b"], { answer: "b", wasFreeform: false }],
  [{ choices: ["a", "b"] }, [OTHER, "c"], { answer: "c", wasFreeform: true }],
  [{ choices: ["a"], allowFreeform: false }, ["a"], { answer: "a", wasFreeform: false }],
  [{}, ["c"], { answer: "c", wasFreeform: true }],
  [{}, [], { answer: "No one.", wasFreeform: true }],
])("[S2] Copilot's question %j, answered with %j", async (more, answers, expected) => {
  expect(await answerQuestion({ question: "Q?", ...more }, dialogs(...answers).of)).toEqual(expected);
});
