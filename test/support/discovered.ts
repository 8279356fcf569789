import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Discovered, type DiscoverOptions, discover } from "../../src/catalog/discovery/discover.ts";
import { projectPlace } from "../../src/catalog/discovery/repository.ts";
import { trustOf } from "../../src/catalog/discovery/trusted-projects.ts";
import { put, temporary } from "./temporary.ts";

/** A temporary folder with these files, a Git repository in `repo`, and a home folder in `home`. */
export function project(files: Readonly<Record<string, unknown>>): string {
  const root = temporary();
  mkdirSync(join(root, "repo/.git"), { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    put(join(root, path), typeof content === "string" ? content : JSON.stringify(content));
  }
  return root;
}

/** What a discovery in a test changes; `trust` and `parents` are the flag and the setting. */
export type DiscoveryChanges = Partial<Omit<DiscoverOptions, "trust">> & {
  readonly trust?: boolean;
  readonly parents?: readonly string[];
};

/** Discovery in `repo`, trusted unless the options say otherwise. */
export function run(root: string, { trust: flag = true, parents = [], ...changes }: DiscoveryChanges = {}): Discovered {
  const home = join(root, "home");
  const given = { home, toolwrightHome: join(home, ".toolwright"), env: {}, paths: [], ...changes };
  const at = { ...given, ...projectPlace(changes.cwd ?? join(root, "repo"), given.home) };
  return discover({ ...at, trust: trustOf({ ...at, project: at.root, parents, flag }) });
}

/** Files as `kind path name`, with `!` where trust is needed. */
export function found(root: string, options: DiscoveryChanges = {}): string[] {
  return run(root, options).files.map(
    ({ file, name, location }) =>
      `${location.kind} ${file.slice(root.length + 1)} ${name}${location.ofProject ? " !" : ""}`,
  );
}

/** Problems as `path:line code message`. */
export function problems(root: string, options: DiscoveryChanges = {}): string[] {
  return run(root, options).problems.map(
    ({ file, line = "", code, message }) =>
      `${file.slice(root.length + 1)}:${line} ${code} ${message.replaceAll(root, "ROOT")}`,
  );
}
