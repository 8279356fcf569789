/** A scripted model in a process of its own, for the cases of agents. Sends its origin over IPC. */
import { ANTHROPIC } from "../../test/support/agents/anthropic-wire.ts";
import { CHAT } from "../../test/support/agents/chat-wire.ts";
import { startPromptedModel } from "../../test/support/coding-agents/prompted-model.ts";
import { ANSWERS, CALLS, PROMPTS } from "./agent-prompts.ts";

const [wire, tool = ""] = process.argv.slice(2);
const model = await startPromptedModel(wire === "anthropic" ? ANTHROPIC : CHAT);
const call = { call: tool, input: { text: "a line of text" } };
model.script(PROMPTS.turn, [{ say: ANSWERS.turn }]);
model.script(PROMPTS.calls, [...Array.from({ length: CALLS }, () => call), { say: ANSWERS.calls }]);
process.on("disconnect", () => void model.close());
process.send?.(model.origin);
