import type { Client } from "./agent.ts";
import { TERMINAL_CLIENTS } from "./terminal-clients.ts";
import { WINDOW_CLIENTS } from "./window-clients.ts";

/** Every program whose configuration we can change, in the order in which lists show them. */
export const CLIENTS: readonly Client[] = [...TERMINAL_CLIENTS, ...WINDOW_CLIENTS];

/** The names by which people know them as well. */
const ALIASES: Readonly<Record<string, string>> = {
  claude: "claude-code",
  "copilot-cli": "copilot",
  "gemini-cli": "gemini",
  "codex-cli": "codex",
  "vs-code": "vscode",
  code: "vscode",
  "devin-desktop": "windsurf",
};

/** The client that somebody means by a name, in whatever case. */
export function findClient(name: string): Client | undefined {
  const wanted = name.toLowerCase();
  const id = Object.hasOwn(ALIASES, wanted) ? ALIASES[wanted] : wanted;
  return CLIENTS.find((client) => client.id === id);
}
