import { isObject } from "../../../platform/values/is-object.ts";
import { type AgentDialogs, type Choice, chooseOrWrite, Unanswered } from "../agent-dialogs.ts";
import type { ToolDecision } from "./claude-sdk.ts";

/** The tool by which Claude asks the person who uses it. */
export const ASK_USER = "AskUserQuestion";

/** Asks the questions of a call, one after another. Claude Code takes the answers from the input of the call. */
export async function answerQuestions(
  input: Readonly<Record<string, unknown>>,
  dialogs: AgentDialogs,
): Promise<ToolDecision> {
  const questions = Array.isArray(input.questions) ? input.questions.filter(isObject) : [];
  const answers: Record<string, string> = {};
  try {
    for (const question of questions) answers[String(question.question)] = await answerOf(question, dialogs);
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    return { behavior: "deny", message: error.message };
  }
  return { behavior: "allow", updatedInput: { ...input, answers } };
}

async function answerOf(asked: Readonly<Record<string, unknown>>, dialogs: AgentDialogs): Promise<string> {
  const title = String(asked.question);
  const choices = Array.isArray(asked.options) ? asked.options.filter(isObject).map(toChoice) : [];
  if (asked.multiSelect === true && choices.length > 0) {
    const lines = choices.map(({ shown }) => `- ${shown}`).join("\n");
    const placeholder = choices.map(({ value }) => value).join(", ");
    return dialogs.input(`${title}\n${lines}\nName one or more, separated by commas.`, placeholder);
  }
  return (await chooseOrWrite(dialogs, title, { choices, takesText: true })).answer;
}

function toChoice({ label, description }: Readonly<Record<string, unknown>>): Choice {
  const value = String(label);
  return { value, shown: typeof description === "string" && description !== "" ? `${value}: ${description}` : value };
}
