import { describe, expect, it } from "vitest";
import { folded, isKnownCode } from "./auto-run-names.ts";

describe("[P3] [X1] well-known files whose code or commands run by themselves", () => {
  it.each([
    ...[".git/hooks/pre-commit", "packages/a/.git/config", ".toolwright/tools/new.ts", ".claude/settings.json"],
    ...[
      ".roo/mcp.json",
      ".kiro/settings/mcp.json",
      ".amazonq/mcp.json",
      ".continue/config.yaml",
      ".qwen/settings.json",
    ],
    ...[
      ".cursor/hooks.json",
      ".codex/config.toml",
      ".gemini/settings.json",
      ".opencode/plugin/a.ts",
      ".omp/x",
      ".pi/x",
    ],
    ...[
      ".github/workflows/ci.yml",
      ".github/copilot/settings.json",
      ".vscode/tasks.json",
      ".idea/a.xml",
      ".zed/tasks.json",
    ],
    ...["package.json", "packages/a/package.json", "package-lock.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock"],
    ...[".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", ".pnpmfile.mjs", "node_modules/a/index.js", "bunfig.toml"],
    ...["deno.json", ".envrc", ".devcontainer/devcontainer.json", ".pre-commit-config.yaml", ".husky/pre-push"],
    ...[
      "Makefile",
      "GNUmakefile",
      "rules.mk",
      "justfile",
      "Taskfile.yml",
      "Rakefile",
      "build.gradle.kts",
      "CMakeLists.txt",
    ],
    ...["vite.config.ts", "webpack.config.js", "eslint.config.mjs", "jest.config.cjs", "vitest.config.mts", ".babelrc"],
    ...["tailwind.config.js", "postcss.config.js", "tsconfig.json", "tsconfig.build.json", ".eslintrc.cjs"],
    ...[".gitattributes", ".gitmodules", ".gitconfig", ".bashrc", ".profile", ".zshrc", ".ssh/authorized_keys"],
    ...[
      ".mise.toml",
      ".tool-versions",
      ".nvmrc",
      "build.rs",
      "Cargo.toml",
      ".cargo/config.toml",
      "conftest.py",
      "setup.py",
    ],
    ...[
      "pyproject.toml",
      "sitecustomize.py",
      "lib/a.pth",
      "requirements-dev.txt",
      "Dockerfile",
      "compose.yaml",
      "Jenkinsfile",
    ],
    ...[
      ".aider.conf.yml",
      "crush.json",
      ".crush/x",
      ".factory/hooks/a",
      ".junie/x",
      ".augment/x",
      ".agents/skills/a/b.sh",
    ],
    ...[".goose/x", ".openhands/setup.sh", ".grok/settings.json", ".trae/x", ".agent/x", ".rovodev/x", ".amp/x"],
    ...[".hg/hgrc", ".jj/repo/config.toml", "sub/HEAD", "prek.toml", ".overcommit.yml", ".simple-git-hooks.cjs"],
    ...[".dir-locals-2.el", ".helix/languages.toml", ".lvimrc", ".luarc.json", ".fleet/run.json", ".project"],
    ...[".cirrus.yml", "azure-pipelines.yaml", "ci/a.gitlab-ci.yml", ".drone.yaml", ".idx/dev.nix", ".replit"],
    ...["docker-bake.hcl", "Tiltfile", "skaffold.yaml", ".Rprofile", ".ghci", "hie.yaml", "a.cabal", "stack.yaml"],
    ...["gradle/wrapper/gradle-wrapper.properties", "conventions.gradle", "a.gradle.kts", "buildSrc/a.kt", "a.props"],
    ...[
      ".formatter.exs",
      "rebar.config.script",
      "bb.edn",
      "conanfile.py",
      "configure",
      "Guardfile",
      "WORKSPACE",
      "BUILD",
    ],
    ...[
      ".lldbinit",
      ".proverc",
      ".htaccess",
      ".user.ini",
      "ipython_config.py",
      "environment.yml",
      "launchSettings.json",
    ],
  ])("%s", (path) => {
    expect(isKnownCode(path)).toBe(true);
  });

  it.each([
    [".GIT/hooks/a", "upper case"],
    ["PACKAGE.JSON", "upper case"],
    ["pac\u212Aage.json", "the Kelvin sign, which is a K to some file systems"],
    [".hu\u017Fky/a", "the long s, which is an S to some file systems"],
    [".g\u200Cit/hooks/a", "a character that HFS+ ignores"],
    [".git./hooks/a", "a dot that Windows ignores"],
    [".git /hooks/a", "a space that Windows ignores"],
    ["package.json. .", "several of them"],
    [".git::$INDEX_ALLOCATION/hooks/a", "a stream of NTFS"],
    ["package.json:stream", "another one"],
    ["GIT~1/hooks/a", "a short name of Windows"],
    [".git\\hooks\\a", "backslashes"],
  ])("%j: %s", (path) => {
    expect(isKnownCode(path)).toBe(true);
  });

  it.each([
    ...[
      "src/a.ts",
      "src/index.js",
      "README.md",
      "AGENTS.md",
      "CLAUDE.md",
      "docs/git.md",
      "src/git/a.ts",
      "test/a.test.ts",
    ],
    ...["src/package.ts", "src/config.ts", "src/makefile-parser.ts", "app/models/user.rb", "a/setup.ts", "style.css"],
    ...[
      "data.json",
      ".gitignore",
      "LICENSE",
      "github/a.md",
      "src/node_modules.ts",
      "build/out.js",
      "a.git/b",
      "notes.txt",
    ],
    ...["components/Head/index.tsx", "src/head.ts", "app/build/a.ts", "src/configure/a.ts", "workspace/a.md"],
    ...[".env.local", "k8s/deployment.yaml", "main.tf"],
    ...["main.go", "lib.rs", "App.java", "index.html", "migrations/001.sql", "my.env.ts", "scripts.md", "", "a~"],
  ])("not %s", (path) => {
    expect(isKnownCode(path)).toBe(false);
  });

  it("composed and decomposed letters are one spelling", () => {
    expect(folded("caf\u00e9/A.js")).toBe(folded("cafe\u0301/a.js"));
  });
});
