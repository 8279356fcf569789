import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { resolveLinks } from "../platform/files/real-path.ts";
import { safeName } from "../platform/text/safe-name.ts";
import { type DecideRequest, modeOf } from "../settings/permissions/decide.ts";
import type { Mode } from "../settings/permissions/rule.ts";
import type { Settings } from "../settings/settings.ts";
import { createCodeCheck } from "./auto-run-files.ts";
import type { Call } from "./call.ts";
import type { PipelineParts } from "./pipeline-parts.ts";

/** Returns a function that collects the rules and answers that apply to an access of a call. */
export function createPermissionContext({ catalog, paths }: PipelineParts): PermissionContextOf {
  const { root, home, directory, toolwrightHome } = paths;
  const own = foldersOf(root, directory);
  const outputs = join(toolwrightHome, "outputs");
  const realOutputs = resolveLinks(outputs);
  const outputsOf = cacheLast((sessionID: string) => [
    join(outputs, safeName(sessionID)),
    join(realOutputs, safeName(sessionID)),
  ]);
  const policies = cacheLast(policiesOf);
  return ({ name, context, scope: { agents } }, access) => {
    const [agent = "", ...parents] = agents.names;
    const roots = context.directory === directory ? own : [...own, ...foldersOf(context.worktree, context.directory)];
    const policy = policies(catalog.settings);
    const mode = agents.mode();
    let check: ReturnType<typeof createCodeCheck> | undefined;
    return {
      ...policy,
      ...(mode === undefined ? {} : { user: { ...policy.user, mode } }),
      tool: name,
      agent,
      parents,
      access,
      root,
      home,
      roots,
      runsCode(path) {
        check ??= createCodeCheck(catalog.codeSources(), roots, home);
        return check(path);
      },
      // A model is told the path of the whole output, and may read it.
      readable: outputsOf(context.sessionID),
      granted: agents.granted(),
      denials: agents.denials(),
    };
  };
}

/** Collects the rules and answers that apply to an access of a call. */
export type PermissionContextOf = (
  call: Pick<Call, "name" | "context" | "scope">,
  access: DecideRequest["access"],
) => DecideRequest;

/** Caches the value for the last key: consecutive calls mostly have the same one. */
function cacheLast<K, V>(of: (key: K) => V): (key: K) => V {
  let last: { readonly key: K; readonly value: V } | undefined;
  return (key) => {
    if (last?.key !== key) last = { key, value: of(key) };
    return last.value;
  };
}

/** The mode in force under these settings. */
export function modeInForce(settings: Settings): Mode {
  return modeOf(policiesOf(settings));
}

function policiesOf({ permissions, mode }: Settings): Required<Pick<DecideRequest, "user" | "project">> {
  return {
    user: { rules: permissions.user, mode: mode.user },
    project: { rules: permissions.project, ...(mode.project === undefined ? {} : { mode: mode.project }) },
  };
}

/** All paths of a project's root: as written, without links, and as seen from a directory that was reached through a link. */
function foldersOf(root: string, directory: string): string[] {
  const real = resolveLinks(root);
  const path = relative(real, resolveLinks(directory));
  const isBelow = path !== "" && !isAbsolute(path) && !path.startsWith("..");
  const linked = isBelow ? resolve(directory, ...path.split(sep).map(() => "..")) : directory;
  return [...new Set([root, real, ...(resolveLinks(linked) === real ? [linked] : [])])];
}
