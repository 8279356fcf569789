import { isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Settings } from "../config/settings.ts";
import { safeName } from "../core/safe-name.ts";
import { type DecideRequest, modeOf } from "../permissions/decide.ts";
import type { Mode, Rule } from "../permissions/rule.ts";
import type { Call } from "./call.ts";
import { type CodeSources, createCodeCheck } from "./code-paths.ts";
import { realOf } from "./real-targets.ts";

/** What the rules of a call depend on. */
export interface PermissionContextOptions {
  readonly directory: string;
  /** The project's folder, absolute. */
  readonly root: string;
  /** The user's home folder. */
  readonly home: string;
  readonly settings: () => Settings;
  /** The code that runs by itself. */
  readonly code: () => CodeSources;
  /** The agents on whose behalf a call is made, its own first. */
  readonly agentsOf: (sessionID: string, agent: string) => readonly string[];
  /** What a person has said yes to for a session. */
  readonly granted: (sessionID: string) => readonly Rule[];
  /** The folder of the user's that holds the outputs of all sessions. */
  readonly outputsRoot: string;
}

/** Puts together the rules under which a call touches something, and the answers that hold for it. */
export function createPermissionContext(
  options: PermissionContextOptions,
): (call: Pick<Call, "name" | "context">, access: DecideRequest["access"]) => DecideRequest {
  const { root, home, directory } = options;
  const own = foldersOf(root, directory);
  const outputs = realOf(join(options.outputsRoot, "outputs"));
  const outputsOf = remembered((sessionID: string) => [
    join(options.outputsRoot, "outputs", safeName(sessionID)),
    join(outputs, safeName(sessionID)),
  ]);
  const policies = remembered(policiesOf);
  return ({ name, context }, access) => {
    const [agent = "", ...parents] = options.agentsOf(context.sessionID, context.agent);
    const roots = context.directory === directory ? own : [...own, ...foldersOf(context.worktree, context.directory)];
    let check: ReturnType<typeof createCodeCheck> | undefined;
    return {
      ...policies(options.settings()),
      tool: name,
      agent,
      parents,
      access,
      root,
      home,
      roots,
      runsCode(path) {
        check ??= createCodeCheck(options.code(), roots);
        return check(path);
      },
      // A model is told where the whole of an output is, and may go and read it.
      readable: outputsOf(context.sessionID),
      granted: options.granted(context.sessionID),
    };
  };
}

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
  const real = realOf(root);
  const way = relative(real, realOf(directory));
  const isBelow = way !== "" && !isAbsolute(way) && !way.startsWith("..");
  const said = isBelow ? resolve(directory, ...way.split(sep).map(() => "..")) : directory;
  return [...new Set([root, real, ...(realOf(said) === real ? [said] : [])])];
}
