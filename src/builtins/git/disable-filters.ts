import { ToolError } from "../../index.ts";
import { gitProblem } from "./git-problem.ts";
import { type GitCall, runGit } from "./run-git.ts";

/** The settings of a filter: three programs, and whether a failing program is an error. */
const FILTERS = String.raw`^filter\..*\.(clean|smudge|process|required)$`;

/**
 * Options that disable the content filters of the repository's configuration, which git would run to compare files.
 * Filters with the same name in the user's configuration apply instead.
 */
export async function disableFilters(call: GitCall): Promise<readonly string[]> {
  const args = ["config", "--null", "--show-scope", "--get-regexp", FILTERS];
  const { code, stdout, stderr } = await runGit(args, call);
  // No filter is configured.
  if (code === 1) return [];
  if (code !== 0) throw gitProblem(stderr, call.cwd);
  const settings = settingsIn(stdout);
  const names = new Set(settings.filter(({ ofUser }) => !ofUser).map(({ filter }) => filter));
  return [...names].flatMap((name) => optionsFor(name, settings));
}

interface Setting {
  readonly filter: string;
  readonly key: string;
  readonly value: string;
  /** Whether it comes from the configuration of the user or the machine, not from the repository. */
  readonly ofUser: boolean;
}

/** Parses NUL-terminated entries: the scope, then the name and the value separated by a line break. */
function settingsIn(listing: string): Setting[] {
  const parts = listing.split("\0");
  return parts.flatMap((scope, at) => {
    const entry = at % 2 === 0 ? parts[at + 1] : undefined;
    if (entry === undefined) return [];
    const [name = ""] = entry.split("\n", 1);
    const value = name.length < entry.length ? entry.slice(name.length + 1) : "true";
    const key = name.slice(name.lastIndexOf(".") + 1);
    const filter = name.slice("filter.".length, -(key.length + 1));
    return [{ filter, key, value, ofUser: scope === "system" || scope === "global" }];
  });
}

function optionsFor(filter: string, settings: readonly Setting[]): string[] {
  if (/[=\n]/.test(filter)) {
    throw new ToolError(
      "failed",
      `The repository has a content filter called "${filter}", which cannot be switched off.`,
    );
  }
  const named = settings.filter((each) => each.filter === filter);
  const keys = new Set(named.filter(({ ofUser }) => !ofUser).map(({ key }) => key));
  return [...keys].flatMap((key) => {
    const own = named.findLast((each) => each.ofUser && each.key === key);
    return ["-c", `filter.${filter}.${key}=${own?.value ?? (key === "required" ? "false" : "")}`];
  });
}
