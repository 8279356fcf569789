/** What the model says at the end of a turn without calls, and of one with calls. */
export const ANSWERS = { turn: "A short answer of a few words.", calls: "All calls are made." } as const;

/** The prompts for which the scripted model has an answer. The agent `demo` needs no model: its prompts are scripts. */
export const PROMPTS: Readonly<Record<keyof typeof ANSWERS, string>> = {
  turn: `say ${ANSWERS.turn}`,
  calls: "Call the tool several times.",
};

/** The calls of the second prompt, one after the other. */
export const CALLS = 10;
