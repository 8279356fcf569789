import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporary } from "../../test/support/temporary.ts";
import type { CodeSources } from "../catalog/discovery/code-sources.ts";
import { createCodeCheck } from "./auto-run-files.ts";

const NOTHING: CodeSources = { folders: [], files: [], unread: [], loaded: [], declared: [], commands: [] };

/** Separates paths. One of them contains a space. */
const paths = (text: string): string[] => text.split(/ (?!scripts|b\.sh)/).filter(Boolean);

describe("[P3] [P4] [X1] what the command of a hook names, with everything below it", () => {
  it.each<[command: string | string[], asked: string, free: string]>([
    [
      "node hooks/check.mjs",
      "hooks/check.mjs hooks/check.ts HOOKS/Check.mjs hooks/../hooks/check.mjs",
      "hooks/lib.mjs",
    ],
    [["node", "--require=./preload.cjs", "hooks/check.mjs"], "preload.cjs hooks/check.mjs", "check.mjs"],
    ["node plain", "plain.js plain.ts plain/index.js", "other.js"],
    ["node -r./pre.js x.js", "pre.js x.js", "y.js"],
    ["ruby -Ilib -rguard -e 1", "lib/a.rb guard.rb", "libs/a.rb"],
    ["python3 -m guard.main", "guard/main.py guard/__init__.py guard/rules.py", "main.py"],
    ["python3 -c 'import guard.rules'", "guard/rules.py guard/__init__.py", "rules.py"],
    ["node -e 'import(\"./hooks/x.mjs\")'", "hooks/x.mjs", "hooks/y.mjs"],
    [["node", "-e", "require('./hooks/x')"], "hooks/x.js hooks/x/index.js", "hooks/y.js"],
    ["sh hooks/not/there/yet.sh", "hooks/not/there/yet.sh", "hooks/not/there/other.sh"],
    ["sh my\\ scripts/a\\ b.sh", "my scripts/a b.sh", "my scripts/c.sh"],
    ["sh 'my scripts/a b.sh'", "my scripts/a b.sh", "my scripts/c.sh"],
    ['sh hooks/che"ck".sh', "hooks/check.sh", "hooks/x.sh"],
    ["sh hooks/chec\\k.sh", "hooks/check.sh", "hooks/x.sh"],
    ["sh hooks/$'chec'k.sh", "hooks/check.sh", "src/x.sh"],
    [". ./hooks/env.sh", "hooks/env.sh", "hooks/x.sh"],
    ["source hooks/env.sh && . hooks/two", "hooks/env.sh hooks/two", "hooks/x.sh"],
    ["sh < hooks/in.sh", "hooks/in.sh", "hooks/x.sh"],
    ["cat hooks/a | sh", "hooks/a", "hooks/x"],
    ["sh hooks/a,b=c.sh", "hooks/a,b=c.sh", "hooks/x.sh"],
    // A folder covers everything below it.
    ["node tool", "tool/index.js tool/deep/run.js tool/package.json", "tools/run.js"],
    ["go run ./cmd/server", "cmd/server/main.go cmd/server/new/x.go", "cmd/other/main.go"],
    ["cd in/a && ./dir.sh", "in/a/dir.sh in/a/other.sh", "in/b.sh"],
    ["cd in && cd a; ./dir.sh", "in/a/dir.sh", "src/b.sh"],
    ["cd in/a && ../b.sh", "in/b.sh", "src/b.sh"],
    ["cd in/a && ../../hooks/b.sh", "hooks/b.sh", "src/b.sh"],
    ["cd in/a; cd ../b; ./c.sh", "in/b/c.sh", "src/b.sh"],
    ["make -C tools/build check", "tools/build/x tools/build/deep/x", "tools/x"],
    ["bun run src", "src/index.ts src/a/b.ts", "lib/a.ts"],
    ["npx eslint src", "src/a.ts", "lib/a.ts"],
    ["npm --prefix tools run x", "tools/a.js", "src/a.js"],
    ["node .", "index.js src/a.ts docs/guide.md", ""],
    ['cd "$PWD" && node .', "index.js src/a.ts", ""],
    ['node "$(pwd)"', "index.js src/a.ts", ""],
    // Globs.
    ["for f in hooks/*.sh; do sh $f; done", "hooks/a.sh hooks/new.py hooks/deep/x", "src/a.sh"],
    ["run-parts hooks/[a-z]*", "hooks/a hooks/deep/x", "src/a"],
    ["sh hooks/chec?.sh", "hooks/check.sh", "src/check.sh"],
    ["sh hooks/{a,b}.sh", "hooks/a.sh hooks/b.sh", "src/b.sh"],
    ["sh chec[k].sh", "check.sh", "src/check.sh other.sh"],
    ["sh *.sh", "check.sh", "src/check.sh a.ts"],
    ["sh */run.sh", "src/run.sh", ""],
    ["sh **/run.sh", "src/deep/run.sh", ""],
    ["find hooks -name '*.sh' -exec sh {} +", "hooks/deep/a.sh", "src/a.ts"],
    // Variables.
    ['sh "$PWD/hooks/run.sh"', "hooks/run.sh", "hooks/x.sh"],
    [`sh "\${PWD}/hooks/run.sh"`, "hooks/run.sh", "hooks/x.sh"],
    ['sh "$(git rev-parse --show-toplevel)/hooks/run.sh"', "hooks/run.sh", "hooks/x.sh"],
    ["sh $CLAUDE_PROJECT_DIR/hooks/run.sh", "hooks/run.sh", "hooks/x.sh"],
    ["sh ~/code/project/hooks/run.sh", "hooks/run.sh", "hooks/x.sh"],
    ["sh $HOME/code/project/hooks/run.sh", "hooks/run.sh", "hooks/x.sh"],
    ["D=hooks; sh $D/run.sh", "hooks/run.sh", "src/run.sh"],
    ["F=run; sh hooks/$F.sh", "hooks/run.sh", "src/run.sh"],
    [`sh \${DIR:-hooks}/run.sh`, "hooks/run.sh", "src/run.sh"],
    ["node file://$PWD/hooks/run.mjs", "hooks/run.mjs", "hooks/x.mjs"],
    // PATH and its like.
    ['PATH="$PWD/bin:$PATH" check', "bin/check bin/new", "src/check.ts"],
    ["PATH=bin:tools/bin:$PATH check", "bin/check tools/bin/check", "tools/x"],
    ["env PYTHONPATH=lib:vendor/py python3 -m x", "lib/a.py vendor/py/a.py", "vendor/x"],
    ["export NODE_OPTIONS='--import ./hooks/pre.mjs'; node x.js", "hooks/pre.mjs", "hooks/x.mjs"],
    ["java -cp build:out/classes Main", "out/classes/Main.class", "src/Main.java"],
    ["sh -c 'cd hooks && exec ./run'", "hooks/run", "src/run"],
    ["bash <<'E'\nsh hooks/run.sh\nE", "hooks/run.sh", "hooks/x.sh"],
    ["hooks/`echo run`.sh", "hooks/run.sh", "src/run.sh"],
    // Other ways to write them.
    ["java @hooks/args Main", "hooks/args", "src/args"],
    ["sed -nfhooks/x.sed", "hooks/x.sed", "src/x.sed"],
    ["perl -wIlib x.pl", "lib/a.pm x.pl", "src/a.pm"],
    ["sh ho[[:alpha:]]ks/a.sh", "hooks/a.sh", "src/a.sh"],
    ["sh [[:alpha:]]ooks/a.sh", "hooks/a.sh", "src/a.sh"],
    ["sh hoo\\\nks/run.sh", "hooks/run.sh", "src/run.sh"],
    ["git -c alias.x='!hooks/fs' x", "hooks/fs", "src/fs"],
    ["bash -c \"sh 'my scripts/a.sh'\"", "my scripts/a.sh", "src/a.sh"],
    ["go run ./...", "x.go cmd/a.go", ""],
    ["go vet cmd/...", "cmd/a.go", "src/a.go"],
    ["sh %PROJECT%/hooks/run.sh", "hooks/run.sh", "hooks/x.sh"],
    ["%PROJECT%\\hooks\\run.cmd", "hooks/run.cmd", "hooks/x.cmd"],
    [".\\hooks\\run.cmd", "hooks/run.cmd", "hooks/x.cmd"],
  ])("%j", (words, asked, free) => {
    const root = temporary();
    const runs = createCodeCheck({ ...NOTHING, commands: [{ words, folder: root }] }, [root]);
    const found = [...paths(asked), ...paths(free)].filter((path) => runs(join(root, path)));
    expect(found).toEqual(paths(asked));
  });

  it.each<[why: string, command: string]>([
    ["a filter of jq", "jq -r '.tool_input.file_path // empty' | xargs npx prettier --write"],
    ["a condition", '[ -f "$FILE" ] && [[ $x == y ]] && { echo \'{"decision":"block","reason":"no"}\'; exit 2; }'],
    ["a program of awk", "awk '{print $1}' | sed 's/x.*//' | tr / _"],
    ["variables only", 'for f in "$@"; do prettier --write "$f"; done; echo $? $X `date`'],
    ["programs of the system", "/usr/bin/env bash -c 'command -v node >/dev/null 2>&1 || exit 0'"],
    ["a URL", "curl -s https://example.com/hook?x=1 -d @-"],
  ])("names no ordinary file: %s", (_, words) => {
    const root = temporary();
    const runs = createCodeCheck({ ...NOTHING, commands: [{ words, folder: root }] }, [root]);
    expect(["src/a.ts", "README.md", "lib/b.py", "docs/guide.md"].filter((path) => runs(join(root, path)))).toEqual([]);
  });
});
