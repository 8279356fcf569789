import type { SessionSnapshot } from "../../../core/session.ts";
import type { ExportContext } from "../export-context.ts";
import type { PluginSettings } from "./plugin-settings.ts";

/** What the parts of one plugin share. */
export interface PluginState {
  readonly at: ExportContext;
  readonly settings: PluginSettings;
  /** Records a feature without effect, as a sentence. */
  ignore(sentence: string): void;
  /** Called after each change to the tools, hooks or commands. */
  changed(): void;
}

/** A call or an event in a session; undefined while the plugin is loaded. */
export interface PluginMoment {
  readonly session: SessionSnapshot;
  readonly directory: string;
  readonly agent?: string;
}

/** The fields that identify an agent and its session in the contexts of OpenClaw. */
export function identityOf(moment: PluginMoment | undefined): Record<string, string> {
  const agentId = moment?.agent || "main";
  const id = moment?.session.id;
  return id
    ? { agentId, sessionId: id, sessionKey: `agent:${agentId}:${id}` }
    : { agentId, sessionKey: `agent:${agentId}:main` };
}
