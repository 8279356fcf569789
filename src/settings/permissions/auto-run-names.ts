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
    names: `
      .toolwright .atomic .opencode .kilo .omp .pi .claude .codex .aynd .qraftbox .openclaw toolwright.lock`,
  },
  {
    why: "Hooks, extensions, MCP servers and allowed commands of other agents.",
    names: `
      .cursor .gemini .windsurf .copilot .roo .kiro .amazonq .continue .qwen .cline .clinerules .kilocode .agent
      .agents .aider* .amp .augment .codebuddy .crush .crush.json crush.json .devin .factory .forge .goose .grok
      .iflow .junie .openhands .rovodev .tabnine .trae .warp .claude.json claude_desktop_config.json .antigravity
      .codeium .cody .vibe .roomodes .claude-plugin gptme.toml .gptme.toml gemini-extension.json smithery.yaml
      openclaw*.json plugin.json .opencode.json hooks.json .lsp.json .*-plugin conductor.json .superset .mux
      .gtrconfig .emdash.json .wt.toml .qodo .zencoder .pearai .void .tabby .cagent cagent.y*ml .plandex* .stakpak
      .auggie`,
  },
  {
    why: "Configurations that name the programs which are started as MCP servers or plugins.",
    names: `
      mcp.json opencode.json opencode.jsonc kilo.json kilo.jsonc *.mcp.json mcp-config.json mcp_config.json
      mcp_settings.json mcp.y*ml`,
  },
  {
    why: "Git runs hooks, filters, diff programs and aliases that these configure, and submodules bring in more of them.",
    names: `
      .git .githooks .git-hooks .gitattributes .gitmodules .hg .jj .svn githooks git-hooks .hooks .gitconfig*
      .lfsconfig`,
  },
  {
    why: "A folder with HEAD, config, objects and refs is a repository to Git. Build systems, Laravel, cron and R run the others.",
    names:
      "head build workspace configure buck targets dune bazel kbuild cleanup artisan crontab portfile waf opam mill taskfile",
    only: "files",
  },
  {
    why: "Programs that Git hooks run at a commit.",
    names: `
      .husky .pre-commit-hooks.yaml lefthook*.yml lefthook*.yaml lefthook*.toml lefthook*.json .lefthook*
      .simple-git-hooks.* simple-git-hooks.* .overcommit.yml prek.toml hk.pkl .cargo-husky captainhook.json
      grumphp.yml* .pre-commit-config.* .captainhook .rusty-hook.toml rusty-hook.toml .nano-staged* .cz.* cz.toml
      .cz-config.js .gitlint .trunk .overcommit`,
  },
  {
    why: "Tasks, launch configurations and settings of editors name programs, and some run when the folder is opened.",
    names: `
      .vscode *.code-workspace .idea .zed .vs _vimrc .dir-locals*.el .emacs .emacs.d .helix .fleet .nova .project
      .settings nbproject *.vim _gvimrc gvimrc .nvim .nvim.* .lazy.lua .vimspector.json .projections.json
      .neoconf.json .coc .ycm_extra_conf.py .clangd .ccls compile_commands.json .kak .spacemacs .doom.d cask eask
      *.sublime-* .atom .theia .vsconfig .run *.run.xml *.launch .classpath .factorypath *.iml *.ipr *.iws .geany
      .wezterm.lua _exrc .lite_project* .kate* *.vs.json cmakesettings.json .lsp .bsp .tern-project omnisharp.json
      .vscode-test.*`,
  },
  {
    why: "Continuous integration runs these with the repository's credentials.",
    names: `
      .github .gitlab .circleci .travis.yml azure-pipelines*.y*ml .azure-pipelines jenkinsfile jenkinsfile.*
      bitbucket-pipelines.yml .buildkite .drone.* .cirrus.* .semaphore .teamcity *.gitlab-ci.y*ml .build.yml .builds
      cloudbuild.y*ml buildspec.y*ml .replit .idx .woodpecker .woodpecker.y*ml appveyor.yml .appveyor.yml .gitea
      .forgejo renovate.json* netlify.toml vercel.json fly.toml procfile procfile.* .ci .taskcluster.yml .zuul*
      zuul.y*ml codemagic.yaml bitrise.y*ml .tekton .argocd .concourse wercker.yml shippable.yml appspec.y*ml
      .platform* .ebextensions .mergify.yml .pipelines .harness codefresh.y*ml .codefresh qodana.y*ml
      .mega-linter.y*ml .codeclimate.yml .scrutinizer.yml jitpack.yml nixpacks.toml railway.* render.yaml heroku.yml
      app.json firebase.json serverless.* cdk.json cdktf.json pulumi*.y*ml .readthedocs.y*ml *.jenkinsfile .jenkins
      wrangler.* release-please-config.json .changeset cloudbuild.json action.y*ml .vela.y*ml screwdriver.y*ml
      .prow.y*ml .onedev-buildspec.yml .rultor.yml app.yaml amplify.y*ml now.json .now .vercel .netlify .profile.d samconfig.toml eas.json .codesandbox captain-definition
      scalingo.json .do`,
  },
  {
    why: "Containers and virtual machines are built and started from these, in editors also by themselves.",
    names: `
      dockerfile dockerfile.* dockerfile-* *.dockerfile containerfile containerfile.* compose*.y*ml
      docker-compose*.y*ml docker-bake.* devfile.yaml .devfile.yaml tiltfile skaffold.y*ml vagrantfile .gitpod.yml
      .devcontainer* garden.y*ml devspace.y*ml okteto.y*ml .okteto werf.y*ml helmfile*.y*ml kustomization.y*ml .ddev
      .lando*.yml .docksal earthfile dagger.json .dagger kitchen.y*ml .kitchen* molecule.yml process-compose*.y*ml
      *.flatpak.y*ml .vagrantplugins *.garden.y*ml terragrunt.stack.hcl *.pkr.hcl devcontainer.json mkosi.* distrobox.ini *.nomad`,
  },
  {
    why: "Shells and their helpers run these when a person enters the folder or logs in.",
    names: `
      .env .direnv .profile .zprofile .zlogin .zlogout .login .autoenv* .xprofile .tmux.conf .ssh .config .local
      .gnupg launchagents .*rc .*rc.* .bash_* .zsh* .logout .in .out .aliases .functions .exports .xsession
      .pam_environment config.fish conf.d .oh-my-zsh .tmux.conf.* .tmuxinator.y*ml .tmuxp.* profile.ps1 *_profile.ps1
      .smartcd .mailcap .lessfilter .shadowenv.d deskfile`,
  },
  {
    why: "Version managers run plugins that these name, or choose the program that runs as node, python and so on.",
    names: `
      .mise.toml .mise.*.toml mise.toml mise.*.toml .mise .tool-versions .prototools rust-toolchain
      rust-toolchain.toml devbox.json devenv.yaml pixi.toml .*-version rtx.toml .rtx.toml .asdf mise .opam-switch
      .ruby-gemset .powenv *.nix .devenv .pixi .pdm-python .pdm.toml .flox guix.scm manifest.scm channels.scm .guix* .rbenv-vars lean-toolchain`,
  },
  {
    why: "Package managers run scripts that these name or bring in.",
    names: `
      node_modules package.json package.json5 package.yaml package-lock.json conda-lock.y*ml *.lock *.lock.json
      npm-shrinkwrap.json pnpm-lock.yaml pnpm-workspace.yaml pnpmfile.* .pnpmfile.* .yarn .pnp.* bun.lockb bunfig.toml
      .bunfig.toml deno.json deno.jsonc import_map.json jsr.json lerna.json nx.json turbo.json turbo.jsonc rush.json .nx
      gemfile gemfile.* .bundle *.gemspec composer.json podfile podfile.* cartfile cartfile.* package.swift
      package.resolved mix.exs rebar.config pubspec.yaml go.mod go.work brewfile brewfile.* vcpkg.json nuget.config
      *.gyp *.gypi go.sum gems.rb gems.locked packages.config paket.* *.nuspec cpanfile *.rockspec *.opam esy.json
      *.nimble nimble.paths dub.*json dub.sdl shard.*y*ml spago.* packages.dhall project.toml manifest.toml
      juliaproject.toml juliamanifest.toml localpreferences.toml lakefile.* lake-manifest.json *.ipkg autoload*.php
      mintfile melos.y*ml .m2 .ivy2 .lein renv`,
  },
  {
    why: "Builds and task runners run the commands in these.",
    names: `
      makefile makefile.* gnumakefile gnumakefile.* *.mk *.mak justfile .justfile *.just taskfile*.y*ml rakefile
      rakefile.* *.rake cmakelists.txt *.cmake cmakepresets.json cmakeuserpresets.json meson.build meson_options.txt
      sconstruct *.gradle gradle-wrapper.* libs.versions.toml buildsrc gradle.properties gradlew gradlew.bat pom.xml
      .mvn mvnw mvnw.cmd build.xml project.clj deps.edn build.rs cargo.toml .cargo build.zig* *.bzl dune-project
      *.targets *.props launchsettings.json *.sln *.slnx global.json directory.build.* dotnet-tools.json *.xcconfig
      *.xcworkspace gulpfile.* gruntfile.* jakefile jakefile.* fabfile.py guardfile capfile fastfile dangerfile
      thorfile magefile.go conanfile.* xmake.lua premake*.lua wscript sconscript configure.ac tasks.toml tasks.py
      duties.py dodo.py pavement.py maskfile.md runfile mise-tasks .mise-tasks mprocs.y*ml cakefile .moon moon.y*ml
      project.json pants*.toml snakefile *.smk dvc.yaml config.ru berksfile appraisals steepfile puppetfile
      policyfile.rb .chef knife.rb molecule cross.toml trunk.toml release.toml bacon.toml .air.toml air.toml modd.conf
      .ko.yaml *.kts *.sbt .jvmopts .sbtopts build.sc *.mill build.boot build.clj user.clj data_readers.clj*
      build.properties local.properties ivy*.xml meta-inf *.bnd *.*proj *.vcxitems *.projitems *.cake *.csx *.tt *.rsp
      psakefile.ps1 *.build.ps1 *.m4 configure.in autogen.sh *.ninja *.wrap meson.options *.pro *.pri *.qbs tupfile*
      tuprules* *.tup jamfile* jamroot* jamrules* *.jam *.bazel .bazel* .buckconfig* *.bxl *.plz .plzconfig* kconfig*
      compile_flags.txt build.pl dist.ini build.jl startup.jl build.yaml project.yml project.swift tuist .swiftpm
      .dart_tool analysis_options.yaml *.nims nim.cfg *.nim.cfg *.hxml *.asd dune-workspace .ocamlinit .merlin
      myocamlbuild.ml _tags bsconfig.json rescript.json matchfile appfile deliverfile gymfile scanfile fastlane
      snapfile pluginfile latexmkrc atlantis.yaml texmf.cnf .arara* magefiles buf.gen*.y*ml sqlc.y*ml anchor.toml
      dioxus.toml rexfile mill.bat .jbang jbang-catalog.json *.*proj.user *.pubxml .nuke shakefile* emakefile
      platformio.ini west.yml build.gn .gn *.gni .gclient presubmit.py workspace.bzlmod doxyfile* book.toml
      antora-playbook*.y*ml *.thor *.fsx *.runsettings coqmakefile* _coqproject wscript_build site_scons esbuild.js drush`,
  },
  {
    why: "Programs that build packages run these, and installers run what is in them.",
    names: `
      debian pkgbuild pkgbuild.* *.install apkbuild *.spec *.ebuild *.eclass *.slackbuild snapcraft.y*ml snap *.iss
      *.nsi *.wxs nfpm.y*ml *.bb *.bbappend *.bbclass meta.yaml recipe.yaml melange.y*ml chocolatey*.ps1 appimage*.yml`,
  },
  {
    why: "JavaScript tools import these, and editors and watchers run the tools while files change.",
    names: `
      *.config.* tsconfig*.json jsconfig*.json biome.json biome.jsonc nodemon.json setuptests.* .storybook
      angular.json .release-it* *.conf.* webpack*.*js webpack*.*ts gatsby-*.*js gatsby-*.*ts .eleventy.*
      ember-cli-build.js testem.js config-overrides.js tslint.json codegen.ts codegen.y*ml .dependency-cruiser.*
      .markdownlint* typedoc.* jsdoc.json .size-limit.* brocfile.js brunch-config.* wallaby.* nest-cli.json jest.*.*js
      jest.*.*ts vitest.*.*js vitest.*.*ts vite.*.*js vite.*.*ts lighthouserc.* electron-builder.* .knip.*
      cypress.json protractor.* .xo-config* jest-preset.* plopfile.* .eslintplugin.* eslint-local-rules* truffle*.js
      ormconfig.* knexfile.* .vitepress .vuepress workspace.json nightwatch.* .hygen.* mocha.opts setupproxy.* fis-conf.js .ember-cli* .angular-cli.json pm2.json
      ecosystem.json codebuff.json .codebuff`,
  },
  {
    why: "Python imports these by itself, or its tools run what they configure.",
    names: `
      conftest.py pyproject.toml sitecustomize sitecustomize.py usercustomize usercustomize.py *.pth tox.ini
      noxfile.py pytest.ini .pytest.ini pylintrc .flake8 mypy.ini .mypy.ini pytest.toml .pytest.toml __pypackages__ .eggs supervisord.conf pelicanconf.py publishconf.py .venv venv .tox .nox
      site-packages requirements*.txt constraints*.txt pipfile poetry.toml uv.toml pdm.toml pip.conf pip.ini
      __pycache__ *.pyc ipython_config.py profile_default jupyter_*_config.py environment.y*ml conf.py setup.py
      setup.cfg hatch.toml hatch_build.py pylock*.toml requirements*.in *.egg-link *.egg-info *.dist-info tox.toml
      pyvenv.cfg locustfile.py mkdocs.y*ml alembic.ini .pythonstartup .ipython .jupyter .sqlfluff fabfile manage.py
      invoke.y*ml celeryconfig.py gunicorn_config.py uwsgi.ini mlproject .dvc dbt_project.y*ml`,
  },
  {
    why: "Tools of other languages run the commands in these if they are started in the same folder.",
    names: `
      .rubocop*.yml spec_helper.rb rails_helper.rb phpunit*.xml* phpstan*.neon* .phan .phpactor.* wp-cli*.y*ml
      .psysh.php phinx.* infection.json* phpspec.y*ml .perldb .solargraph.yml cucumber.y*ml .clj-kondo .ghcid .lintr*
      configure.win configure.ucrt cleanup.win cleanup.ucrt pathdef.m jdb.ini .php-cs-fixer* .iex.exs .formatter.exs
      .credo.exs rebar.config.script bb.edn shadow-cljs.edn profiles.clj .gdbinit .ghci hie.yaml *.cabal
      cabal.project* stack.yaml setup.*hs web.config app.config .rprofile .renviron .htaccess .user.ini *.ps1xml
      ansible.cfg .terraform .terraform.lock.hcl .tflint.hcl terragrunt.hcl .golangci.y*ml .golangci.toml .golangci.json .custom-gcl.y*ml .autotest phpbench.json* .checkov.y*ml .goreleaser*
      .rspec* .simplecov .yardopts .standard.yml .erb-lint.yml .haml-lint.yml test_helper.rb _config.yml rector.php
      ecs.php psalm.xml* phpcs.xml* .phpcs.xml* .php_cs* robofile.php deploy.php castor.php .castor php.ini behat.y*ml
      codeception.y*ml .busted .luacov config.ld config.exs dev.exs prod.exs test.exs runtime.exs test_helper.exs
      .sobelow-conf .erlang vm.args _targets.r _quarto.yml _bookdown.yml makevars* rprofile.site .gdbearlyinit
      *-gdb.py *-gdb.gdb .lldbinit* startup.m finish.m *_plugins .ansible*`,
  },
  {
    why: "Desktops and system services start or obey these, some when the folder is opened.",
    names: `
      desktop.ini *.lnk *.command *.service *.timer *.desktop *.cron *.reg *.scf *.url *.hta *.library-ms *.inf`,
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

/** Characters that HFS+, or ext4 in folders without case, ignore in names. */
const IGNORED = /\p{Default_Ignorable_Code_Point}/gu;
/** Windows ignores dots and spaces at the end of a name, and a colon begins the name of a stream of the same file. */
const WINDOWS_TAIL = /(?<=[^/. ])(?:[. ]*:[^/]*|[. ]+)(?=\/|$)/g;

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
