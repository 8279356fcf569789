import { constants, type Dirent, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { asBytes, type IgnoreLines, type IgnoreVerdict, readIgnoreLines } from "./ignore-lines.ts";
import { closeQuietly } from "./open-inside.ts";

/** The names of ignore files, highest precedence first. A rule of one kind overrides all rules of the next. */
const KINDS = [".rgignore", ".ignore", ".gitignore"] as const;
type Kind = (typeof KINDS)[number];

/** The rules of a folder and of the folders above it. */
export interface IgnoreRules {
  /** The folder's path from the topmost folder with rules: empty, or ending with `/`. */
  readonly prefix: string;
  readonly byKind: ReadonlyMap<Kind, IgnoreLines>;
  /** Whether `.gitignore` files above this folder are not applied. */
  readonly isRepository: boolean;
  readonly above: IgnoreRules | undefined;
}

/**
 * Reads the ignore files of a folder. As in git, a nested repository has its own rules. Outside a repository,
 * `.gitignore` files apply too, and a repository makes no difference.
 */
export function readIgnoreRules(
  folder: string,
  entries: readonly Dirent[],
  prefix: string,
  above: IgnoreRules | undefined,
): IgnoreRules | undefined {
  const names = new Set(entries.map(({ name }) => name));
  const isRepository = names.has(".git") && (above === undefined || isInRepository(above));
  const found = KINDS.filter((kind) => names.has(kind)).flatMap((kind): [Kind, IgnoreLines][] => {
    const text = textOf(join(folder, kind));
    return text === undefined ? [] : [[kind, readIgnoreLines(text)]];
  });
  // A folder without rules adds no level, except the first one, which says whether there is a repository.
  if (found.length === 0 && !isRepository && above !== undefined) return above;
  return { prefix, byKind: new Map(found), isRepository, above };
}

/**
 * Applies the rules to a path whose folders are not ignored, or were unignored. The nearest file with a matching line
 * decides.
 */
export function verdictOn(path: string, isFolder: boolean, rules: IgnoreRules | undefined): IgnoreVerdict {
  for (const kind of KINDS) {
    for (const { prefix, byKind } of levels(rules, kind)) {
      const verdict = byKind.get(kind)?.(asBytes(path.slice(prefix.length)), isFolder) ?? "no-rule";
      if (verdict !== "no-rule") return verdict;
    }
  }
  return "no-rule";
}

function* levels(rules: IgnoreRules | undefined, kind: Kind): Generator<IgnoreRules> {
  for (let level = rules; level; level = level.above) {
    yield level;
    if (kind === ".gitignore" && level.isRepository) return;
  }
}

function isInRepository(rules: IgnoreRules): boolean {
  for (let level: IgnoreRules | undefined = rules; level; level = level.above) if (level.isRepository) return true;
  return false;
}

const MAX_BYTES = 16_000_000;

/** Reads only regular files, also through a link: pipes and devices may never end. */
function textOf(file: string): string | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(descriptor);
    return stats.isFile() && stats.size <= MAX_BYTES ? readFileSync(descriptor, "utf8") : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeQuietly(descriptor);
  }
}
