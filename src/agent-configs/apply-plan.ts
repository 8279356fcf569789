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
import { hasCode, isDiskFull } from "../config/error-code.ts";
import { writePrivateFile } from "../config/private-file.ts";
import { messageOf } from "../core/error.ts";
import { isWithin } from "../discovery/resolved-path.ts";
import { resolveLinks } from "../files/resolve-links.ts";
import type { Level } from "./agent.ts";
import { readConfig } from "./config-file.ts";
import { backupOf, type Plan, refusalOf } from "./plan.ts";
import type { Target } from "./target.ts";

type Change = Plan & { readonly kind: "change" };

/** Another program has written to the file since the plan was made. */
export class ChangedMeanwhile extends Error {}

/**
 * Carries a change out, and says where the copy of the old text is, if one was made. Throws, and has changed nothing, where
 * it cannot: a `ChangedMeanwhile` where a new plan would do.
 */
export function applyPlan(target: Target, plan: Change): { backup?: string } {
  const { file, level, at } = target;
  const backup = backupOf(target);
  const refusal = refusalOf(target);
  if (refusal !== undefined) throw new Error(refusal);
  const real = resolveLinks(file);
  try {
    refuseReadOnly(real);
    mkdirSync(dirname(real), { recursive: true, ...(level === "user" ? { mode: 0o700 } : {}) });
    carryOut(target, real, backup, plan);
    if (plan.after === undefined) removeEmpty(dirname(file), [at.home, at.project]);
  } catch (error) {
    if (error instanceof ChangedMeanwhile) throw error;
    const next = isDiskFull(error) ? "Free some space" : "See that you may write to it and its folder";
    throw new Error(`${file} cannot be changed: ${messageOf(error)}. ${next}, then run this again.`);
  }
  return plan.backup === "write" ? { backup } : {};
}

function carryOut({ file, level }: Target, real: string, backup: string, plan: Change): void {
  refuseIfChanged(file, plan.before);
  if (plan.after === undefined) rmSync(file);
  else {
    if (plan.backup === "write") writeBackup(backup, plan.before ?? "");
    replace(real, plan.after, modeFor(file, level));
  }
  if (plan.backup === "drop") rmSync(backup, { force: true });
}

/** The home folder, or the link that `~/.toolwright` is, may be part of a repository: git is told to leave the copies out. */
function writeBackup(backup: string, text: string): void {
  writePrivateFile(join(dirname(backup), ".gitignore"), "*\n");
  writePrivateFile(backup, text);
}

/** Folders that hold nothing any more go with the file, or a program would be taken to be here for their sake. */
function removeEmpty(folder: string, kept: readonly string[]): void {
  if (kept.includes(folder) || !kept.some((each) => isWithin(folder, each)) || readdirSync(folder).length > 0) return;
  rmdirSync(folder);
  removeEmpty(dirname(folder), kept);
}

/** A new text takes the place of the file, which would be possible even here. */
function refuseReadOnly(file: string): void {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode;
  if (mode === undefined) return;
  // An administrator may write to such a file as well, and it was meant to stay.
  if ((mode & 0o222) === 0) throw new Error("it is read-only");
  accessSync(file, constants.W_OK);
}

/** Programs write to their own configurations, and somebody may have thought for a while before saying yes. */
function refuseIfChanged(file: string, before: string | undefined): void {
  if (readConfig(file) === before) return;
  throw new ChangedMeanwhile(
    `${file} was changed by another program in the meantime. Nothing was written: run this again.`,
  );
}

/** A new file in the home folder is the user's alone; one in a project is as all others there. */
function modeFor(file: string, level: Level): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mode ?? (level === "user" ? 0o600 : undefined);
}

/** Whoever reads sees all of the old text or all of the new. The owner stays. Without a mode it is what new files get. */
function replace(file: string, text: string, mode: number | undefined): void {
  const there = statSync(file, { throwIfNoEntry: false });
  const temporary = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}.tmp`;
  try {
    writeFileSync(temporary, text, { flag: "wx", mode: mode === undefined ? 0o666 : 0o600, flush: true });
    if (there) keepOwner(temporary, there);
    if (mode !== undefined) chmodSync(temporary, mode & 0o7777);
    moveOver(temporary, file, text);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** A file that is mounted by itself, as into a container, can only be written in its place. */
function moveOver(temporary: string, file: string, text: string): void {
  try {
    renameSync(temporary, file);
  } catch (error) {
    if (!hasCode(error, "EBUSY")) throw error;
    writeInPlace(file, text);
  }
}

/** Gives back the old text where there is no room for the new one. */
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
    // Only an administrator may give files away; for everybody else it is theirs already.
  }
}
