import { lstatSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { hasCode } from "../config/error-code.ts";
import { type Environment, expandHome } from "../config/options.ts";
import type { ConfiguredPath } from "../config/settings.ts";
import { messageOf } from "../core/error.ts";
import type { Problem } from "../core/problem.ts";
import type { System } from "../core/tool.ts";
import { isInside } from "../files/inside.ts";
import { realPath } from "../files/real-path.ts";
import type { Place } from "./place.ts";
import { projectDirectories, projectOf } from "./repository.ts";

/** Everything that decides where tools are looked for. */
export interface PlacesOptions {
  readonly cwd: string;
  readonly home: string;
  readonly toolwrightHome: string;
  readonly env: Environment;
  /** Highest priority first: flags, then settings. Relative ones start at the project. */
  readonly paths: readonly ConfiguredPath[];
}

/** The places that there are, and every path at which one would be found. */
export interface FoundPlaces {
  /** Highest priority first, each real directory once. */
  readonly places: readonly Place[];
  readonly possible: readonly string[];
  readonly problems: readonly Problem[];
}

/** Looks for places. Never throws. */
export function findPlaces(options: PlacesOptions): FoundPlaces {
  const candidates = candidatesFor(options);
  const places = new Map<string, Place>();
  const problems: Problem[] = [];
  for (const candidate of candidates) {
    const found = look(candidate);
    if (found.kind === "problem") problems.push(found.problem);
    if (found.kind === "place") add(places, found.real, candidate.place);
  }
  return { places: [...places.values()], possible: candidates.map(({ place }) => place.path), problems };
}

function candidatesFor(options: PlacesOptions): Candidate[] {
  const cwd = realPath(options.cwd) ?? resolve(options.cwd);
  const at: Surroundings = { ...options, cwd, project: projectOf(cwd), realHome: realPath(options.home) };
  return [...configuredPlaces(at), ...projectPlaces(at), ...globalPlaces(at)];
}

interface Surroundings extends PlacesOptions {
  readonly project: string;
  readonly realHome: string | undefined;
}

interface Candidate {
  readonly place: Place;
  /** Who named it; only what somebody named has to exist, and may be a single file. */
  readonly from?: string;
}

/**
 * The first of several names for one directory counts. But a directory that is also the user's own is the user's:
 * a project must not be able to block the user's tools by linking to them.
 */
function add(places: Map<string, Place>, real: string, place: Place): void {
  const first = places.get(real);
  if (first === undefined) places.set(real, place);
  else if (first.ofProject && !place.ofProject) places.set(real, { ...first, ofProject: false });
}

/** Where the tools of each system are, seen from a directory of a project. */
export const PROJECT_FOLDERS: readonly (readonly [System, string])[] = [
  ["toolwright", ".toolwright/tools"],
  ["atomic", ".atomic/tools"],
  ["opencode", ".opencode/tool"],
  ["opencode", ".opencode/tools"],
  ["omp", ".omp/tools"],
  ["pi", ".pi/extensions"],
  ["claude", ".claude/tools"],
  ["codex", ".codex/tools"],
];

function configuredPlaces(at: Surroundings): Candidate[] {
  return at.paths.map(({ path, from }) => {
    const absolute = resolve(at.project, expandHome(path, at.home));
    const place: Place = {
      path: absolute,
      kind: "configured",
      system: systemOf(absolute),
      ofProject: belongsToProject(absolute, at),
    };
    return { place, from };
  });
}

/** Both as written and as it really is: a project also decides where its links point. */
function belongsToProject(path: string, at: Surroundings): boolean {
  // Only the user's own settings and flags can name a path while the project is the home folder itself.
  if (at.project === at.realHome) return false;
  return isInside(at.project, resolve(path)) || isInside(at.project, realPath(path) ?? resolve(path));
}

function systemOf(path: string): System {
  const names = path.split(/[\\/]/);
  const known = PROJECT_FOLDERS.findLast(([system]) => names.includes(`.${system}`));
  return known?.[0] ?? "toolwright";
}

function projectPlaces(at: Surroundings): Candidate[] {
  return projectDirectories(at.cwd, at.project, at.realHome).flatMap((directory) =>
    PROJECT_FOLDERS.map(([system, folder]) => ({
      place: { path: join(directory, folder), kind: "project", system, ofProject: true },
    })),
  );
}

/** `$OPENCODE_CONFIG_DIR` is one more folder of OpenCode's, before its usual one; `$AYND_TEST_TOOLS_DIR` stands for aynd's. */
function globalPlaces(at: Surroundings): Candidate[] {
  const { home, env, toolwrightHome } = at;
  const opencode = env.OPENCODE_CONFIG_DIR && resolve(at.cwd, env.OPENCODE_CONFIG_DIR);
  const aynd = env.AYND_TEST_TOOLS_DIR && resolve(at.cwd, env.AYND_TEST_TOOLS_DIR);
  return [
    own("toolwright", join(toolwrightHome, "tools")),
    own("atomic", join(home, ".atomic/tools")),
    ...(opencode ? ["tool", "tools"].map((folder) => pointed("opencode", join(opencode, folder), at)) : []),
    own("opencode", join(home, ".config/opencode/tool")),
    own("opencode", join(home, ".config/opencode/tools")),
    own("omp", join(home, ".omp/agent/tools")),
    own("pi", join(home, ".pi/agent/extensions")),
    own("claude", join(home, ".claude/tools")),
    own("codex", join(home, ".codex/tools")),
    aynd ? pointed("aynd", aynd, at) : own("aynd", join(home, ".config/aynd/tools")),
    own("qraftbox", join(home, ".config/qraftbox/tools")),
  ];
}

function own(system: System, path: string): Candidate {
  return { place: { path, kind: "global", system, ofProject: false } };
}

/** A variable that points into the project does not say that the project is trusted. */
function pointed(system: System, path: string, at: Surroundings): Candidate {
  return { place: { path, kind: "global", system, ofProject: belongsToProject(path, at) } };
}

type Look =
  | { readonly kind: "place"; readonly real: string }
  | { readonly kind: "nothing" }
  | { readonly kind: "problem"; readonly problem: Problem };

function look({ place, from }: Candidate): Look {
  try {
    const entry = lstatSync(place.path, { throwIfNoEntry: false });
    if (entry === undefined) return missing(place.path, from);
    const target = entry.isSymbolicLink() ? statSync(place.path) : entry;
    if (!target.isDirectory() && !(target.isFile() && from !== undefined)) return { kind: "nothing" };
    return { kind: "place", real: realPath(place.path) ?? place.path };
  } catch (error) {
    if (hasCode(error, "ENOTDIR")) return missing(place.path, from);
    const named = from === undefined ? "" : ` It is named by ${from}.`;
    return unreadable(place.path, `This tools folder cannot be read: ${messageOf(error)}.${named}`);
  }
}

function missing(path: string, from: string | undefined): Look {
  if (from === undefined) return { kind: "nothing" };
  return unreadable(
    path,
    `There is no such file or folder. It is named by ${from}: correct the path there, or create it.`,
  );
}

function unreadable(file: string, message: string): Look {
  return { kind: "problem", problem: { file, code: "unreadable", message } };
}
