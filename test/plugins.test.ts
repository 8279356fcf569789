import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type DiscoveryChanges, run } from "./support/discovered.ts";
import { sandbox } from "./support/fixture.ts";
import { put, temporary } from "./support/temporary.ts";
import { answering, open } from "./support/toolbox.ts";

function project(): string {
  const root = temporary();
  mkdirSync(join(root, "repo/.git"), { recursive: true });
  mkdirSync(join(root, "home"));
  return root;
}

/** Installs a package with these files; those that end in "/" are folders. */
function install(folder: string, manifest: object | string, files: readonly string[] = []): string {
  put(join(folder, "package.json"), typeof manifest === "string" ? manifest : JSON.stringify(manifest));
  for (const file of files) put(join(folder, file));
  return folder;
}

function needs(directory: string, ...names: string[]): void {
  put(
    join(directory, "package.json"),
    JSON.stringify({ dependencies: Object.fromEntries(names.map((name) => [name, "*"])) }),
  );
}

/** Formats files as `name path system plugin@version`, with `!` if trust is needed. */
function listed(root: string, options: DiscoveryChanges = {}): string[] {
  const { files, problems } = run(root, options);
  expect(problems).toEqual([]);
  return files.map(({ file, name, location: { system, ofProject, plugin, kind } }) => {
    expect(kind).toBe("package");
    return `${name} ${file.slice(root.length + 1)} ${system} ${plugin?.name}@${plugin?.version}${ofProject ? " !" : ""}`;
  });
}

function problemsOf(root: string): string[] {
  return run(root).problems.map(({ file, code, message }) => `${file.slice(root.length + 1)} ${code} ${message}`);
}

describe("packages with tools", () => {
  it("[D3] are those of the project, with any manifest, then those of the user", () => {
    const root = project();
    const modules = join(root, "repo/node_modules");
    needs(join(root, "repo"), "ours", "@team/omp", "pi-pack", "plain", "gone");
    install(join(modules, "ours"), { version: "1.0.0", toolwright: { tools: ["./tools", "more/x.ts"] } }, [
      "tools/a.ts",
      "tools/b.json",
      "tools/b.test.ts",
      "more/x.ts",
      "more/y.ts",
    ]);
    install(join(modules, "@team/omp"), { version: "2.0.0", omp: { tools: "tools/t.ts", extensions: ["ext"] } }, [
      "tools/t.ts",
      "ext/index.ts",
      "ext/helper.ts",
    ]);
    install(
      join(modules, "pi-pack"),
      { version: "3.0.0", pi: { extensions: ["./src/*.ts", "!./src/old.ts"], themes: [] } },
      ["src/new.ts", "src/old.ts", "src/deep/no.ts"],
    );
    install(join(modules, "plain"), { version: "4.0.0", main: "index.js" }, ["index.js", "tools/no.ts"]);
    install(join(modules, "not-named"), { toolwright: { tools: ["a.ts"] } }, ["a.ts"]);
    const own = join(root, "home/.toolwright/node_modules");
    install(join(own, "mine"), { toolwright: { tools: ["m.ts"] } }, ["m.ts"]);
    install(join(own, "@me/scoped"), { version: "5.0.0", pi: { extensions: ["s.ts"] } }, ["s.ts"]);
    install(join(root, "home/.omp/plugins/node_modules/omp-one"), { version: "6.0.0", omp: { tools: "." } }, [
      "index.ts",
    ]);
    expect(listed(root)).toEqual([
      "a repo/node_modules/ours/tools/a.ts toolwright ours@1.0.0 !",
      "b repo/node_modules/ours/tools/b.json toolwright ours@1.0.0 !",
      "x repo/node_modules/ours/more/x.ts toolwright ours@1.0.0 !",
      "t repo/node_modules/@team/omp/tools/t.ts omp @team/omp@2.0.0 !",
      "ext repo/node_modules/@team/omp/ext/index.ts omp @team/omp@2.0.0 !",
      "new repo/node_modules/pi-pack/src/new.ts pi pi-pack@3.0.0 !",
      "s home/.toolwright/node_modules/@me/scoped/s.ts pi @me/scoped@5.0.0",
      "m home/.toolwright/node_modules/mine/m.ts toolwright mine@undefined",
      "omp-one home/.omp/plugins/node_modules/omp-one/index.ts omp omp-one@6.0.0",
    ]);
  });

  it("[D3] are searched from the working directory up to the root of the repository", () => {
    const root = project();
    needs(join(root, "repo/app"), "near", "far", "outside");
    needs(join(root, "repo"), "far", "top");
    const tools = { toolwright: { tools: ["t.ts"] } };
    for (const folder of ["repo/app/node_modules/near", "repo/node_modules/near", "repo/node_modules/far"]) {
      install(join(root, folder), tools, ["t.ts"]);
    }
    install(join(root, "repo/node_modules/top"), tools, ["t.ts"]);
    install(join(root, "node_modules/outside"), tools, ["t.ts"]);
    expect(run(root, { cwd: join(root, "repo/app") }).files.map(({ file }) => file.slice(root.length + 6))).toEqual([
      "app/node_modules/near/t.ts",
      "node_modules/far/t.ts",
      "node_modules/top/t.ts",
    ]);
    expect(run(root).files.map(({ location }) => location.plugin?.name)).toEqual(["far", "top"]);
  });

  it("[D3] may be links, and their files count once", () => {
    const root = project();
    needs(join(root, "repo"), "linked");
    install(join(root, "repo/packages/linked"), { toolwright: { tools: ["t.ts"] } }, ["t.ts"]);
    mkdirSync(join(root, "repo/node_modules"));
    symlinkSync("../packages/linked", join(root, "repo/node_modules/linked"));
    const paths = [{ path: "packages/linked/t.ts", from: "--tools-path" }];
    expect(listed(root)).toEqual(["t repo/node_modules/linked/t.ts toolwright linked@undefined !"]);
    expect(run(root, { paths }).files.map(({ location }) => location.kind)).toEqual(["configured"]);
  });

  it("[D3] [X1] cannot list files outside the package", () => {
    const root = project();
    put(join(root, "repo/secret.ts"));
    put(join(root, "repo/secrets/index.ts"));
    needs(join(root, "repo"), "bad", "../../../evil");
    const tools = ["../../secret.ts", join(root, "repo/secret.ts"), "./link.ts", "./folder", "./linked", "../**"];
    const bad = install(join(root, "repo/node_modules/bad"), { toolwright: { tools } }, ["folder/good.ts"]);
    symlinkSync(join(root, "repo/secret.ts"), join(bad, "link.ts"));
    symlinkSync(join(root, "repo/secret.ts"), join(bad, "folder/link.ts"));
    symlinkSync(join(root, "repo/secrets"), join(bad, "linked"));
    install(join(root, "evil"), { toolwright: { tools: ["t.ts"] } }, ["t.ts"]);
    expect(run(root).files.map(({ file }) => file)).toEqual([join(bad, "folder/good.ts")]);
    const leads = (path: string): string =>
      `repo/node_modules/bad/package.json plugin_failed "toolwright.tools" names ${JSON.stringify(path)}, which is outside the package. Name only files in the package.`;
    expect(problemsOf(root)).toEqual([
      ...tools.slice(0, 5).map(leads),
      'repo/node_modules/bad/package.json plugin_failed "toolwright.tools" names "../**", but there is no tool file. Correct the path, or install the package again.',
    ]);
  });

  it("[D3] [D5] with an invalid manifest are one problem, and the others are served", () => {
    const root = project();
    const modules = join(root, "repo/node_modules");
    needs(join(root, "repo"), "text", "number", "json", "missing", "empty", "other-pi", "good");
    install(join(modules, "text"), { toolwright: "tools" });
    install(join(modules, "number"), { omp: { tools: [1] } });
    install(join(modules, "json"), '{ "toolwright": ');
    install(join(modules, "missing"), { toolwright: { tools: ["gone.ts"] } });
    install(join(modules, "empty"), { toolwright: { tools: ["docs"] } }, ["docs/README.md"]);
    install(join(modules, "other-pi"), { pi: 3.14, omp: true });
    install(join(modules, "good"), { toolwright: { tools: ["t.ts"] } }, ["t.ts"]);
    expect(run(root).files.map(({ name }) => name)).toEqual(["t"]);
    const again = "Correct it, or install the package again.";
    const there = "but there is no tool file. Correct the path, or install the package again.";
    const [text, number, json, missing, empty, ...rest] = problemsOf(root);
    expect(rest).toEqual([]);
    expect(text).toBe(
      `repo/node_modules/text/package.json plugin_failed "toolwright" must be an object: "toolwright": { "tools": ["./tools/lint.ts"] }. ${again}`,
    );
    expect(number).toBe(
      `repo/node_modules/number/package.json plugin_failed "omp.tools" must be a list of paths in the package, like ["./tools/lint.ts"]. ${again}`,
    );
    expect(json).toMatch(
      /^repo\/node_modules\/json\/package\.json plugin_failed It is not valid JSON \(.+\), so its tools are not loaded\. Correct it, or install the package again\.$/,
    );
    expect(missing).toBe(
      `repo/node_modules/missing/package.json plugin_failed "toolwright.tools" names "gone.ts", ${there}`,
    );
    expect(empty).toBe(`repo/node_modules/empty/package.json plugin_failed "toolwright.tools" names "docs", ${there}`);
  });

  it("[X1] with an endless manifest are skipped", () => {
    const root = project();
    needs(join(root, "repo"), "endless");
    mkdirSync(join(root, "repo/node_modules/endless"), { recursive: true });
    symlinkSync("/dev/zero", join(root, "repo/node_modules/endless/package.json"));
    expect(run(root)).toMatchObject({ files: [], problems: [] });
  });

  it("[D5] an invalid package.json of the project is one problem", () => {
    const root = project();
    put(join(root, "repo/package.json"), "{");
    expect(problemsOf(root)).toEqual([
      expect.stringMatching(
        /^repo\/package\.json plugin_failed It is not valid JSON \(.+\), so its dependencies are not searched for tools\. Correct it\.$/,
      ),
    ]);
  });

  it("[D3] include Claude Code plugins with a folder of tools, for the user or for this project", () => {
    const root = project();
    const cache = join(root, "home/.claude/plugins/cache/market");
    const entry = (name: string, more: object = {}): object[] => {
      put(join(cache, name, "1.0.0/tools/t.ts"));
      return [{ scope: "user", installPath: join(cache, name, "1.0.0"), version: "1.0.0", ...more }];
    };
    mkdirSync(join(cache, "no-tools"), { recursive: true });
    const plugins = {
      "users@market": entry("users"),
      "here@market": entry("here", { scope: "project", projectPath: join(root, "repo") }),
      "elsewhere@market": entry("elsewhere", { scope: "local", projectPath: join(root, "other") }),
      "off@market": entry("off"),
      "no-tools@market": [{ scope: "user", installPath: join(cache, "no-tools") }],
      "broken@market": [{ scope: "user" }, null],
    };
    put(join(root, "home/.claude/plugins/installed_plugins.json"), JSON.stringify({ version: 2, plugins }));
    put(join(root, "home/.claude/settings.json"), JSON.stringify({ enabledPlugins: { "off@market": false } }));
    expect(listed(root)).toEqual([
      "t home/.claude/plugins/cache/market/users/1.0.0/tools/t.ts claude users@1.0.0",
      "t home/.claude/plugins/cache/market/here/1.0.0/tools/t.ts claude here@1.0.0 !",
    ]);
  });

  it("[D3] exclude those that oh-my-pi has disabled", () => {
    const root = project();
    const omp = join(root, "home/.omp/plugins");
    for (const name of ["on", "off"]) install(join(omp, "node_modules", name), { omp: { tools: ["t.ts"] } }, ["t.ts"]);
    put(join(omp, "omp-plugins.lock.json"), JSON.stringify({ plugins: { off: { enabled: false } } }));
    expect(run(root).files.map(({ location }) => location.plugin?.name)).toEqual(["on"]);
  });

  it("[D6] are watched, so that a package that is installed later is noticed", () => {
    const root = project();
    needs(join(root, "repo"), "ours");
    install(join(root, "repo/node_modules/ours"), { toolwright: { tools: ["t.ts"] } }, ["t.ts"]);
    const { possible, watched } = run(root);
    expect(possible).toEqual(
      expect.arrayContaining([
        join(root, "home/.toolwright/node_modules"),
        join(root, "home/.omp/plugins/node_modules"),
      ]),
    );
    expect(watched).toEqual(
      expect.arrayContaining([
        join(root, "repo/package.json"),
        join(root, "repo/node_modules/.package-lock.json"),
        join(root, "repo/node_modules/ours/package.json"),
        join(root, "home/.claude/plugins/installed_plugins.json"),
      ]),
    );
  });

  it("[D6] are served as soon as they are installed, while watching", async () => {
    const { toolbox, at, say } = await open();
    onTestFinished(await toolbox.watch());
    const folder = join(at.project, "node_modules/ours");
    put(join(folder, "hi.ts"), answering('"hello"'));
    install(folder, { toolwright: { tools: ["hi.ts"] } });
    needs(at.project, "ours");
    await expect.poll(() => toolbox.has("hi")).toBe(true);
    expect(await say("hi")).toBe("hello");
    const mine = join(at.home, ".toolwright/node_modules/mine");
    put(join(mine, "mine.ts"), answering('"mine"'));
    install(mine, { toolwright: { tools: ["mine.ts"] } });
    await expect.poll(() => toolbox.has("mine")).toBe(true);
    needs(at.project);
    await expect.poll(() => toolbox.has("hi")).toBe(false);
  });
});

describe("trust", () => {
  it("[D7] an untrusted project's packages are blocked, and the user's are not", () => {
    const root = project();
    needs(join(root, "repo"), "ours");
    const ours = install(join(root, "repo/node_modules/ours"), { toolwright: { tools: ["t.ts"] } }, ["t.ts"]);
    install(join(root, "home/.toolwright/node_modules/mine"), { toolwright: { tools: ["m.ts"] } }, ["m.ts"]);
    const { files, blocked } = run(root, { trust: false });
    expect(files.map(({ name }) => name)).toEqual(["m"]);
    expect(blocked).toEqual([
      { directory: ours, files: [join(ours, "t.ts")], fix: `toolwright trust --cwd ${join(root, "repo")}` },
    ]);
  });

  it("[D7] [D3] they do not run before the project is trusted, and are served afterwards", async () => {
    const at = sandbox();
    const ran = join(at.root, "ran");
    const folder = join(at.project, "node_modules/ours");
    needs(at.project, "ours");
    install(folder, { version: "1.2.3", toolwright: { tools: ["hi.ts"] } });
    put(
      join(folder, "hi.ts"),
      `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(ran)}, "");\n${answering('"hello"')}`,
    );
    const untrusted = await open(at, { trust: false });
    expect(untrusted.toolbox.list()).toEqual([]);
    expect(await untrusted.say("hi")).toMatch(/^"hi" belongs to a project that is not trusted\./);
    expect(existsSync(ran)).toBe(false);
    const trusted = await open(at);
    expect(trusted.toolbox.problems()).toEqual([]);
    expect(trusted.toolbox.get("hi")).toMatchObject({ source: "plugin", place: "package" });
    expect(await trusted.say("hi")).toBe("hello");
    expect(existsSync(ran)).toBe(true);
  });
});
