import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { messageOf } from "../../core/error.ts";
import { hasCode, isDiskFull } from "../../platform/files/error-code.ts";
import { isInside } from "../../platform/files/inside.ts";
import { resolveLinks } from "../../platform/files/real-path.ts";
import { homes } from "../../settings/defaults.ts";
import { withLock } from "../../settings/lock.ts";
import { writePrivateFile } from "../../settings/private-file.ts";
import type { Level } from "./agent.ts";
import { readConfig } from "./config-file.ts";
import { backupOf, type Plan, planRefusal } from "./plan.ts";
import type { ConfigTarget } from "./target.ts";

type Change = Plan & { readonly kind: "change" };

/** Plans the change for the present text of a config file. */
export type Planner = (target: ConfigTarget) => Plan;

const MAX_ATTEMPTS = 10;

/** Another program has written to the file since the plan was made. */
class ConfigChangedError extends Error {}

/**
 * Makes a change that the user has agreed to, one process at a time, and returns the path of the backup if it wrote one.
 * Agents write to their config files while they run: if one did so since, the same change is made to the new text. Rejects,
 * and has changed nothing, if that would be another change.
 */
export async function applyAgreed(
  target: ConfigTarget,
  agreed: Change,
  planFor: Planner,
): Promise<{ backup?: string }> {
  const { env, home, ...where } = target.environment;
  const { toolwrightHome } = homes(env, home, where);
  return withLock(join(toolwrightHome, "install"), () => applyWithRetries(target, agreed, planFor)).catch(
    (error: unknown) => {
      // `applyPlan` throws no errors with a code, so this one comes from the lock.
      if (!(error instanceof Error && "code" in error)) throw error;
      const next = isDiskFull(error)
        ? "Free some space"
        : "Make it writable, or set TOOLWRIGHT_HOME to a folder that is";
      throw new Error(
        `${toolwrightHome} cannot be written: ${messageOf(error)}. Nothing was changed. ${next}, then run this again.`,
        { cause: error },
      );
    },
  );
}

function applyWithRetries(target: ConfigTarget, agreed: Change, planFor: Planner): { backup?: string } {
  let plan = agreed;
  for (let attempts = 1; ; attempts++) {
    try {
      return applyPlan(target, plan);
    } catch (error) {
      if (!(error instanceof ConfigChangedError) || attempts === MAX_ATTEMPTS) throw error;
      const next = planFor(target);
      if (next.kind === "done") return {};
      if (!isSameChange(agreed, next)) throw error;
      plan = next;
    }
  }
}

function isSameChange(agreed: Change, plan: Plan): plan is Change {
  return plan.kind === "change" && plan.does === agreed.does && isDeepStrictEqual(plan.was, agreed.was);
}

/** Makes a change, and returns the path of the backup if it wrote one. Throws, and has changed nothing, if it cannot. */
export function applyPlan(target: ConfigTarget, plan: Change): { backup?: string } {
  const { file, level, environment } = target;
  const refusal = planRefusal(target);
  if (refusal !== undefined) throw new Error(refusal);
  const backup = backupOf(target);
  const real = resolveLinks(file);
  try {
    refuseReadOnly(real);
    mkdirSync(dirname(real), { recursive: true, ...(level === "user" ? { mode: 0o700 } : {}) });
    writeFiles(target, real, backup, plan);
    if (plan.after === undefined) removeEmptyFolders(dirname(file), [environment.home, environment.project]);
  } catch (error) {
    if (error instanceof ConfigChangedError) throw error;
    const next = isDiskFull(error) ? "Free some space" : "Check the permissions of the file and its folder";
    throw new Error(`${file} cannot be changed: ${messageOf(error)}. ${next}, then run this again.`);
  }
  return plan.backup === "write" ? { backup } : {};
}

function writeFiles({ file, level }: ConfigTarget, real: string, backup: string, plan: Change): void {
  refuseIfChanged(file, plan.before);
  if (plan.after === undefined) rmSync(file);
  else {
    if (plan.backup === "write") writeBackup(backup, plan.before ?? "");
    replaceFile(real, plan.after, modeFor(file, level));
  }
  if (plan.backup === "drop") rmSync(backup, { force: true });
}

/** The home folder, or the target of a link at `~/.toolwright`, may be in a repository: git must ignore the backups. */
function writeBackup(backup: string, text: string): void {
  writePrivateFile(join(dirname(backup), ".gitignore"), "*\n");
  writePrivateFile(backup, text);
}

/** An empty folder that is left would look like a trace of the agent. Removes none of `roots`, and nothing outside them. */
function removeEmptyFolders(folder: string, roots: readonly string[]): void {
  if (roots.includes(folder) || !roots.some((root) => isInside(root, folder)) || readdirSync(folder).length > 0) return;
  rmdirSync(folder);
  removeEmptyFolders(dirname(folder), roots);
}

/** A rename would replace a read-only file without an error. */
function refuseReadOnly(file: string): void {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode;
  if (mode === undefined) return;
  // root passes `accessSync` even for a read-only file.
  if ((mode & 0o222) === 0) throw new Error("it is read-only");
  accessSync(file, constants.W_OK);
}

function refuseIfChanged(file: string, before: string | undefined): void {
  if (readConfig(file) === before) return;
  throw new ConfigChangedError(`Another program has changed ${file}. Nothing was written. Run this again.`);
}

/** A new file in the home folder is private. A new file in a project gets the default mode. */
function modeFor(file: string, level: Level): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mode ?? (level === "user" ? 0o600 : undefined);
}

/** Readers see the old text or the new text, never a part. Keeps the owner. `mode` undefined means the default mode. */
function replaceFile(file: string, text: string, mode: number | undefined): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  const temporary = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}.tmp`;
  try {
    writeFileSync(temporary, text, { flag: "wx", mode: mode === undefined ? 0o666 : 0o600, flush: true });
    if (stats) keepOwner(temporary, stats);
    if (mode !== undefined) chmodSync(temporary, mode & 0o7777);
    moveOver(temporary, file, text);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** A file that is a mount point itself, as in a container, cannot be renamed over. */
function moveOver(temporary: string, file: string, text: string): void {
  try {
    renameSync(temporary, file);
  } catch (error) {
    if (!hasCode(error, "EBUSY")) throw error;
    writeInPlace(file, text);
  }
}

/** Restores the old text if the disk is full. */
function writeInPlace(file: string, text: string): void {
  const before = readFileSync(file);
  try {
    writeFileSync(file, text, { flush: true });
  } catch (error) {
    writeFileSync(file, before, { flush: true });
    throw error;
  }
}

function keepOwner(file: string, { uid, gid }: Stats): void {
  try {
    chownSync(file, uid, gid);
  } catch {
    // Only root may change the owner. For other users the file is already theirs.
  }
}
