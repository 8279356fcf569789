/** A setting in a configuration file of Git. Names are in lower case. */
interface GitSetting {
  readonly section: string;
  readonly key: string;
  readonly value: string;
}

/** Settings whose values name programs, folders of programs, or more configuration. */
const NAMES_PROGRAM =
  /^(?:hookspath|path|fsmonitor|clean|smudge|process|textconv|driver|\w*command|\w*cmd|\w*editor|pager|askpass|helper|program|external|difftool|mergetool|interpreter|difffilter|tunnel|gitproxy|\w*hook|templatedir|args|uploadpack|receivepack|smtpserver|attributesfile)$/;
/** Settings whose values are never run, although they may look like paths. */
const DATA =
  /^(?:url|pushurl|fetch|push|merge|remote|pushremote|insteadof|pushinsteadof|name|email|signingkey|excludesfile|worktree|template|description|\w*-merge-base)$/;
const DATA_SECTION = /^(?:branch|gitflow|user|author|committer)\b/;

/** The settings in the text of a configuration file. */
export function gitSettingsIn(text: string): GitSetting[] {
  const settings: GitSetting[] = [];
  let section = "";
  for (const line of text.replace(/\\\r?\n/g, "").split(/\r?\n/)) {
    const [head = "", name] = /^\s*\[\s*((?:"(?:\\.|[^"\\])*"|[^\]"])*)\]/.exec(line) ?? [];
    if (name !== undefined) section = name.trim().toLowerCase();
    const [, key, value = ""] = /^\s*([\w-]+)\s*=\s*(.*)$/.exec(line.slice(head.length)) ?? [];
    if (key !== undefined) settings.push({ section, key: key.toLowerCase(), value: plainValue(value) });
  }
  return settings;
}

/** Whether a setting names another file with settings. */
export function isInclude({ section, key }: GitSetting): boolean {
  return key === "path" && /^include(?:if)?\b/.test(section);
}

/**
 * Whether Git may run what a setting names. Of a setting that is not known, a value with a slash counts. In the user's own
 * configuration, names without one are programs on `PATH`, not files of a project.
 */
export function mayNameProgram({ section, key, value }: GitSetting, isOfUser: boolean): boolean {
  if (value.startsWith("!") || key === "hookspath") return true;
  if (DATA_SECTION.test(section) || DATA.test(key)) return false;
  return value.includes("/") || (!isOfUser && NAMES_PROGRAM.test(key));
}

/** A value without its quotes and the comment behind it. */
function plainValue(written: string): string {
  const parts = written.match(/"(?:\\.|[^"\\])*"?|\\.|[^"\\;#]+|[;#].*$/g) ?? [];
  const text = parts
    .filter((part) => !/^[;#]/.test(part))
    .map((part) => part.replace(/^"|"$/g, "").replace(/\\(["\\])/g, "$1"));
  return text.join("").trim();
}
