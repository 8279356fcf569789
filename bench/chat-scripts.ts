/** What a chat shows in a benchmark: the script of the agent `demo`, and the same for a program without Toolwright. */
export type ShownStep =
  /** Streamed text: one word is one token. */
  | { readonly kind: "say"; readonly text: string }
  | { readonly kind: "sleep"; readonly ms: number }
  /** Progress that a child process reports 1,000 times a second. */
  | { readonly kind: "progress"; readonly seconds: number }
  /** Output of a child process. */
  | { readonly kind: "output"; readonly bytes: number };

export type ChatScript = "tokens" | "progress" | "output";

const WORDS = "the tool reads a file and returns every line of it that matches what the model has asked for".split(" ");
const words = (count: number, from: number): string =>
  Array.from({ length: count }, (_, index) => WORDS[(from + index) % WORDS.length]).join(" ");

/** A part of an answer in Markdown: 100 words and a pause. */
function part(number: number): ShownStep[] {
  const lines = [
    `## Part ${number}`,
    words(60, number),
    `- ${words(13, number)}`,
    `- **${words(11, number)}**`,
    "```ts",
    `const part = ${number};`,
    "```",
    words(5, number),
  ];
  return [...lines.map((text) => ({ kind: "say", text }) as const), { kind: "sleep", ms: 30 }];
}

/** The steps of each script. */
export const SCRIPTS: Readonly<Record<ChatScript, readonly ShownStep[]>> = {
  tokens: Array.from({ length: 100 }, (_, index) => part(index + 1)).flat(),
  progress: [{ kind: "progress", seconds: 3 }],
  output: Array.from({ length: 5 }, (): ShownStep[] => [
    { kind: "output", bytes: 5_000_000 },
    { kind: "sleep", ms: 300 },
  ]).flat(),
};

/** The last line of each prompt: the agent answers that it is wrong, and the answer contains a word that the prompt does not. */
export const LAST_LINE = "finish";
export const LAST_WORD = "Commands:";

/** The prompt for the agent `demo`. */
export function promptOf(script: ChatScript): string {
  const lines = SCRIPTS[script].map(lineOf);
  return [...lines, LAST_LINE].join("\n");
}

function lineOf(step: ShownStep): string {
  switch (step.kind) {
    case "say":
      return `say ${step.text}`;
    case "sleep":
      return `sleep ${step.ms}`;
    case "progress":
      return `call count ${JSON.stringify({ seconds: step.seconds })}`;
    case "output":
      return `call print ${JSON.stringify({ bytes: step.bytes })}`;
  }
}

/** Calls `report` with the numbers 1, 2, 3, … a thousand times a second. */
export async function count(seconds: number, report: (count: number) => void): Promise<void> {
  const startedAt = performance.now();
  for (let counted = 0; counted < seconds * 1_000; ) {
    const due = Math.min(performance.now() - startedAt, seconds * 1_000);
    while (counted < due) report(++counted);
    await new Promise((done) => setTimeout(done, 1));
  }
}

/** Lines of 100 characters. */
export function linesOf(bytes: number): string {
  return Array.from(
    { length: bytes / 100 },
    (_, index) => `${String(index).padStart(8, "0")} ${"x".repeat(90)}\n`,
  ).join("");
}
