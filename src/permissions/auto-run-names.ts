/** Names of files and folders that other programs execute or read commands from, and the reason for each group. */
interface KnownCode {
  readonly why: string;
  /** Names of one path segment, in lower case, with `*` and `?`, separated by spaces. The name of a folder covers everything below it. */
  readonly names: string;
  /** Set if only files count: folders of the same name hold ordinary files. */
  readonly only?: "files";
}

/**
 * Files whose code or commands run without further approval. The mode `acceptEdits` does not cover them. Instructions for models
 * (`AGENTS.md`, `CLAUDE.md`) are not on the list: the calls that a model makes after reading them need approval themselves.
 */
const KNOWN_CODE: readonly KnownCode[] = [
  {
    why: "Tool files, hooks and settings of Toolwright and of the agents whose tools it serves.",
    names: ".toolwright .atomic .opencode .kilo .omp .pi .claude .codex",
  },
  {
    why: "Hooks, extensions, MCP servers and allowed commands of other agents.",
    names: `
      .cursor .gemini .windsurf .copilot .roo .kiro .amazonq .continue .qwen .cline .clinerules .kilocode
      .agent .agents .aider* .amp .augment .codebuddy .crush .crush.json crush.json .devin .factory .forge .goose .grok
      .iflow .junie .openhands .rovodev .tabnine .trae .warp .claude.json claude_desktop_config.json`,
  },
  {
    why: "Configurations that name the programs which are started as MCP servers or plugins.",
    names: ".mcp.json mcp.json opencode.json opencode.jsonc kilo.json kilo.jsonc",
  },
  {
    why: "Git runs hooks, filters, diff programs and aliases that these configure, and submodules bring in more of them.",
    names: ".git .githooks .git-hooks .gitattributes .gitmodules .gitconfig .hg .hgrc .jj .svn",
  },
  {
    why: "A folder with HEAD, config, objects and refs is a repository to Git. Bazel and Autoconf run the others.",
    names: "head build workspace configure",
    only: "files",
  },
  {
    why: "Programs that Git hooks run at a commit.",
    names: `
      .husky .pre-commit-config.yaml .pre-commit-config.yml .pre-commit-hooks.yaml lefthook*.yml lefthook*.yaml
      lefthook*.toml lefthook*.json .lefthook* .lintstagedrc* .commitlintrc* .huskyrc*
      .simple-git-hooks.* simple-git-hooks.* .overcommit.yml prek.toml hk.pkl .cargo-husky captainhook.json
      grumphp.yml*`,
  },
  {
    why: "Tasks, launch configurations and settings of editors name programs, and some run when the folder is opened.",
    names: `
      .vscode *.code-workspace .idea .zed .vs .exrc .nvimrc .nvim.lua .vimrc _vimrc .vim .lvimrc .dir-locals*.el
      .emacs .emacs.d *.sublime-project .helix .fleet .nova .project .settings nbproject .luarc.json* .luacheckrc`,
  },
  {
    why: "Continuous integration runs these with the repository's credentials.",
    names: `
      .github .gitlab-ci.yml .gitlab .circleci .travis.yml azure-pipelines*.y*ml .azure-pipelines jenkinsfile jenkinsfile.*
      bitbucket-pipelines.yml .buildkite .drone.* .cirrus.* .semaphore .teamcity
      *.gitlab-ci.yml .build.yml .builds cloudbuild.y*ml buildspec.y*ml .replit replit.nix .idx .stackblitzrc .woodpecker .woodpecker.y*ml appveyor.yml .appveyor.yml .gitea
      .forgejo renovate.json* .renovaterc* netlify.toml vercel.json wrangler.toml wrangler.json* fly.toml
      procfile procfile.*`,
  },
  {
    why: "Containers and virtual machines are built and started from these, in editors also by themselves.",
    names: `
      .devcontainer .devcontainer.json dockerfile dockerfile.* *.dockerfile containerfile containerfile.* compose*.y*ml docker-compose*.y*ml
      docker-bake.* devfile.yaml .devfile.yaml tiltfile skaffold.y*ml vagrantfile .gitpod.yml .gitpod.dockerfile`,
  },
  {
    why: "Shells and their helpers run these when a person enters the folder or logs in.",
    names: `
      .envrc .env .direnv .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv
      .zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .login .autoenv* .inputrc .xinitrc .xprofile .tmux.conf .ssh .config
      .local .gnupg .netrc launchagents`,
  },
  {
    why: "Version managers run plugins that these name, or choose the program that runs as node, python and so on.",
    names: `
      .mise.toml .mise.*.toml mise.toml mise.*.toml .mise .tool-versions .asdfrc .nvmrc .node-version
      .python-version .ruby-version .java-version .sdkmanrc .prototools .terraform-version rust-toolchain
      rust-toolchain.toml devbox.json devenv.nix devenv.yaml flake.nix flake.lock shell.nix default.nix pixi.toml`,
  },
  {
    why: "Package managers run scripts that these name or bring in.",
    names: `
      node_modules package.json package.json5 package.yaml package-lock.json npm-shrinkwrap.json yarn.lock
      pnpm-lock.yaml pnpm-workspace.yaml .pnpmfile.* .npmrc .yarnrc* .yarn .pnp.* bun.lock bun.lockb bunfig.toml
      .bunfig.toml deno.json deno.jsonc deno.lock import_map.json jsr.json lerna.json nx.json turbo.json
      turbo.jsonc rush.json gemfile gemfile.* .bundle *.gemspec composer.json composer.lock podfile podfile.* cartfile cartfile.*
      package.swift package.resolved mix.exs mix.lock rebar.config pubspec.yaml go.mod go.work brewfile brewfile.*
      vcpkg.json nuget.config`,
  },
  {
    why: "Builds and task runners run the commands in these.",
    names: `
      makefile makefile.* gnumakefile gnumakefile.* *.mk *.mak justfile .justfile *.just taskfile*.y*ml rakefile rakefile.* *.rake cmakelists.txt
      *.cmake cmakepresets.json cmakeuserpresets.json meson.build meson_options.txt sconstruct *.gradle *.gradle.kts
      gradle-wrapper.* libs.versions.toml buildsrc gradle.properties gradlew gradlew.bat pom.xml .mvn mvnw mvnw.cmd build.xml
      build.sbt project.clj deps.edn build.rs cargo.toml cargo.lock .cargo build.zig* workspace.bazel module.bazel
      build.bazel *.bzl .bazelrc .buckconfig dune-project *.csproj *.fsproj *.vbproj *.vcxproj *.targets *.props launchsettings.json *.sln
      *.slnx global.json directory.build.* dotnet-tools.json *.xcconfig *.xcodeproj *.xcworkspace gulpfile.*
      gruntfile.* jakefile jakefile.* fabfile.py guardfile
      capfile fastfile dangerfile thorfile magefile.go conanfile.* xmake.lua premake*.lua wscript sconscript configure.ac`,
  },
  {
    why: "JavaScript tools import these, and editors and watchers run the tools while files change.",
    names: `
      *.config.js *.config.mjs *.config.cjs *.config.ts *.config.mts *.config.cts tsconfig*.json jsconfig*.json
      .babelrc* .eslintrc* .prettierrc* .stylelintrc* .postcssrc* .swcrc .mocharc* .nycrc* .c8rc* .parcelrc
      .remarkrc* biome.json biome.jsonc .oxlintrc.json nodemon.json .nodemonrc* vitest.workspace.* vitest.setup.*
      jest.setup.* setuptests.* karma.conf.* .storybook angular.json .releaserc* .release-it*`,
  },
  {
    why: "Python imports these by itself, or its tools run what they configure.",
    names: `
      conftest.py setup.py setup.cfg pyproject.toml sitecustomize.py usercustomize.py *.pth tox.ini noxfile.py
      pytest.ini .pytest.ini .coveragerc .pylintrc pylintrc .flake8 mypy.ini .mypy.ini pytest.toml .venv venv .tox
      .nox site-packages requirements*.txt constraints*.txt pipfile pipfile.lock poetry.lock poetry.toml uv.lock
      uv.toml pdm.lock pdm.toml .condarc pip.conf pip.ini .pypirc .pdbrc __pycache__ *.pyc
      ipython_config.py profile_default jupyter_*_config.py environment.y*ml`,
  },
  {
    why: "Tools of other languages run the commands in these if they are started in the same folder.",
    names: `
      .irbrc .pryrc .rspec .rubocop.yml spec_helper.rb rails_helper.rb phpunit.xml* phpstan.neon* .php-cs-fixer*
      .iex.exs .formatter.exs .credo.exs rebar.config.script bb.edn shadow-cljs.edn profiles.clj .gdbinit .lldbinit .ghci
      hie.yaml *.cabal cabal.project* stack.yaml setup.hs .rprofile .renviron .octaverc .proverc .htaccess .user.ini *.ps1xml ansible.cfg .terraformrc .terraform .terraform.lock.hcl .tflint.hcl terragrunt.hcl .golangci.y*ml .golangci.toml
      .goreleaser*`,
  },
  {
    why: "Windows and macOS start or obey these when the folder is opened.",
    names: "desktop.ini autorun.inf *.lnk *.command",
  },
  {
    why: "A short (8.3) file name of Windows can refer to any of the files above.",
    names: "*~? *~?.*",
  },
];

const namesOf = (only?: "files"): string[] =>
  KNOWN_CODE.filter((each) => each.only === only).flatMap(({ names }) => names.trim().split(/\s+/));
const FILES: ReadonlySet<string> = new Set(namesOf("files"));
const NAMES: readonly string[] = namesOf();
const EXACT: ReadonlySet<string> = new Set(NAMES.filter((name) => !/[*?]/.test(name)));
/** All names with wildcards as one expression. It runs for each segment of each written path. */
const PATTERNS = new RegExp(
  `^(?:${NAMES.filter((name) => /[*?]/.test(name))
    .map((name) => name.replaceAll(".", "\\.").replaceAll("?", ".").replaceAll("*", ".*"))
    .join("|")})$`,
  "s",
);

/**
 * Whether a path, relative to the project, is a well-known file whose code or commands run without further approval, or is in a
 * folder of these files.
 */
export function isKnownCode(path: string): boolean {
  const names = folded(path).split("/");
  return FILES.has(names.at(-1) ?? "") || names.some((name) => EXACT.has(name) || PATTERNS.test(name));
}

/** Characters that HFS+ ignores in names. */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
/** Windows ignores dots and spaces at the end of a name, and a colon begins the name of a stream of the same file. */
const WINDOWS_TAIL = /(?<=[^/. ])(?:[. ]+|:[^/]*)(?=\/|$)/g;

/**
 * Normalizes a path: paths that some file system treats as one file (upper and lower case, composed and decomposed letters)
 * become equal. Two different files may become equal as well.
 */
export function folded(path: string): string {
  return path
    .normalize("NFKC")
    .replace(IGNORED, "")
    .toUpperCase()
    .toLowerCase()
    .replaceAll("\\", "/")
    .replace(WINDOWS_TAIL, "");
}
