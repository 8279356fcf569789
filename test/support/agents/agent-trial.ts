import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Agent } from "./agent.ts";
import { type Scene, withAgent } from "./prepared-agent.ts";
import type { AgentRun } from "./run-agent.ts";
import type { Heard } from "./scripted-model.ts";
import { TRIAL_FILES, TRIAL_SETTINGS } from "./trial-tools.ts";
import type { Answer } from "./wire.ts";

/** All that came of a session in which much goes wrong. */
export interface Trial {
  readonly run: AgentRun;
  readonly heard: readonly Heard[];
  /** What the model was told of each call, with PROJECT for the folder of the project. */
  readonly told: Readonly<Record<TrialCall, Answer>>;
  /** What is in the file that the model was told to hold the whole of an output. */
  readonly whole: string;
  /** The files in which agents are told of us: the user's after the run, and what is left of the project's without us. */
  readonly config: { readonly user: string; readonly project: string | undefined };
}

export type TrialCall = "mistaken" | "drawn" | "sketched" | "logged" | "denied" | "asked" | "counted" | "noted";

/** What the model sends to the tool whose schema agents are picky about. */
export const COUNTED = { word: null, most: "3" } as const;
export const SECRET = { path: "secrets/key.txt" } as const;

/** Installs us into an agent for one project, and lets its model make one mistake after the other. */
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
    const plain = (text: string): string => (agent.steady?.(text) ?? text).replaceAll(at.project, "PROJECT");
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

/** Goes where the model is sent, by way of what the agent has put aside where it has cut our own words off. */
function wholeOf(told: string, { ownCopy }: Agent): string {
  const copy = ownCopy?.exec(told)?.[1];
  const shown = copy === undefined ? told : readFileSync(copy, "utf8");
  const [, path] = /^\[truncated: 1000 lines omitted; full output: (.+)\]$/m.exec(shown) ?? [];
  return path === undefined ? "nothing" : readFileSync(path, "utf8");
}
