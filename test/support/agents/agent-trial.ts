import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Agent } from "./agent.ts";
import { type Scene, withAgent } from "./prepared-agent.ts";
import type { AgentRun } from "./run-agent.ts";
import type { Heard } from "./scripted-model.ts";
import { TRIAL_FILES, TRIAL_SETTINGS } from "./trial-tools.ts";
import type { Answer } from "./wire.ts";

/** The observations of a run with broken files and failing calls. */
export interface Trial {
  readonly run: AgentRun;
  readonly heard: readonly Heard[];
  /** The result of each call as the model sees it, with PROJECT instead of the project's path. */
  readonly told: Readonly<Record<TrialCall, Answer>>;
  /** The content of the full-output file that the notice names. */
  readonly whole: string;
  /** The user's configuration after the run, and the project's after `uninstall`. */
  readonly config: { readonly user: string; readonly project: string | undefined };
}

export type TrialCall = "mistaken" | "drawn" | "sketched" | "logged" | "denied" | "asked" | "counted" | "noted";

/** The input for the tool with references and type lists. */
export const COUNTED = { word: null, most: "3" } as const;
export const SECRET = { path: "secrets/key.txt" } as const;

/** Runs `install --project`, and lets the agent's model make calls that fail in different ways. */
export function trialOf(agent: Agent): Promise<Trial> {
  const calls: Record<TrialCall, Scene["calls"][number]> = {
    mistaken: ["find", {}],
    drawn: ["draw", {}],
    sketched: ["sketch", {}],
    logged: ["log", {}],
    denied: ["look", SECRET],
    asked: ["publish", {}],
    counted: [agent.longName, COUNTED],
    noted: ["note", { text: "Käse" }],
  };
  const scene: Scene = { files: TRIAL_FILES, settings: TRIAL_SETTINGS, level: "project", calls: Object.values(calls) };
  return withAgent(agent, scene, async ({ at, config, heard, run: runIt }) => {
    const run = await runIt();
    const answers = heard.at(-1)?.answers ?? [];
    const plain = (text: string): string => (agent.normalize?.(text) ?? text).replaceAll(at.project, "PROJECT");
    const told = Object.fromEntries(
      Object.keys(calls).map((call, index) => {
        const { text = "", ...rest } = answers[index] ?? {};
        return [call, { text: plain(text), ...rest }];
      }),
    ) as Trial["told"];
    const whole = wholeOf(told.logged.text, agent);
    const user = readFileSync(config.file, "utf8");
    await at.toolwright("uninstall", agent.id, "--project", "--yes");
    const file = join(at.project, agent.config.projectFile);
    const project = existsSync(file) ? readFileSync(file, "utf8") : undefined;
    return { run, heard, told, whole, config: { user, project } };
  });
}

/** Reads the full-output file. If the agent truncated the notice, finds the notice in the file that the agent saved. */
function wholeOf(told: string, { savedOutput }: Agent): string {
  const copy = savedOutput?.exec(told)?.[1];
  const shown = copy === undefined ? told : readFileSync(copy, "utf8");
  const [, path] = /^\[truncated: 1000 lines omitted; full output: (.+)\]$/m.exec(shown) ?? [];
  return path === undefined ? "nothing" : readFileSync(path, "utf8");
}
