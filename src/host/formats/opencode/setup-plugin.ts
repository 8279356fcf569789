import { messageOf } from "../../../core/error.ts";
import type { FormatInfo } from "../../../core/format-info.ts";
import { bunNeedOf } from "../../protocol/source-problem.ts";
import type { Contributions } from "../contributions.ts";
import { type ExportContext, ExportError } from "../export-context.ts";
import { EFFECT_PLUGIN } from "./effect-plugin.ts";
import { createSetupContext } from "./setup-context.ts";
import { SetupHooks } from "./setup-hooks.ts";
import { PluginTools } from "./tool-editor.ts";

/** A plugin of OpenCode 2. */
interface SetupPlugin {
  readonly id?: unknown;
  setup?(context: object): unknown;
  effect?(context: object): unknown;
}

/** Runs the `setup` of a plugin and reads the tools and hooks that it adds. Throws an `ExportError`. */
export async function readSetupPlugin(plugin: SetupPlugin, at: ExportContext): Promise<Contributions> {
  const { options = {} } = at.file.opencodePlugin ?? {};
  if (!plugin.setup && plugin.effect) throw new ExportError("bad_definition", EFFECT_PLUGIN);
  if (!plugin.setup) return nothing(at, "Its part of the terminal interface is shown by OpenCode only.");

  const ignored = new Set<string>();
  const unloaded = new AbortController();
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  const ignore = (sentence: string): void => void ignored.add(sentence);
  const tools = new PluginTools(at, changed, ignore);
  const hooks = new SetupHooks();
  const context = createSetupContext({
    host: at.host,
    options,
    tools,
    hooks,
    ignore,
    changed,
    unloaded: unloaded.signal,
  });
  const cleanUp = await runSetup(plugin, context);
  return {
    get tools() {
      return tools.tools;
    },
    get problems() {
      return tools.problems;
    },
    get about() {
      return aboutOf(at, [...ignored]);
    },
    get hooks() {
      return hooks.callHooks;
    },
    dependsOnHost: true,
    onChange: (listener) => void listeners.add(listener),
    close: async () => {
      unloaded.abort();
      try {
        if (typeof cleanUp === "function") await cleanUp();
      } catch (error) {
        at.host.log("warn", `${at.file.path} failed in its clean-up function: ${messageOf(error)}`);
      }
    },
  } as Contributions;
}

async function runSetup(plugin: SetupPlugin, context: object): Promise<unknown> {
  try {
    return await plugin.setup?.(context);
  } catch (error) {
    if (bunNeedOf(error)) throw error;
    throw new ExportError("plugin_failed", `Its setup function failed: ${messageOf(error)}`);
  }
}

function nothing(at: ExportContext, sentence: string): Contributions {
  return { tools: [], problems: [], about: aboutOf(at, [sentence]), dependsOnHost: true };
}

function aboutOf({ why }: ExportContext, unsupportedFeatures: readonly string[]): FormatInfo {
  return { format: "opencode-plugin", why, unsupportedFeatures };
}
