import { readWord, unquoted } from "./plain-command.ts";

/**
 * The first word of a git command that a rule must name and does not. Some options and commands of git run a program or write to a
 * file that the caller chooses (`git log --output=FILE`), so a wildcard never covers them. `isNamed` tells which words the rule
 * has as literal text. Undefined for other programs.
 */
export function gitWordToName(raw: readonly string[], isNamed: (at: number) => boolean): string | undefined {
  const words = raw.map((word) => unquoted(readWord(word)));
  const git = gitAt(raw, words, isNamed);
  if (git < 0) return undefined;
  const expanded = raw.findIndex((word, at) => at > git && !isNamed(at) && mayBecomeOption(word));
  if (expanded >= 0) return raw[expanded];
  const dashed = DASHED.exec(nameOf(raw[git] ?? "", words[git] ?? ""))?.[1];
  const own = dashed === undefined ? skipOwnOptions(words, git + 1, isNamed) : { command: git };
  if (own.refused !== undefined) return raw[own.refused];
  const at = own.command;
  const command = dashed ?? words[at];
  if (command === undefined) return undefined;
  if (!isNamed(at) && !COVERED_COMMANDS.has(command)) return raw[at];
  const repository = command === "push" ? repositoryAt(words, at + 1) : -1;
  const refused = words.findIndex(
    (word, index) =>
      index > at && !isNamed(index) && (isRefused(command, word) || (index === repository && isFolder(word))),
  );
  if (refused >= 0) return raw[refused];
  if (command === "config" && !words.slice(at + 1).every((_, index) => isNamed(at + 1 + index))) {
    return READS_CONFIG.test(words[at + 1] ?? "") ? undefined : raw.find((_, index) => index > at && !isNamed(index));
  }
  return undefined;
}

/** The position of the word that starts git, also behind a program that starts another one or if the rule names it; -1 if there is none. */
function gitAt(raw: readonly string[], words: readonly string[], isNamed: (at: number) => boolean): number {
  const isStarted = STARTERS.has(nameOf(raw[0] ?? "", words[0] ?? ""));
  const isGit = (at: number): boolean => /^git$|^git-/.test(nameOf(raw[at] ?? "", words[at] ?? ""));
  return words.findIndex((_, at) => (at === 0 || isStarted || isNamed(at)) && isGit(at));
}

/** The name of a program without its folder and the extension of Windows. A backslash is a quote or a separator. */
function nameOf(raw: string, word: string): string {
  const path = /\\git(?:-[\w-]+)?(?:\.exe)?['"]?$/i.test(raw) ? raw.replace(/['"]/g, "") : word;
  return (path.split(/[\\/]/).at(-1) ?? "").toLowerCase().replace(/\.exe$/, "");
}

const DASHED = /^git-(.+)$/;
const STARTERS = new Set(
  "command builtin exec env timeout nice ionice nohup sudo doas setsid stdbuf xargs chrt taskset chronic unbuffer watch strace ltrace caffeinate flock".split(
    " ",
  ),
);

/**
 * Whether the shell may turn the word into an option: a variable, or a glob or braces at its beginning (a file may be called
 * `--output=a`), or anywhere in a word that begins with a dash.
 */
function mayBecomeOption(raw: string): boolean {
  const { bare } = readWord(raw);
  return bare.includes("$") || /^(?:''|"")*[*?[{]/.test(raw) || (/^['"\\]*-/.test(raw) && /[*?[{]/.test(bare));
}

/** Passes git's own options, before its command. All but a few must be named, and so must their values. */
function skipOwnOptions(
  words: readonly string[],
  from: number,
  isNamed: (at: number) => boolean,
): { readonly command: number; readonly refused?: number } {
  let at = from;
  for (; words[at]?.startsWith("-"); at += 1) {
    const word = words[at] ?? "";
    if (!isNamed(at) && !OWN_OPTIONS.has(word)) return { command: at, refused: at };
    if (!WITH_VALUE.has(word)) continue;
    at += 1;
    // A rule such as `git -C * status` is meant for any folder.
    if (words[at] !== undefined && !isNamed(at) && word !== "-C") return { command: at, refused: at };
  }
  return { command: at };
}

const OWN_OPTIONS = new Set(
  `--version -v --help -h --html-path --man-path --info-path --no-pager -P --no-replace-objects --no-lazy-fetch --no-advice
  --no-optional-locks --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs`.split(/\s+/),
);
const WITH_VALUE = new Set(
  "-C -c --git-dir --work-tree --namespace --config-env --attr-source --super-prefix".split(" "),
);

/**
 * The commands that a wildcard covers. Any other word may be an alias or a program called `git-WORD`, or is a command that runs
 * programs, changes what later commands run, or writes files where its arguments say.
 */
const COVERED_COMMANDS = new Set(
  `add am annotate apply archive bisect blame branch cat-file check-attr check-ignore check-mailmap check-ref-format checkout cherry
  cherry-pick clean column commit commit-graph commit-tree config count-objects describe diff diff-files diff-index diff-tree
  fetch fmt-merge-msg for-each-ref fsck gc get-tar-commit-id grep hash-object help log ls-files ls-remote ls-tree merge merge-base
  merge-tree mktag mktree mv name-rev notes pack-refs patch-id pickaxe prune prune-packed pull push range-diff read-tree rebase
  reflog remote repack replace request-pull rerere reset restore rev-list rev-parse revert rm shortlog show show-branch show-index
  show-ref sparse-checkout stage stash status stripspace submodule switch symbolic-ref tag update-index update-ref
  update-server-info var verify-commit verify-pack verify-tag version whatchanged worktree write-tree`.split(/\s+/),
);

/** Reading the configuration. Another word writes a setting, and settings name programs. */
const READS_CONFIG = /^(?:get|list|-l|--list|--get(?:-all|-regexp|-urlmatch|-color|-colorbool)?)$/;

/** Words of commands, other than options, that run a program or write to a folder of the caller's choice. */
const REFUSED_WORDS: Readonly<Record<string, string>> = {
  bisect: "run visualize view replay",
  bundle: "create",
  hook: "run",
  maintenance: "start register",
  remote: "add set-url",
  submodule: "foreach",
  worktree: "add move repair",
};

/** A repository on disk, whose hooks run after a push to it. */
const PATH = /^(?:[./~]|file:|[A-Za-z]:[\\/])/;
/** `NAME::ADDRESS` starts the program `git-remote-NAME`, and so does `NAME://ADDRESS` for a scheme that is not one of git's own. */
const TRANSPORT = /^[\w.+-]+::|^(?!(?:https?|ftps?|file|git|ssh|git\+ssh|ssh\+git):)[\w.+-]+:\/\//;

/** The position of the word of `git push` that names the repository: the first one that is no option nor the value of one. */
function repositoryAt(words: readonly string[], from: number): number {
  return words.findIndex(
    (word, at) => at >= from && !word.startsWith("-") && !/^(?:-o|--pu[a-z-]*)$/.test(words[at - 1] ?? ""),
  );
}

/** Whether the repository of a push is a folder, or a pattern that the shell may turn into one. Names of remotes rarely have a slash. */
function isFolder(repository: string): boolean {
  return /[*?[{]/.test(repository) || /^[^:]*\//.test(repository);
}

/** Options of one letter. In a command that is not listed, each of them is refused. */
const REFUSED_LETTERS: Readonly<Record<string, string>> = {
  archive: "o",
  clone: "uc",
  difftool: "xt",
  "format-patch": "o",
  grep: "O",
  help: "wi",
  merge: "s",
  pull: "s",
  rebase: "xs",
};
const ANY_LETTER = "oOxut";

/** Options of any command, without the dashes. Git accepts each beginning of a name that is unambiguous. */
const REFUSED_OPTIONS =
  `output output-directory index-output export-marks export-pack-edges ext-diff textconv filters exec extcmd tool open-files-in-pager
  upload-pack receive-pack template separate-git-dir config strategy unsafe-paths web info smtp-server sendmail-cmd to-cmd cc-cmd
  header-cmd build-fake-ancestor object-dir expire-to filter-to allow-unsafe-features setup env-filter tree-filter index-filter parent-filter msg-filter commit-filter tag-name-filter prefix`.split(
    /\s+/,
  );
/** Options of one command, besides these: a repository on disk configures which program makes an archive of it. */
const OWN_REFUSED_OPTIONS: Readonly<Record<string, string>> = { archive: "remote" };
/** Names that are the beginning of one of these names, but are options themselves. */
const OTHER_OPTIONS = new Set(["text", "filter", "expire"]);

/** `git push --repo=FOLDER`. */
function isRepoFolder(word: string): boolean {
  const [, repository] = /^--rep[a-z-]*=(.*)$/s.exec(word) ?? [];
  return repository !== undefined && isFolder(repository);
}

function isRefused(command: string, word: string): boolean {
  if (REFUSED_WORDS[command]?.split(" ").includes(word)) return true;
  const value = word.replace(/^--[\w-]+=/, "");
  if (TRANSPORT.test(value) || (command === "push" && (PATH.test(value) || isRepoFolder(word)))) return true;
  if (word.startsWith("--")) {
    const [name = ""] = word.slice(2).split("=", 1);
    const own = OWN_REFUSED_OPTIONS[command];
    const options = own === undefined ? REFUSED_OPTIONS : [...REFUSED_OPTIONS, own];
    return name !== "" && !OTHER_OPTIONS.has(name) && options.some((each) => each.startsWith(name));
  }
  const letters = REFUSED_LETTERS[command] ?? (COVERED_COMMANDS.has(command) ? "" : ANY_LETTER);
  return word.startsWith("-") && [...letters].some((letter) => word.includes(letter));
}
