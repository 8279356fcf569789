import { type AgentDialogs, chooseOrWrite, Unanswered } from "../agent-dialogs.ts";
import type { UserInputRequest, UserInputResponse } from "./copilot-sdk.ts";

/** The tool by which Copilot asks the person who uses it. */
export const ASK_USER = "ask_user";

/** Asks a question. Copilot passes every answer on to its model, so the reason of a refusal is one too. */
export async function answerQuestion(
  { question, choices = [], allowFreeform = true }: UserInputRequest,
  dialogs: AgentDialogs,
): Promise<UserInputResponse> {
  const offered = choices.map((value) => ({ value, shown: value }));
  try {
    const { answer, isText } = await chooseOrWrite(dialogs, question, { choices: offered, takesText: allowFreeform });
    return { answer: answer.toWellFormed(), wasFreeform: isText };
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
    return { answer: error.message.toWellFormed(), wasFreeform: true };
  }
}
