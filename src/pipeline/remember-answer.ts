import { messageOf } from "../core/error.ts";
import type { Rule } from "../permissions/rule.ts";
import type { CallAgents } from "./call.ts";
import type { Catalog } from "./pipeline-parts.ts";

/** Stores the rules of a yes for the session, or in the user's settings. Never rejects. */
export async function rememberAnswer(
  how: "session" | "always",
  rules: readonly Rule[],
  { agents, catalog, settingsFile }: { agents: CallAgents; catalog: Catalog; settingsFile: string },
): Promise<void> {
  if (how === "session") return agents.grant(rules);
  try {
    const { addRules } = await import("../config/add-rules.ts");
    await addRules(settingsFile, rules);
    catalog.addRules(rules);
  } catch (error) {
    agents.grant(rules);
    const message = `A rule could not be added here, so the yes holds for this session only. ${messageOf(error)}`;
    catalog.warn({ file: settingsFile, message });
  }
}
