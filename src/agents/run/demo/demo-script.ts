import { messageOf } from "../../../core/error.ts";
import { MAX_DELAY_MS } from "../../../platform/waiting/max-delay.ts";

/** One step of the demo agent. */
export type DemoStep =
  | { readonly kind: "say"; readonly text: string }
  | { readonly kind: "call"; readonly name: string; readonly input: unknown }
  | { readonly kind: "sleep"; readonly ms: number };

const COMMANDS = "call NAME {json}, say TEXT, sleep MS";

/** The rest of a longer script is left out. */
const MAX_LINES = 10_000;

/** The steps in a prompt, one for each line that is not empty. Undefined if no line is a command. A wrong line says why it is wrong. */
export function parseScript(prompt: string): readonly DemoStep[] | undefined {
  const all = prompt.split(/\r\n|\r|\n/, MAX_LINES + 1);
  const lines = all
    .slice(0, MAX_LINES)
    .map((line, index) => ({ line: line.trim(), number: index + 1 }))
    .filter(({ line }) => line !== "");
  const parsed = lines.map(({ line, number }) => parseLine(line, number));
  const isScript = parsed.some(({ isCommand }) => isCommand) || isAttempt(lines[0]?.line ?? "");
  if (!isScript) return undefined;
  const steps = parsed.map(({ step }) => step);
  return all.length > MAX_LINES ? [...steps, TOO_LONG] : steps;
}

const TOO_LONG: DemoStep = {
  kind: "say",
  text: `The script has more than ${MAX_LINES} lines. Those after line ${MAX_LINES} were left out.`,
};

/** A prompt that begins like a command is a script, even if all its lines are wrong. */
function isAttempt(line: string): boolean {
  return /^(?:call [\w-]+ *[[{"]|sleep +\S+$|(?:call|say|sleep)$)/.test(line);
}

function parseLine(line: string, number: number): { step: DemoStep; isCommand: boolean } {
  const [, word = "", rest = ""] = /^(\S+)(?:\s+(.*))?$/s.exec(line) ?? [];
  const parsed = Object.hasOwn(PARSERS, word) ? PARSERS[word as keyof typeof PARSERS](rest) : notACommand(line);
  if (typeof parsed !== "string") return { step: parsed, isCommand: true };
  return { step: { kind: "say", text: `Line ${number} of the script is wrong: ${parsed}` }, isCommand: false };
}

/** Each returns the step, or the reason why there is none. */
const PARSERS = {
  say: (text: string): DemoStep | string => (text === "" ? "say needs a text: say TEXT." : { kind: "say", text }),
  sleep: (text: string): DemoStep | string => {
    const ms = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (ms <= MAX_DELAY_MS) return { kind: "sleep", ms };
    return `sleep needs a whole number of milliseconds up to ${MAX_DELAY_MS}, not ${JSON.stringify(text)}.`;
  },
  call: (text: string): DemoStep | string => {
    const [, name, json = ""] = /^([\w-]+)(?:\s*(.+))?$/s.exec(text) ?? [];
    if (name === undefined) return "call needs the name of a tool: call NAME {json}.";
    try {
      return { kind: "call", name, input: json === "" ? {} : JSON.parse(json) };
    } catch (error) {
      return `the arguments of ${name} are not JSON on one line (${messageOf(error)}).`;
    }
  },
};

function notACommand(line: string): string {
  const shown = line.length > 80 ? `${line.slice(0, 79)}…` : line;
  return `${JSON.stringify(shown)} is not a command. Commands: ${COMMANDS}.`;
}
