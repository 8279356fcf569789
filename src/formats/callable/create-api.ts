import { extensionApi } from "./extension-api.ts";
import { factoryApi } from "./factory-api.ts";
import { noopProxy } from "./noop-proxy.ts";
import type { Registrations } from "./registrations.ts";
import type { Scope } from "./scope.ts";

/**
 * The one object that a file's function is called with, whichever system it was written for: it has the members of all.
 * `plugin` holds those of OpenCode's plugins, where the file looks like one.
 */
export function createApi(scope: Scope, registrations: Registrations, plugin: object): object {
  const { host } = scope;
  const members = { directory: host.cwd, worktree: host.worktree };
  for (const part of [plugin, factoryApi(scope), extensionApi(scope, registrations)]) {
    // Not copied with a spread, which would ask every getter, and so load every library.
    Object.defineProperties(members, Object.getOwnPropertyDescriptors(part));
  }
  return noopProxy(members, (member, [name]) => {
    if (member.startsWith("register")) registrations.ignore(member, name);
    else scope.ignored(`pi.${member}()`);
  });
}
