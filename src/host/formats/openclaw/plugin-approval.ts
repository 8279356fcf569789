import { messageOf } from "../../../core/error.ts";
import { timerDelay } from "../../../platform/waiting/max-delay.ts";
import type { PluginState } from "./plugin-state.ts";

/** `requireApproval` in the answer of a handler. No field is checked yet. */
export type Approval = Readonly<Record<string, unknown>>;

const DEFAULT_MS = 120_000;

/** Asks the user. Resolves to the reason of a refusal, else to undefined. Without a user interface, the call is refused. */
export async function askForApproval(approval: Approval, state: PluginState): Promise<string | undefined> {
  const { at, settings } = state;
  const [title, description] = [textOr(approval.title, "Tool call"), textOr(approval.description, "")];
  if (!at.host.hasUI) {
    await resolved(approval, "cancelled", state);
    return `The plugin "${settings.id}" requires approval of this call (${title}), and no user can be asked, so the call was not made.`;
  }
  const { timeoutMs } = approval;
  const isGiven = typeof timeoutMs === "number" && timeoutMs > 0;
  const signal = AbortSignal.timeout(timerDelay(isGiven ? timeoutMs : DEFAULT_MS));
  const answer = await at.host.ui("confirm", [title, description], signal).catch(() => undefined);
  const decision = answer === true ? "allow-once" : signal.aborted ? "timeout" : "deny";
  await resolved(approval, decision, state);
  if (decision === "allow-once") return undefined;
  const what = decision === "timeout" ? "No person approved this call in time" : "The user did not approve this call";
  return `${what} (${title}), as the plugin "${settings.id}" requires. Do not repeat it unchanged.`;
}

async function resolved({ onResolution }: Approval, decision: string, { at }: PluginState): Promise<void> {
  if (typeof onResolution !== "function") return;
  try {
    await onResolution(decision);
  } catch (error) {
    at.host.log("warn", `${at.file.path} failed in its onResolution: ${messageOf(error)}`);
  }
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === "string" && value !== "" ? value : otherwise;
}
