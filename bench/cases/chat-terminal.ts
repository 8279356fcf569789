import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type ChatScript, count, LAST_WORD, linesOf, promptOf } from "../chat-scripts.ts";
import type { Bench, Case, Contender, Goal, Sample } from "../harness.ts";
import { built, cleanEnvironment, program } from "../places.ts";
import { startPty } from "../pty.ts";
import { percentile } from "../statistics.ts";
import { processCpuMs } from "../tree-cpu.ts";

const SIZE = { columns: 100, rows: 30 } as const;
const KEY_MS = 60;
/** pi-tui draws at most once in this time. */
const FRAME_MS = 16;
/** Letters that no text of a script has: each is typed once, so that it is new on the screen. */
const KEYS = Array.from({ length: 200 }, (_, index) => String.fromCharCode(0x410 + index)).filter((key) =>
  /\p{L}/u.test(key),
);

/**
 * `key` is the time in ms from a key to the bytes that show it, while the text arrives; `slow` its 95th percentile. `cpu` is the CPU
 * time in ms of the process that draws, without its tools. `kb` is what it writes to the terminal.
 */
const GOALS: readonly Goal[] = [
  { of: "chat", measure: "key", against: "pi-tui", atMost: 1.5, orPlus: 1 },
  { of: "chat", measure: "slow", against: "pi-tui", atMost: 1.5, orPlus: FRAME_MS },
  { of: "chat", measure: "cpu", against: "pi-tui", atMost: 1.5 },
];

export const chatTokens: Case = {
  name: "chat-tokens",
  about:
    "`toolwright chat` that shows 10,000 streamed tokens, compared with components of pi-tui that show the same text",
  prepare: (folder) => prepared(folder, "tokens"),
};

export const chatProgress: Case = {
  name: "chat-progress",
  about: "`toolwright chat` with a tool that reports progress 1,000 times a second, compared with components of pi-tui",
  prepare: (folder) => prepared(folder, "progress"),
};

export const chatOutput: Case = {
  name: "chat-output",
  about: "`toolwright chat` with a tool that returns 5 MB, five times, compared with components of pi-tui",
  prepare: (folder) => prepared(folder, "output"),
};

async function prepared(folder: string, script: ChatScript): Promise<Bench> {
  const [chat, bare] = [join(folder, "chat"), join(folder, "bare")];
  for (const each of [chat, bare]) writeProject(each);
  const prompt = promptOf(script);
  const contenders: Contender[] = [
    { name: "chat", run: () => measured([built("cli"), "chat", "--agent", "demo", "--trust"], chat, prompt) },
    { name: "pi-tui", run: () => measured([program("bare-tui.ts"), script], bare, prompt) },
  ];
  return { contenders, goals: GOALS, rounds: 5, warmUp: 1 };
}

/** The tools of the scripts, and a rule that allows their calls. */
function writeProject(folder: string): void {
  const env = cleanEnvironment(folder);
  const tools = join(folder, ".toolwright/tools");
  for (const each of [tools, env.HOME, env.TOOLWRIGHT_HOME]) mkdirSync(each ?? "", { recursive: true });
  writeFileSync(
    join(tools, "count.js"),
    `const count = ${count};
export default {
  description: "Reports progress 1,000 times a second.",
  args: { seconds: { type: "number" } },
  execute: ({ seconds }, { metadata }) => count(seconds, (counted) => metadata({ title: "count " + counted })).then(() => "Counted."),
};
`,
  );
  writeFileSync(
    join(tools, "print.js"),
    `${linesOf}
export default { description: "Returns lines.", args: { bytes: { type: "number" } }, execute: ({ bytes }) => linesOf(bytes) };
`,
  );
  const settings = { permissions: [{ tool: "*", match: "undeclared", action: "allow" }] };
  writeFileSync(join(env.TOOLWRIGHT_HOME ?? "", "settings.json"), JSON.stringify(settings));
}

/** Pastes the prompt, and types a letter now and then until the answer has ended. */
async function measured(args: readonly string[], folder: string, prompt: string): Promise<Sample> {
  const env = cleanEnvironment(folder);
  const pty = await startPty({ command: [process.execPath, ...args], cwd: folder, env, ...SIZE });
  try {
    await pty.shows("default");
    await pty.quiet(500);
    pty.write(`\x1b[200~${prompt}\x1b[201~`);
    await pty.quiet(300);
    const { pid } = pty;
    const [cpu, kb, startedAt] = [processCpuMs(pid), pty.written, performance.now()];
    let hasEnded = false;
    const ended = pty.shows(LAST_WORD, 120_000).then(() => {
      hasEnded = true;
    });
    // Awaited below: it may fail while a letter is waited for.
    ended.catch(() => {});
    pty.write("\r");
    const times: number[] = [];
    for (const key of KEYS) {
      await sleep(KEY_MS * (0.5 + Math.random()));
      if (hasEnded) break;
      const at = performance.now();
      const shown = pty.shows(key);
      pty.write(key);
      await shown;
      times.push(performance.now() - at);
    }
    await ended;
    await pty.quiet(200);
    return {
      key: percentile(times, 0.5),
      slow: percentile(times, 0.95),
      cpu: processCpuMs(pid) - cpu,
      kb: (pty.written - kb) / 1_000,
      wall: performance.now() - startedAt,
    };
  } finally {
    await pty.close();
  }
}
