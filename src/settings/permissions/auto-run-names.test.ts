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

  /** By ecosystem: files that its programs run, or read commands from, without being told to. */
  it.each(
    Object.entries({
      node: "binding.gyp deps/a.gypi karma.conf.js wdio.conf.ts tauri.conf.json webpack.common.js gatsby-node.js .eleventy.js ember-cli-build.js testem.js config-overrides.js tslint.json serverless.yml cdk.json app.json .markdownlint-cli2.cjs .changeset/config.json .dependency-cruiser.js codegen.ts moon.yml firebase.json .mocharc.js .lintstagedrc.mjs typedoc.json project.json vitest.setup.ts babel.config.json .babelrc.json .npmrc .yarnrc.yml .pnpmfile.cjs .eslintrc",
      python:
        "conftest.py sitecustomize/__init__.py noxfile.py tox.ini conf.py docs/conf.py gunicorn.conf.py tasks.py dodo.py hatch_build.py hatch.toml mkdocs.yml .readthedocs.yaml Snakefile a.smk locustfile.py .pythonrc.py pylock.toml requirements.in a.egg-link tox.toml pyvenv.cfg a.egg-info/entry_points.txt",
      ruby: "gems.rb config.ru .pryrc .irbrc .rvmrc .powrc Berksfile Appraisals Steepfile .simplecov .yardopts .gemrc .rspec-local test_helper.rb Matchfile _plugins/a.rb _config.yml .standard.yml",
      rust: "Cross.toml Trunk.toml release.toml bacon.toml Makefile.toml",
      go: ".air.toml go.sum modd.conf .ko.yaml",
      jvm: "settings.gradle.kts a.sbt .jvmopts .sbtopts build.sc build.mill build.boot build.clj user.clj build.properties local.properties ivy.xml a.main.kts META-INF/services/a jitpack.yml",
      dotnet:
        "a.vcxitems a.sqlproj build.cake a.csx a.tt packages.config paket.dependencies a.nuspec Directory.Packages.props",
      c: "a.m4 configure.in build.ninja a.wrap a.pro a.qbs Tupfile Tuprules.tup Jamfile a.jam BUCK TARGETS .buckconfig.local BUILD.plz .plzconfig tools/bazel Kbuild Kconfig .clangd compile_commands.json a-gdb.py .gdbearlyinit .ycm_extra_conf.py autogen.sh",
      php: "rector.php ecs.php psalm.xml phpcs.xml.dist .php_cs RoboFile.php deploy.php castor.php php.ini artisan behat.yml codeception.yml",
      perl: "Makefile.PL Build.PL cpanfile dist.ini .perltidyrc",
      lua: "a.rockspec .busted .luacov config.ld .lazy.lua",
      ocaml: "dune dune-workspace a.opam .ocamlinit .merlin esy.json",
      elixir: "config/config.exs config/runtime.exs test/test_helper.exs .sobelow-conf .erlang vm.args",
      r: "renv/activate.R _targets.R cleanup src/Makevars _quarto.yml Rprofile.site",
      julia: "deps/build.jl startup.jl Project.toml Manifest.toml",
      swift: "project.yml Project.swift Tuist/a.swift Mintfile",
      dart: "build.yaml melos.yaml analysis_options.yaml .dart_tool/a",
      others:
        "a.nimble config.nims nim.cfg dub.json shard.yml a.asd spago.dhall bsconfig.json rescript.json startup.m latexmkrc .latexmkrc .sqliterc .psqlrc .mongorc.js",
      tasks:
        "maskfile.md Runfile Tasks.toml mise-tasks/a .mise-tasks/a mprocs.yaml process-compose.yaml .tmuxinator.yml Cakefile Earthfile dagger.json pants.toml .moon/tasks.yml duties.py",
      infrastructure:
        "Pulumi.yaml terragrunt.hcl atlantis.yaml helmfile.yaml kustomization.yaml .chef/knife.rb kitchen.yml Puppetfile molecule.yml filter_plugins/a.py .ansible.cfg .ddev/a .lando.yml garden.yml devspace.yaml okteto.yml werf.yaml",
      packaging:
        "debian/rules debian/postinst PKGBUILD a.install APKBUILD a.spec a-1.0.ebuild a.eclass a.SlackBuild snapcraft.yaml snap/hooks/install a.iss a.nsi a.wxs nfpm.yaml a.bb a.bbclass meta.yaml recipe.yaml melange.yaml Portfile chocolateyInstall.ps1 appimage-builder.yml AppImageBuilder.yml",
      editors:
        ".gvimrc _gvimrc .nvim/a .vimspector.json .projections.json .neoconf.json a.vim .run/a.run.xml a.launch .classpath a.iml a.sublime-build .spacemacs .doom.d/a Cask Eask .kakrc .atom/a .theia/tasks.json .vimrc.local",
      ci: ".taskcluster.yml zuul.yaml .zuul.d/a codemagic.yaml bitrise.yml .tekton/a .ci/run wercker.yml appspec.yml .platform.app.yaml .ebextensions/a .mergify.yml nixpacks.toml railway.json render.yaml heroku.yml .pipelines/a codefresh.yml .harness/a qodana.yaml .mega-linter.yml",
      "git hooks":
        "githooks/a git-hooks/a .hooks/a .rusty-hook.toml .nano-staged.json .cz.toml .czrc .lfsconfig .gitlint .trunk/trunk.yaml .captainhook/a",
      shells:
        ".bash_functions .zshrc.local .aliases .functions .tmux.conf.local .xsession .pam_environment config.fish conf.d/a.fish Microsoft.PowerShell_profile.ps1 profile.ps1 psakefile.ps1 a.build.ps1 .in .out .wezterm.lua .screenrc",
      versions:
        ".go-version .bun-version .php-version rtx.toml .opam-switch .ruby-gemset a.nix guix.scm .flox/a .mise.local.toml .asdf/a",
      agents:
        "mcp_config.json mcp-config.json mcp_settings.json a.mcp.json .claude-plugin/plugin.json plugin.json gptme.toml .roomodes openclaw.json openclaw.plugin.json .openclaw/a toolwright.lock .codeium/a gemini-extension.json smithery.yaml .aynd/a .qraftbox/a .antigravity/a .vibe/a",
      "node, other names":
        "pnpmfile.cjs pnpmfile.js .xo-config.cjs jest-preset.js plopfile.mjs .eslintplugin.js eslint-local-rules/index.js truffle-config.js ormconfig.ts knexfile.js .vitepress/config.ts .vuepress/config.js .vscode-test.mjs .tern-project workspace.json eas.json nightwatch.json .codesandbox/tasks.json devcontainer.json esbuild.js .hygen.js",
      "python, other names":
        "fabfile/__init__.py manage.py invoke.yaml site_scons/site_init.py wscript_build celeryconfig.py gunicorn_config.py uwsgi.ini MLproject .dvc/config dbt_project.yml pixi.lock conda-lock.yml requirements.lock",
      "ruby and perl, other names": ".perldb .rbenv-vars .solargraph.yml cucumber.yml fastlane/actions/a.rb Rexfile",
      "go and rust, other names": "magefiles/a.go buf.gen.yaml sqlc.yaml Taskfile Anchor.toml Dioxus.toml",
      "jvm, other names":
        ".bsp/metals.json .lsp/config.edn .clj-kondo/config.edn .jbang/x jbang-catalog.json mill mill.bat",
      "dotnet, other names": "a.csproj.user omnisharp.json a.pubxml packages.lock.json .nuke/parameters.json",
      "php, other names":
        "phpunit.dist.xml phpstan.dist.neon .phan/config.php .phpactor.json wp-cli.yml .psysh.php phinx.php infection.json5 phpspec.yml drush/drush.yml vendor/autoload.php",
      "functional languages, other names":
        "Setup.lhs .ghcid Shakefile.hs opam rebar.lock Emakefile lakefile.lean lakefile.toml lake-manifest.json lean-toolchain _CoqProject CoqMakefile.local a.ipkg nimble.lock dub.selections.json shard.override.yml .lintr configure.win cleanup.ucrt JuliaProject.toml LocalPreferences.toml pathdef.m texmf.cnf .arara.yaml",
      "ci, other names":
        "action.yml a/action.yaml .vela.yml screwdriver.yaml amplify.yml now.json .vercel/a .netlify/a .profile.d/a.sh samconfig.toml a.gitlab-ci.yaml",
      "editors, other names":
        "_exrc .lite_project.lua .kateproject .kate-build tasks.vs.json CMakeSettings.json jdb.ini",
      "agents, other names":
        ".opencode.json hooks/hooks.json .lsp.json .cursor-plugin/a .codex-plugin/a conductor.json .superset/a .mux/init .gtrconfig .emdash.json .wt.toml .qodo/a .zencoder/a mcp.yaml",
      "further names":
        ".pytest.toml .golangci.json .custom-gcl.yml .vagrantplugins a.thor platformio.ini book.toml Doxyfile test/mocha.opts supervisord.conf PRESUBMIT.py BUILD.gn .gn a.gni .gclient WORKSPACE.bzlmod .shadowenv.d/a Deskfile __pypackages__/a .eggs/a .pixi/a .pdm-python phpbench.json .autotest pelicanconf.py build.fsx a.runsettings west.yml api.garden.yml .nx/a app.yaml .prow.yaml .rultor.yml terragrunt.stack.hcl a.pkr.hcl .checkov.yaml fis-conf.js src/setupProxy.js antora-playbook.yml pm2.json codebuff.json .ember-cli",
      desktops: "a.service a.timer a.desktop crontab a.reg a.scf a.url a.hta a.library-ms",
    }).flatMap(([ecosystem, paths]) => paths.split(" ").map((path) => [ecosystem, path])),
  )("of %s: %s", (_, path) => {
    expect(isKnownCode(path)).toBe(true);
    expect(isKnownCode(path.toUpperCase())).toBe(true);
    expect(isKnownCode(`packages/a/${path}`)).toBe(true);
  });

  it.each([
    [".GIT/hooks/a", "upper case"],
    ["PACKAGE.JSON", "upper case"],
    ["pac\u212Aage.json", "the Kelvin sign, which is a K to some file systems"],
    [".hu\u017Fky/a", "the long s, which is an S to some file systems"],
    [".g\u200Cit/hooks/a", "a character that HFS+ ignores"],
    [".g\u00ADit/hooks/a", "a character that ext4 ignores in folders without case"],
    ["package\u200B.json", "another one"],
    ["pack\u034Fage.json", "another one"],
    ["package.json\uFE0F", "another one"],
    ["package\u{E0061}.json", "another one"],
    ["package.json .:stream", "dots, a space and a stream"],
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
    ...["src/package.ts", "src/settings.ts", "src/makefile-parser.ts", "app/models/user.rb", "a/setup.ts", "style.css"],
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
    ...[".env.local", "k8s/deployment.yaml", "main.tf", ".editorconfig", ".mailmap", "app/views/form.html.erb"],
    ...["src/a.spec.ts", "src/conf.ts", "nginx.conf", "src/rc.ts", "src/dune/a.ts", "targets/a.ts", "lib/a.test.exs"],
    ...["docs/config.md", "src/webpack/a.ts", "build.md", "src/tasks.ts", "a.url.ts", "assets/a.service.ts"],
    ...[
      "src/configure.ts",
      "src/cleanup.ts",
      "src/file-lock.ts",
      "app/vendor/page.tsx",
      "src/hooks.ts",
      "src/manage.ts",
    ],
    ...["src/vendor.json", "src/opam/a.ts", "test/lock.test.ts", "docs/action.md", "src/user.ts", "src/mill/a.ts"],
    ...["main.go", "lib.rs", "App.java", "index.html", "migrations/001.sql", "my.env.ts", "scripts.md", "", "a~"],
  ])("not %s", (path) => {
    expect(isKnownCode(path)).toBe(false);
  });

  it("composed and decomposed letters are one spelling", () => {
    expect(folded("caf\u00e9/A.js")).toBe(folded("cafe\u0301/a.js"));
  });
});
