import { isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Settings } from "../config/settings.ts";
import { safeName } from "../core/safe-name.ts";
import { resolveLinks } from "../files/real-path.ts";
import { type DecideRequest, modeOf } from "../permissions/decide.ts";
import type { Mode } from "../permissions/rule.ts";
import type { Call } from "./call.ts";
import { createCodeCheck } from "./code-paths.ts";
import type { PipelineParts } from "./pipeline-parts.ts";

/** Returns a function that collects the rules and answers under which a call touches something. */
export function createPermissionContext({ catalog, paths }: PipelineParts): PermissionContextOf {
  const { root, home, directory, toolwrightHome } = paths;
  const own = foldersOf(root, directory);
  const outputs = join(toolwrightHome, "outputs");
  const realOutputs = resolveLinks(outputs);
  const outputsOf = remembered((sessionID: string) => [
    join(outputs, safeName(sessionID)),
    join(realOutputs, safeName(sessionID)),
  ]);
  const policies = remembered(policiesOf);
  return ({ name, context, scope: { agents } }, access) => {
    const [agent = "", ...parents] = agents.names;
    const roots = context.directory === directory ? own : [...own, ...foldersOf(context.worktree, context.directory)];
    let check: ReturnType<typeof createCodeCheck> | undefined;
    return {
      ...policies(catalog.settings),
      tool: name,
      agent,
      parents,
      access,
      root,
      home,
      roots,
      runsCode(path) {
        check ??= createCodeCheck(catalog.codeSources(), roots);
        return check(path);
      },
      // A model is told the path of the whole output, and may read it.
      readable: outputsOf(context.sessionID),
      granted: agents.granted(),
    };
  };
}

/** The rules and answers under which a call touches something. */
export type PermissionContextOf = (
  call: Pick<Call, "name" | "context" | "scope">,
  access: DecideRequest["access"],
) => DecideRequest;

/** Works something out once for as long as it is asked about the same: calls come in rows. */
function remembered<K, V>(of: (key: K) => V): (key: K) => V {
  let last: { readonly key: K; readonly value: V } | undefined;
  return (key) => {
    if (last?.key !== key) last = { key, value: of(key) };
    return last.value;
  };
}

/** The mode that these settings come to. */
export function modeInForce(settings: Settings): Mode {
  return modeOf(policiesOf(settings));
}

function policiesOf({ permissions, mode }: Settings): Required<Pick<DecideRequest, "user" | "project">> {
  return {
    user: { rules: permissions.user, mode: mode.user },
    project: { rules: permissions.project, ...(mode.project === undefined ? {} : { mode: mode.project }) },
  };
}

/** A project's folder as it is called, as it really is, and as it is called from a directory in it that was reached by a link. */
function foldersOf(root: string, directory: string): string[] {
  const real = resolveLinks(root);
  const way = relative(real, resolveLinks(directory));
  const isBelow = way !== "" && !isAbsolute(way) && !way.startsWith("..");
  const said = isBelow ? resolve(directory, ...way.split(sep).map(() => "..")) : directory;
  return [...new Set([root, real, ...(resolveLinks(said) === real ? [said] : [])])];
}
