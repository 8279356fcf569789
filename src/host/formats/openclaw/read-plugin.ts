import { messageOf } from "../../../core/error.ts";
import type { FormatInfo } from "../../../core/format-info.ts";
import { bunNeedOf } from "../../protocol/source-problem.ts";
import type { Contributions } from "../contributions.ts";
import { type ExportContext, ExportError } from "../export-context.ts";
import { PluginHooks } from "./openclaw-hooks.ts";
import { createPluginApi } from "./plugin-api.ts";
import { PluginCommands } from "./plugin-commands.ts";
import { readPluginSettings } from "./plugin-settings.ts";
import type { PluginState } from "./plugin-state.ts";
import { PluginTools } from "./plugin-tools.ts";

type Register = (api: object) => unknown;

/** A plugin of OpenClaw: its function, or an object with it. Earlier versions called the function "activate". */
type Plugin = Register | { readonly register?: Register; readonly activate?: Register };

/** Runs the `register` function of a plugin and reads what it registers. Throws an `ExportError`. */
export async function readOpenClawPlugin(plugin: Plugin, at: ExportContext): Promise<Contributions> {
  const settings = readPluginSettings(at.file, typeof plugin === "function" ? {} : { ...plugin });
  const { reads, off } = settings;
  if (off !== undefined) {
    const about = aboutOf(at, [`The configuration of OpenClaw turns it off: ${off}.`]);
    return { tools: [], problems: [], about, reads, dependsOnHost: true };
  }
  const ignored = new Set<string>();
  const listeners = new Set<() => void>();
  const state: PluginState = {
    at,
    settings,
    ignore: (sentence) => void ignored.add(sentence),
    changed: () => {
      for (const listener of listeners) listener();
    },
  };
  const parts = { tools: new PluginTools(state), hooks: new PluginHooks(state), commands: new PluginCommands(state) };
  await runRegister(plugin, createPluginApi(state, parts));
  const { tools, hooks, commands } = parts;
  await tools.settled();
  return {
    get tools() {
      return tools.tools;
    },
    get problems() {
      return [...tools.problems, ...commands.problems];
    },
    get about() {
      return aboutOf(at, [...ignored]);
    },
    get hooks() {
      return hooks.callHooks;
    },
    get commands() {
      return commands.commands;
    },
    ...(hooks.listensToSessions ? { onSession: (...event) => hooks.emitSession(...event) } : {}),
    dependsOnHost: true,
    reads,
    onChange: (listener) => void listeners.add(listener),
  } as Contributions;
}

async function runRegister(plugin: Plugin, api: object): Promise<void> {
  try {
    if (typeof plugin === "function") await plugin(api);
    else await (plugin.register ? plugin.register(api) : plugin.activate?.(api));
  } catch (error) {
    if (bunNeedOf(error)) throw error;
    throw new ExportError("plugin_failed", `Its register function failed: ${messageOf(error)}`);
  }
}

function aboutOf({ why }: ExportContext, unsupportedFeatures: readonly string[]): FormatInfo {
  return { format: "openclaw-plugin", why, unsupportedFeatures };
}
