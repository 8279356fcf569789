import { describe, expect, it } from "vitest";
import { coversCommand } from "./covers-command.ts";

/** In these tables, `D` is `$`: a template literal would interpolate `${`. */
const D = "$";

describe("[P3] [X1] a wildcard that allows", () => {
  it.each([
    ["git *", "git status"],
    ["git *", "git commit -m 'a (b) $HOME'"],
    ["git *", 'git commit -m "a; b | c > d & e (f) # g"'],
    ["git *", 'git commit -m "one\n\ntwo"'],
    ["git *", 'git commit -m "It works! Really!"'],
    ["git *", 'git commit -m "feat!: drop the old name" -- ":!package-lock.json"'],
    ["find *", "find . ! -name '*.ts' -exec grep -l a {} \\;"],
    ["ls *", "ls [!a]*.ts"],
    ["grep *", 'grep "a$" src'],
    ["echo *", "echo !! !touch hello!"],
    ["git *", "git show HEAD^ HEAD~2 a..b @{u} --format=%h,%s"],
    ["git *", "git\tstatus".replace("\t", " \t")],
    ["ls *", "ls *.ts src/**/?[a-z].js"],
    ["ls *", "ls ~ ~/src ~root"],
    ["ls *", "ls {a,b}.ts {1..3}"],
    ["echo *", 'echo "$HOME"'],
    ["echo *", "echo $HOME/$USER a$HOME"],
    ["echo *", 'echo "cost: \\$5" it\\\'s \\"a\\" \\\\'],
    ["echo *", "echo Grüße 日本 '“a”' 👩"],
    ["echo *", "echo a#b http://localhost/#c a=b ]"],
    ["echo *", "echo '$(touch a)' '`touch a`' \"\\`touch a\\`\" \\$\\(touch a\\)"],
    ["echo *", "echo if then eval"],
    ["npm*", "npm"],
    ["npm*", "npm run build"],
    ["* --help", "git --help"],
    ["* --help", "npm run build --help"],
    ["./run.sh *", "./run.sh a"],
    ['"./my script" *', '"./my script" a'],
    ["git?status", "git status"],
    ["printf *", "printf '%s\\n' a 'b c'"],
    ["test *", "test -f a.ts"],
    ["[ *", "[ -f a.ts ]"],
    ["command -v *", "command -v node"],
    ["git *; echo done", "git status; echo done"],
    ["cd web && npm *", "cd web && npm test"],
    ["npm test* 2>&1 | tail *", "npm test -- a 2>&1 | tail -n 5"],
    ["npm test* > out.log", "npm test a > out.log"],
    ["CI=1 npm *", "CI=1 npm test"],
    ["grep * || true", "grep -rn 'TODO' . || true"],
    // A rule without a wildcard allows exactly its text, whatever it contains.
    ["echo a; rm b", "echo a; rm b"],
    [`echo ${D}{x@P}`, `echo ${D}{x@P}`],
    ["ls [*]", "ls *"],
    ["echo 'open", "echo 'open"],
  ])("%j covers %j", (match, command) => {
    expect(coversCommand(match, command, "allow")).toBe(true);
  });

  it.each([
    // Lists, pipes, redirections, substitutions.
    "echo a; touch a",
    "echo a && touch a",
    "echo a || touch a",
    "echo a & touch a",
    "echo a &",
    "echo a | touch a",
    "echo a\ntouch a",
    "echo a\n",
    "echo \ntouch a",
    "echo a\rtouch a",
    "echo $(touch a)",
    'echo "$(touch a)"',
    "echo `touch a`",
    'echo "`touch a`"',
    "echo <(touch a)",
    "echo >(touch a)",
    "echo > ~/.bashrc",
    "echo a 2>&1",
    "echo < a",
    "echo <<E\n$(touch a)\nE",
    "echo <<< a",
    // Expansions.
    `echo ${D}{x:=\\$\\(touch a\\)}${D}{x@P}`,
    `echo ${D}{a:=b[\\$\\(touch a\\)]}$[a]`,
    `echo ${D}{a:=b[\\$\\(touch a\\)]}${D}{!a}`,
    `echo ${D}{HOME}`,
    `echo "${D}{HOME}"`,
    `echo ${D}{ touch a; }`,
    `echo ${D}{| touch a; }`,
    "echo $((a))",
    "echo $[a]",
    'echo "$[a]"',
    "echo $HOME[a]",
    'echo "$HOME[a]"',
    "echo $1",
    "echo $@",
    "echo $*",
    "echo $?",
    "echo $!",
    "echo $$",
    "echo $-",
    "echo $",
    'echo "$" "a$b$[a]"',
    'echo "a$\'"',
    // Bash expands braces first, which produces $[b].
    "echo {$,a}[b]",
    "echo {$HOME,a}",
    "echo $'a\\nb'",
    'echo $"a"',
    // Other syntax that is not plain.
    "echo # a",
    "echo @(a|b)",
    "echo !(a)",
    "echo a=(b)",
    "echo () { touch a; }",
    "echo () (touch a)",
    "echo a \\\ntouch",
    'echo "a\\\nb"',
    "echo a \\",
    "echo 'a",
    'echo "a',
    "echo a'",
    "echo \0",
    "echo 'a\0b'",
    "echo 'a\x1bb'",
    "echo a\u00a0b",
    "echo a\u2028touch a",
    "echo \ud800",
    // Some legacy encodings read the backslash as part of the character before it.
    'echo "あ\\"',
    'echo "あ\\"; touch a; \\""',
  ])("`echo *` does not cover %j", (command) => {
    expect(coversCommand("echo *", command, "allow")).toBe(false);
    expect(coversCommand("echo*", command, "allow")).toBe(false);
    expect(coversCommand("e*", command, "allow")).toBe(false);
    expect(coversCommand("**", command, "allow")).toBe(false);
    expect(coversCommand(command.replaceAll(/[*?]/g, "[$&]"), command, "allow")).toBe(true);
  });

  it.each([
    // The program is not literal.
    ["* --help", "$X --help"],
    ["* --help", "~/x --help"],
    ["* --help", "./* --help"],
    ["*ouch a", "tou[c]h; touch a"],
    ["* a", "tou?h a"],
    ["* a", "{touch,b} a"],
    ["* --help", "{touch,a,--help} --help"],
    ["* --help", "A=b touch --help"],
    ["* --help", "A+=b touch --help"],
    ["* --help", "a[0]=b touch --help"],
    ["* --help", "! touch --help"],
    ["* --help", "!touch --help"],
    ["* --help", "a!b --help"],
    ["* --help", "{ touch --help"],
    ["* --help", "time touch --help"],
    ["* --help", "coproc touch --help"],
    ["* --help", "function touch --help"],
    ["* --help", "[[ a --help"],
    ["* --help", "if touch --help"],
    ["* --help", "%1 --help"],
    // The program would evaluate plain arguments as code.
    ["* --help", "eval 'touch a' --help"],
    ["* --help", "\\eval 'touch a' --help"],
    ["* --help", "e'va'l 'touch a' --help"],
    ["* --help", "command eval 'touch a' --help"],
    ["* --help", "builtin -- eval 'touch a' --help"],
    ["eval *", "eval 'touch a'"],
    ["let *", "let 'a[$(touch a)]'"],
    ["trap *", "trap 'touch a' EXIT"],
    ["declare *", "declare 'a[$(touch a)]=1'"],
    ["printf *", "printf -v 'a[$(touch a)]' b"],
    ["printf *", "printf '-va[$(touch a)]' b"],
    ["printf *", "printf -v a\\[b\\] c"],
    ["printf *", "printf -v * b"],
    ["printf *", "printf $A b"],
    ["command *", "command printf -v 'a[$(touch a)]' b"],
    ["test *", "test -v 'a[$(touch a)]'"],
    ["test *", "test $PWD"],
    ["test *", 'test -v "$A"'],
    ["[ *", "[ -v 'a[$(touch a)]' ]"],
    ["[ *", "[ a -o -v ? ]"],
    ["read *", "read 'a[$(touch a)]'"],
    ["unset *", "unset 'a[$(touch a)]'"],
    // Each part of a rule covers one part of a command line; number and kind of the parts must be equal.
    ["git *", "git status; rm -rf ~"],
    ["git *; echo done", "git status; rm x; echo done"],
    ["git *; echo done", "git status && echo done"],
    ["git * && echo done", "git status || echo done"],
    ["git * | cat", "git log | sh | cat"],
    ["git * > out.log", "git log > out.log > ~/.bashrc"],
    ["git * > *", "git log > ~/.bashrc"],
    // Bash stores the number of the file descriptor in this variable, and evaluates the subscript.
    ["echo *> out.log", "echo {a['b[$(touch a)]']}> out.log"],
    ["echo *>&1", "echo {a[b]}>&1"],
    ["echo *</dev/null", "echo {a}</dev/null"],
    ["CI=1 npm *", "CI=1 A=b npm test"],
    ["A=* npm test", "A=b npm test"],
    ["echo $(*)", "echo $(touch a)"],
    ["echo `*`", "echo `touch a`"],
    ['echo "$(date) *"', 'echo "$(date) $(touch a)"'],
    // A quote in the text that matches the wildcard would turn the quoted `|` of the rule into a pipe.
    ['echo * "a|touch a" *', 'echo " "a|touch a" "'],
    ["echo * 'a;touch a' *", "echo ' 'a;touch a' '"],
    ['echo * "a > b" *', 'echo " "a > b" "'],
    ["git?status", "git\nstatus"],
  ])("%j does not cover %j", (match, command) => {
    expect(coversCommand(match, command, "allow")).toBe(false);
  });

  it("takes time linear in the length of the command", () => {
    expect(coversCommand("echo *", `echo ${"'a' ".repeat(25_000)}`, "allow")).toBe(true);
    expect(coversCommand("echo *", `echo ${"\\".repeat(100_001)}`, "allow")).toBe(false);
    expect(coversCommand("echo *", `echo ${'"'.repeat(100_001)}`, "allow")).toBe(false);
    expect(coversCommand("echo *", `echo ${"1".repeat(100_000)}>`, "allow")).toBe(false);
  });

  it("covers no command that is too long to parse", () => {
    for (const text of ["a", "'a'", "{", "$a", "1 "]) {
      expect(coversCommand("echo *", `echo ${text.repeat(12_000_000 / text.length)}`, "allow")).toBe(false);
    }
  });

  it("covers only letters, digits and a few other characters if PowerShell may run the command", () => {
    const onWindows = (command: string): boolean => coversCommand("echo *", command, "allow", "win32");
    expect(onWindows("echo -n a.ts src/b.ts C:\\c d=e,f")).toBe(true);
    expect(onWindows('echo "a\\"; touch b; \\"c"')).toBe(false);
    expect(onWindows("echo 'a’; touch b; ‘c'")).toBe(false);
    expect(onWindows("echo $HOME")).toBe(false);
    expect(coversCommand("echo 'a'", "echo 'a'", "allow", "win32")).toBe(true);
  });
});

describe("[P3] [X1] a rule that denies or asks", () => {
  it.each([
    ["rm *", "rm -rf ~", true],
    ["rm *", "echo a; rm -rf ~", true],
    ["rm *", "true&&rm -rf ~", true],
    ["rm *", "(rm -rf ~)", true],
    ["rm *", "echo $(rm -rf ~)", true],
    ["rm *", "echo a\nrm -rf ~", true],
    ["rm *", "echo 'a; rm b'", true],
    ["rm *", `echo ${D}{x:=\`rm b\`}`, true],
    ["*secret*", "cat a; cat secret", true],
    ["*@P*", `echo ${D}{x@P}`, true],
    ["rm *", "echo rm", false],
  ])("%j covers %j: %s", (match, command, expected) => {
    expect(coversCommand(match, command, "deny")).toBe(expected);
    expect(coversCommand(match, command, "ask")).toBe(expected);
  });
});
