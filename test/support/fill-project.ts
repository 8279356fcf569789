import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Sandbox } from "./fixture.ts";

/** What a test writes to a project and to the home of its user. */
export interface ProjectContents {
  /** Files of the project, by their paths. */
  readonly files?: Readonly<Record<string, string>>;
  /** The user's settings. */
  readonly settings?: object;
}

/** Fills a project. Returns a function that writes another file to it. */
export function fillProject(
  at: Sandbox,
  { files = {}, settings = {} }: ProjectContents,
): (path: string, text: string) => void {
  const put = (path: string, text: string): void => {
    const file = join(at.project, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  for (const [path, text] of Object.entries(files)) put(path, text);
  const home = at.env.TOOLWRIGHT_HOME as string;
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "settings.json"), JSON.stringify(settings));
  return put;
}
