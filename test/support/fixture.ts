import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { COMPILE_CACHE } from "./compile-cache.ts";

/** A temporary project and a temporary home. */
export interface Sandbox {
  readonly root: string;
  readonly project: string;
  readonly tools: string;
  readonly home: string;
  /** The complete environment of Toolwright processes. */
  readonly env: Record<string, string>;
}

const FIXTURE = fileURLToPath(new URL("../fixture/project", import.meta.url));

/** An empty project; `.git` makes it a repository. Call `remove` when done. */
export function makeSandbox(): Sandbox & { remove(): void } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-")));
  const project = join(root, "project");
  const home = join(root, "home");
  const tools = join(project, ".toolwright/tools");
  mkdirSync(tools, { recursive: true });
  mkdirSync(home);
  mkdirSync(join(project, ".git"));
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: home,
    TOOLWRIGHT_HOME: join(home, ".toolwright"),
    NODE_COMPILE_CACHE: COMPILE_CACHE,
  };
  return { root, project, tools, home, env, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** A sandbox that is removed when the current test ends. */
export function sandbox(files: Record<string, string> = {}): Sandbox {
  const made = makeSandbox();
  onTestFinished(made.remove);
  for (const [name, text] of Object.entries(files)) writeTool(made, name, text);
  return made;
}

/** A project with these files, by their paths in it, removed when the current test ends. */
export function project(files: Record<string, string>): Sandbox {
  const at = sandbox();
  for (const [path, text] of Object.entries(files)) {
    const file = join(at.project, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return at;
}

export function writeTool({ tools }: Sandbox, name: string, text: string): string {
  const file = join(tools, name);
  writeFileSync(file, text);
  return file;
}

/** A project with every kind of tool file: good, broken, slow, unresponsive, huge, crashing. */
export function makeFixture(settings: object = {}): Sandbox & { remove(): void } {
  const made = makeSandbox();
  cpSync(FIXTURE, made.project, { recursive: true });
  mkdirSync(made.env.TOOLWRIGHT_HOME as string, { recursive: true });
  writeFileSync(join(made.env.TOOLWRIGHT_HOME as string, "settings.json"), JSON.stringify(settings));
  return made;
}
