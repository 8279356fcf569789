import { mkdirSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { put, temporary } from "../../../test/support/temporary.ts";
import { projectPlace } from "./repository.ts";
import { findToolLocations, type LocationOptions } from "./tool-locations.ts";

function folders(root: string, ...paths: string[]): void {
  for (const path of paths) mkdirSync(join(root, path), { recursive: true });
}

/** The locations as `kind system path`, with `!` where trust is needed. */
function find(root: string, options: Partial<LocationOptions> = {}): string[] {
  const home = options.home ?? join(root, "home");
  const place = projectPlace(options.cwd ?? join(root, "repo"), home);
  const given = { home, toolwrightHome: join(home, ".toolwright"), env: {}, paths: [] };
  return findToolLocations({ ...given, ...options, ...place }).locations.map(
    ({ kind, system, path, ofProject }) => `${kind} ${system} ${relative(root, path)}${ofProject ? " !" : ""}`,
  );
}

const PROJECT = [
  "toolwright .toolwright/tools",
  "atomic .atomic/tools",
  "atomic .atomic/extensions",
  "opencode .opencode/tool",
  "opencode .opencode/tools",
  "opencode .opencode/plugin",
  "opencode .opencode/plugins",
  "opencode .kilo/tool",
  "opencode .kilo/tools",
  "opencode .kilo/plugin",
  "opencode .kilo/plugins",
  "omp .omp/tools",
  "omp .omp/extensions",
  "omp .omp/hooks/pre",
  "omp .omp/hooks/post",
  "pi .pi/extensions",
  "pi .pi/tools",
  "pi .pi/hooks",
  "claude .claude/tools",
  "codex .codex/tools",
  "copilot .github/extensions",
];
const GLOBAL = [
  "toolwright .toolwright/tools",
  "atomic .atomic/tools",
  "atomic .atomic/agent/extensions",
  "opencode .config/opencode/tool",
  "opencode .config/opencode/tools",
  "opencode .opencode/tool",
  "opencode .opencode/tools",
  "opencode .config/kilo/tool",
  "opencode .config/kilo/tools",
  "opencode .config/opencode/plugin",
  "opencode .config/opencode/plugins",
  "opencode .opencode/plugin",
  "opencode .opencode/plugins",
  "opencode .config/kilo/plugin",
  "opencode .config/kilo/plugins",
  "omp .omp/agent/tools",
  "omp .omp/agent/extensions",
  "omp .omp/agent/hooks/pre",
  "omp .omp/agent/hooks/post",
  "pi .pi/agent/extensions",
  "pi .pi/agent/tools",
  "pi .pi/agent/hooks",
  "claude .claude/tools",
  "codex .codex/tools",
  "copilot .copilot/extensions",
  "aynd .config/aynd/tools",
  "qraftbox .config/qraftbox/tools",
  "toolwright .agent/tools",
];
const pathOf = (line: string): string => line.split(" ")[1] ?? "";
const under = (kind: string, folder: string, lines: string[], mark = ""): string[] =>
  lines.map((line) => `${kind} ${line.replace(" ", ` ${folder}/`)}${mark}`);

describe("findToolLocations", () => {
  it("[D1] returns configured locations, then the project's from the directory up to the repository, then the user's", () => {
    const root = temporary();
    folders(root, "repo/.git", "repo/a/b", "extra");
    for (const line of PROJECT) {
      folders(root, `repo/${pathOf(line)}`, `repo/a/b/${pathOf(line)}`, pathOf(line));
    }
    for (const line of GLOBAL) folders(root, `home/${pathOf(line)}`);
    const paths = [{ path: join(root, "extra"), from: "--tools-path" }];
    expect(find(root, { cwd: join(root, "repo/a/b"), paths })).toEqual([
      "configured toolwright extra",
      ...under("project", "repo/a/b", PROJECT, " !"),
      ...under("project", "repo", PROJECT, " !"),
      ...under("global", "home", GLOBAL),
    ]);
  });

  it("[D1] returns the folders that agents use when variables move them, and trusts none inside the project", () => {
    const root = temporary();
    folders(root, "repo/.git", "repo/p/extensions", "c/tools", "x/kilo/tool", "codex/tools", "home/.claude/tools");
    const env = {
      CLAUDE_CONFIG_DIR: join(root, "c"),
      XDG_CONFIG_HOME: join(root, "x"),
      CODEX_HOME: join(root, "codex"),
      PI_CODING_AGENT_DIR: join(root, "repo/p"),
    };
    expect(find(root, { env })).toEqual([
      "global opencode x/kilo/tool",
      "global omp repo/p/extensions !",
      "global claude c/tools",
      "global codex codex/tools",
    ]);
  });

  it("[D1] returns only the working directory outside a repository", () => {
    const root = temporary();
    folders(root, "plain/.toolwright/tools", "plain/a/.toolwright/tools");
    expect(find(root, { cwd: join(root, "plain/a") })).toEqual(["project toolwright plain/a/.toolwright/tools !"]);
  });

  it("[D1] folders in the home folder never belong to the project", () => {
    const root = temporary();
    folders(root, "home/.git", "home/.toolwright/tools", "home/.claude/tools", "home/.omp/tools");
    folders(root, "home/code/.omp/tools");
    symlinkSync(join(root, "home"), join(root, "linked-home"));
    const users = ["global toolwright home/.toolwright/tools", "global claude home/.claude/tools"];
    expect(find(root, { cwd: join(root, "home") })).toEqual(users);
    expect(find(root, { cwd: join(root, "linked-home") })).toEqual(users);
    expect(find(root, { cwd: join(root, "home"), home: join(root, "linked-home") })).toEqual(
      users.map((line) => line.replace("home/", "linked-home/")),
    );
    expect(find(root, { cwd: join(root, "home/code") })).toEqual(["project omp home/code/.omp/tools !", ...users]);
  });

  it("[K2] TOOLWRIGHT_HOME replaces ~/.toolwright", () => {
    const root = temporary();
    folders(root, "home/.toolwright/tools", "moved/tools");
    expect(find(root, { toolwrightHome: join(root, "moved") })).toEqual(["global toolwright moved/tools"]);
  });

  it("[D1] $OPENCODE_CONFIG_DIR adds, $AYND_TEST_TOOLS_DIR replaces", () => {
    const root = temporary();
    folders(root, "repo/.git", "repo/oc/tool", "oc/tool", "oc/tools", "aynd");
    folders(root, "home/.config/opencode/tool", "home/.config/aynd/tools");
    const env = { OPENCODE_CONFIG_DIR: join(root, "oc"), AYND_TEST_TOOLS_DIR: join(root, "aynd") };
    expect(find(root, { env })).toEqual([
      "global opencode oc/tool",
      "global opencode oc/tools",
      "global opencode home/.config/opencode/tool",
      "global aynd aynd",
    ]);
    expect(find(root, { env: { OPENCODE_CONFIG_DIR: "oc", AYND_TEST_TOOLS_DIR: "" } })).toEqual([
      "global opencode repo/oc/tool !",
      "global opencode home/.config/opencode/tool",
      "global aynd home/.config/aynd/tools",
    ]);
  });

  it("[D1] $XDG_CONFIG_HOME moves the folders of OpenCode", () => {
    const root = temporary();
    folders(root, "repo", "home/.config/opencode/tool", "xdg/opencode/tools", "xdg/opencode/plugin");
    expect(find(root, { env: { XDG_CONFIG_HOME: join(root, "xdg") } })).toEqual([
      "global opencode xdg/opencode/tools",
      "global opencode xdg/opencode/plugin",
    ]);
  });

  it("[D1] configured paths are relative to the project, may start with ~, and may be files", () => {
    const root = temporary();
    folders(root, "repo/.git", "repo/sub", "repo/ours", "home/mine", "team/.omp/tools");
    put(join(root, "one.ts"));
    const paths = ["ours", "~/mine", "../team/.omp/tools", join(root, "one.ts")].map((path) => ({ path, from: "x" }));
    expect(find(root, { cwd: join(root, "repo/sub"), paths })).toEqual([
      "configured toolwright repo/ours !",
      "configured toolwright home/mine",
      "configured omp team/.omp/tools",
      "configured toolwright one.ts",
    ]);
  });

  it("[D7] a configured path belongs to the project if its text or its real path is inside", () => {
    const root = temporary();
    folders(root, "repo/.git", "repo/inside", "repo-two", "outside");
    symlinkSync(join(root, "repo/inside"), join(root, "way-in"));
    symlinkSync(join(root, "outside"), join(root, "repo/way-out"));
    const paths = ["../way-in", "way-out", "../repo-two"].map((path) => ({ path, from: "x" }));
    expect(find(root, { paths })).toEqual([
      "configured toolwright way-in !",
      "configured toolwright repo/way-out !",
      "configured toolwright repo-two",
    ]);
  });

  it("[D1] the user's configured paths stay the user's if the home folder is the project", () => {
    const root = temporary();
    folders(root, "home/mine");
    const paths = [{ path: "~/mine", from: "x" }];
    expect(find(root, { cwd: join(root, "home"), paths })).toEqual(["configured toolwright home/mine"]);
  });

  it("[D1] a configured path that does not exist is a problem that names the settings file", () => {
    const root = temporary();
    folders(root, "repo");
    const at = { ...projectPlace(join(root, "repo"), root), home: root, toolwrightHome: join(root, "tw"), env: {} };
    const paths = [
      { path: "nope", from: "--tools-path" },
      { path: "a\0b", from: '"tools.paths" in /x/settings.json' },
    ];
    const { locations, problems } = findToolLocations({ ...at, paths });
    expect(locations).toEqual([]);
    expect(problems[0]).toEqual({
      file: join(root, "repo/nope"),
      code: "unreadable",
      message: "There is no such file or folder. It is named by --tools-path. Correct the path there, or create it.",
    });
    expect(problems[1]?.message).toMatch(/ It is named by "tools\.paths" in \/x\/settings\.json\.$/);
  });

  it("[D2] a location that is a broken link is a problem; a file instead of a folder is ignored", () => {
    const root = temporary();
    folders(root, "repo/.toolwright");
    symlinkSync(join(root, "gone"), join(root, "repo/.toolwright/tools"));
    put(join(root, "repo/.claude/tools"));
    const place = projectPlace(join(root, "repo"), root);
    const at = { ...place, home: root, toolwrightHome: join(root, "tw"), env: {}, paths: [] };
    const { locations, problems } = findToolLocations(at);
    expect(locations).toEqual([]);
    expect(problems).toMatchObject([{ file: join(root, "repo/.toolwright/tools"), code: "unreadable" }]);
  });

  it("[D2] one real directory is one location, and the first name counts", () => {
    const root = temporary();
    folders(root, "repo/.toolwright/tools", "repo/.claude");
    symlinkSync(join(root, "repo/.toolwright/tools"), join(root, "repo/.claude/tools"));
    expect(find(root)).toEqual(["project toolwright repo/.toolwright/tools !"]);
  });

  it("[D7] a project that links to the user's folder cannot block it", () => {
    const root = temporary();
    folders(root, "repo/.claude", "home/.claude/tools");
    symlinkSync(join(root, "home/.claude/tools"), join(root, "repo/.claude/tools"));
    expect(find(root)).toEqual(["global claude home/.claude/tools"]);
  });
});
