import type { ExtensionCommandContext } from "../../../authoring/pi/extension-types.ts";
import type { CommandRun } from "../contributions.ts";
import { createContext } from "./extension-context.ts";
import { noopProxy } from "./noop-proxy.ts";
import type { PiRuntime } from "./pi-runtime.ts";

/** The context of a command: that of handlers, and members that control sessions in pi, which have no effect here. */
export function createCommandContext(runtime: PiRuntime, at: CommandRun): ExtensionCommandContext {
  const ignored = (member: string): void => runtime.logIgnored(`ctx.${member}()`);
  const refused = (member: string) => async (): Promise<{ cancelled: boolean }> => {
    ignored(member);
    return { cancelled: true };
  };
  const members = {
    waitForIdle: async () => ignored("waitForIdle"),
    reload: async () => ignored("reload"),
    newSession: refused("newSession"),
    fork: refused("fork"),
    branch: refused("branch"),
    navigateTree: refused("navigateTree"),
    switchSession: refused("switchSession"),
  };
  const context = createContext(runtime, { ...at, isIdle: true });
  return noopProxy(Object.defineProperties(members, Object.getOwnPropertyDescriptors(context)), ignored) as never;
}
