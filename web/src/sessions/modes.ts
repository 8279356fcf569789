import type { ApiMode } from "../../../src/core/api-sessions.ts";

/** What a mode means for calls that no rule covers. */
export const MODES: Readonly<Record<ApiMode, { readonly label: string; readonly explanation: string }>> = {
  default: {
    label: "Ask",
    explanation: "The agent reads files of the project without asking. For everything else it asks you first.",
  },
  acceptEdits: {
    label: "Accept edits",
    explanation:
      "The agent reads and writes files of the project without asking, except files that run. For everything else it asks you first.",
  },
  plan: {
    label: "Plan only",
    explanation: "The agent only reads. Calls that write, run commands or do not declare what they touch are refused.",
  },
  bypass: {
    label: "Bypass",
    explanation:
      "Nothing is asked: the agent writes files, runs commands and uses the network with your rights. Only rules that deny still apply. Use it only in a project and on a machine that you can afford to lose.",
  },
};
