import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import { isInside } from "../platform/files/inside.ts";
import type { ConfiguredHook } from "../settings/settings.ts";
import { pathsIn } from "./command-paths.ts";

/** A hook of the settings whose command runs, or may run, files of the project. */
export interface HookOnFiles {
  /** The settings file. */
  readonly file: string;
  readonly message: string;
  readonly fix: string;
}

/** Programs that run what a file of the project tells them. */
const RUNNERS =
  /(?<![\w./-])(?:npm|pnpm|yarn|bun|deno|g?make|just|task|mise|rake|gradle|mvn|cargo|composer|nx|turbo|tox|nox)(?![\w./-])/;
const MAX_NAMED = 5;

const FIX =
  'Keep the files that a hook runs outside of the project, or add a rule with "action": "ask" for each file and folder that these files use.';

/** Finds the hooks whose commands run files of the project: an agent that may write such files decides what the hook does. */
export function hooksOnFiles(hooks: readonly ConfiguredHook[], root: string): HookOnFiles[] {
  return hooks.flatMap(({ command, from }) => {
    const text = typeof command === "string" ? command : command.join(" ");
    const files = filesIn(command, root);
    const runner = RUNNERS.exec(text)?.[0];
    if (files.length === 0 && runner === undefined) return [];
    const named =
      files.length === 0 ? [] : [`names ${listed(files)}, so writing there needs approval in the mode acceptEdits`];
    const tasks = runner === undefined ? [] : [`starts tasks with ${runner}`];
    const message = `The hook ${JSON.stringify(text)} ${[...named, ...tasks].join(", and ")}. Files that are run or imported in turn are not known: acceptEdits lets an agent change them without a question.`;
    return [{ file: from, message, fix: FIX }];
  });
}

function filesIn(command: ConfiguredHook["command"], root: string): string[] {
  const paths = pathsIn(command).map((path) => resolve(root, path));
  const existing = paths.filter((path) => isInside(root, path) && existsSync(path));
  return [...new Set(existing.map((path) => relative(root, path) || "the whole project"))];
}

function listed(files: readonly string[]): string {
  const more = files.length - MAX_NAMED;
  return [...files.slice(0, MAX_NAMED), ...(more > 0 ? [`${more} more`] : [])].join(", ");
}
