import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { startsOurServer } from "../discovery/our-command.ts";
import type { Entry, Launch, Surroundings } from "./agent.ts";

/** An entry in the words that most programs share. */
export function commandAndArgs({ command, args }: Launch): Entry {
  return { command, args };
}

/** The command line that an entry starts; empty where it starts nothing, or not in words that are known. */
export function wordsOf(entry: unknown): string[] {
  if (typeof entry !== "object" || entry === null) return [];
  const { command, args } = entry as Entry;
  const words: unknown[] = [command ?? [], args ?? []].flat();
  return words.every((word) => typeof word === "string") ? words : [];
}

/** The variables that an entry sets for what it starts, but for those in which the program would fill something in. */
export function variablesOf(entry: unknown): Record<string, string> {
  if (typeof entry !== "object" || entry === null) return {};
  const { env, environment } = entry as Entry;
  const texts = Object.entries(env ?? environment ?? {}).map(([name, value]) => [name, String(value)] as const);
  return Object.fromEntries(texts.filter(([, value]) => !/\$\w|\$\{|\{(?:env|file):/.test(value)));
}

/** Whether an entry starts us: this copy, or another one. */
export function startsUs(entry: unknown, { args: [cli] }: Launch, { project, home }: Surroundings): boolean {
  const words = wordsOf(entry);
  return words[1] === cli || startsOurServer(words, { folder: project, home });
}

/** The files that a command line of ours needs and that are gone. */
export function missingFiles([command = "", cli = ""]: readonly string[]): string[] {
  return [command, cli].filter((file) => isAbsolute(file) && !existsSync(file));
}
