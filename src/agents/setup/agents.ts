import type { AgentSetup } from "./agent.ts";
import { DESKTOP_AGENTS } from "./desktop-agents.ts";
import { DOCUMENTED_AGENTS } from "./documented-agents.ts";
import { TERMINAL_AGENTS } from "./terminal-agents.ts";

/** Every agent that `toolwright install` supports, in the order of lists. */
export const AGENTS: readonly AgentSetup[] = [...TERMINAL_AGENTS, ...DESKTOP_AGENTS, ...DOCUMENTED_AGENTS];

const ALIASES: Readonly<Record<string, string>> = {
  claude: "claude-code",
  "copilot-cli": "copilot",
  "gemini-cli": "gemini",
  "codex-cli": "codex",
  "vs-code": "vscode",
  code: "vscode",
  omp: "oh-my-pi",
  "qwen-code": "qwen",
  "kiro-cli": "kiro",
  factory: "droid",
  augment: "auggie",
  "kimi-code": "kimi",
  "kilo-code": "kilo",
  "roo-code": "roo",
  lmstudio: "lm-studio",
  "devin-desktop": "windsurf",
};

/** Finds an agent by id or alias, in any case. */
export function findAgent(name: string): AgentSetup | undefined {
  const wanted = name.toLowerCase();
  const id = Object.hasOwn(ALIASES, wanted) ? ALIASES[wanted] : wanted;
  return AGENTS.find((agent) => agent.id === id);
}
