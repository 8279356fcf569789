import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { startsToolwrightServer } from "../../catalog/discovery/toolwright-command.ts";
import type { AgentSetup, Launch, ServerEntry, UserEnvironment } from "./agent.ts";

/** The fields in which agents differ. */
type Row = Partial<AgentSetup> & Pick<AgentSetup, "id" | "name" | "files" | "markers" | "programs" | "nextSteps">;

/** Most agents keep servers as JSON under "mcpServers", in the same format. */
export function agent(row: Row): AgentSetup {
  const toEntry = ({ command, args }: Launch): ServerEntry => ({ command, args });
  return { format: "json", sections: () => [["mcpServers"]], toEntry, ...row };
}

/** The command line that an entry starts; empty if the entry starts no program. */
export function commandLineOf(entry: unknown): string[] {
  if (typeof entry !== "object" || entry === null) return [];
  const { command, args } = entry as ServerEntry;
  const words: unknown[] = [command ?? [], args ?? []].flat();
  return words.every((word) => typeof word === "string") ? words : [];
}

/** The environment variables that an entry sets, except values with placeholders that the agent would replace. */
export function variablesOf(entry: unknown): Record<string, string> {
  if (typeof entry !== "object" || entry === null) return {};
  const { env, environment } = entry as ServerEntry;
  const texts = Object.entries(env ?? environment ?? {}).map(([name, value]) => [name, String(value)] as const);
  return Object.fromEntries(texts.filter(([, value]) => !/\$\w|\$\{|\{(?:env|file):/.test(value)));
}

/** Whether an entry starts Toolwright: this copy or another. */
export function isOurEntry(entry: unknown, { args: [cli] }: Launch, { project, home }: UserEnvironment): boolean {
  const words = commandLineOf(entry);
  return words[1] === cli || startsToolwrightServer(words, { folder: project, home });
}

/** The files that a command line of ours needs and that do not exist. */
export function missingFiles([command = "", cli = ""]: readonly string[]): string[] {
  return [command, cli].filter((file) => isAbsolute(file) && !existsSync(file));
}
