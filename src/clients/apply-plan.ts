import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import type { Level } from "./client.ts";
import { linkTarget, readConfig } from "./config-file.ts";
import { backupOf, type Plan, type Target } from "./plan.ts";

/** Carries a change out, and says where the copy of the old text is, if one was made. Throws, and has changed nothing, where it cannot. */
export function applyPlan({ file, level }: Target, plan: Plan & { kind: "change" }): { backup?: string } {
  refuseIfChanged(file, plan.before);
  if (plan.after === undefined) rmSync(file);
  else {
    mkdirSync(dirname(linkTarget(file)), { recursive: true, ...(level === "user" ? { mode: 0o700 } : {}) });
    if (plan.backup === "write") replace(backupOf(file), plan.before ?? "", statSync(file).mode);
    replace(linkTarget(file), plan.after, modeFor(file, level));
  }
  if (plan.backup === "drop") rmSync(backupOf(file), { force: true });
  return plan.backup === "write" ? { backup: backupOf(file) } : {};
}

/** Programs write to their own configurations, and somebody may have thought for a while before saying yes. */
function refuseIfChanged(file: string, before: string | undefined): void {
  if (readConfig(file) === before) return;
  throw new Error(`${file} was changed by another program in the meantime. Nothing was written: run this again.`);
}

/** A new file in the home folder is the user's alone; one in a project is as all others there. */
function modeFor(file: string, level: Level): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mode ?? (level === "user" ? 0o600 : undefined);
}

/** Whoever reads sees all of the old text or all of the new. The owner stays. Without a mode it is what new files get. */
function replace(file: string, text: string, mode: number | undefined): void {
  const there = statSync(file, { throwIfNoEntry: false });
  if (there) accessSync(file, constants.W_OK);
  const temporary = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}.tmp`;
  try {
    writeFileSync(temporary, text, { flag: "wx", mode: mode === undefined ? 0o666 : 0o600, flush: true });
    if (there) keepOwner(temporary, there);
    if (mode !== undefined) chmodSync(temporary, mode & 0o7777);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function keepOwner(file: string, { uid, gid }: { readonly uid: number; readonly gid: number }): void {
  try {
    chownSync(file, uid, gid);
  } catch {
    // Only an administrator may give files away; for everybody else it is theirs already.
  }
}
