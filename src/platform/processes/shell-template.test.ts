import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { runProcess } from "./run-process.ts";
import { compileTemplate, type TemplateValue } from "./shell-template.ts";
import type { TemplatePart } from "./shell-words.ts";

/** `<x>` is a placeholder for a value. */
function parts(template: string): TemplatePart[] {
  return template.split(/(<\w+>)/).map((part) => (/^<\w+>$/.test(part) ? { value: part.slice(1, -1) } : part));
}

/** A program that prints its arguments, each with a NUL after it. */
const folder = mkdtempSync(join(tmpdir(), "toolwright-shell-"));
const PRINT = join(folder, "print");
writeFileSync(PRINT, "#!/bin/sh\nfor each; do printf '%s\\0' \"$each\"; done\n", { mode: 0o755 });
afterAll(() => rmSync(folder, { recursive: true }));

async function run(template: string, values: Record<string, TemplateValue> = {}): Promise<string> {
  const { command, args } = compileTemplate(parts(template.replaceAll("PRINT", PRINT))).bind((name) => values[name]);
  const { stdout, stderr } = await runProcess(command, args, { cwd: import.meta.dirname });
  return stdout + stderr;
}

async function printed(template: string, values?: Record<string, TemplateValue>): Promise<string[]> {
  return (await run(template, values)).split("\0").slice(0, -1);
}

const VALUES: readonly string[] = [
  "plain",
  "two words",
  "it's",
  '"',
  "'; echo pwned; '",
  '"; echo pwned; "',
  "$(echo pwned)",
  "`echo pwned`",
  "; echo pwned",
  "a\nb; echo pwned",
  "--option",
  "-x",
  "*",
  "[a-z]*.ts",
  "~",
  "“quotes” ‘too’",
  "$IFS",
  "$" + "{x}",
  "$1",
  "\\",
  "a\\\\b\\",
  "!",
  "!!",
  "%s%n",
  "\t",
  "",
  " ",
  "a=b",
  "#no comment",
  "& | > /tmp/x < (",
  "{a,b}",
  "__toolwright_1",
  "é\u{1F600}",
];

const POSITIONS: readonly (readonly [title: string, template: string, expected: (value: string) => unknown])[] = [
  ["bare", "PRINT <x>", (x) => [x]],
  ["between others", "PRINT a <x> b", (x) => ["a", x, "b"]],
  ["in single quotes", "PRINT 'a <x> b'", (x) => [`a ${x} b`]],
  ["in double quotes", 'PRINT "a <x> b"', (x) => [`a ${x} b`]],
  ["inside a shell word", "PRINT --x=<x>.ts", (x) => [`--x=${x}.ts`]],
  ["inside a shell word with quotes", "PRINT a'b'<x>\"c\"", (x) => [`ab${x}c`]],
  ["after backslashes", "PRINT \\\\<x> '\\<x>'", (x) => [`\\${x}`, `\\${x}`]],
  ["twice", "PRINT <x>'<x>'", (x) => [x + x]],
  ["in a script with pipes", "PRINT <x> | cat || true", (x) => [x]],
  ["in single quotes of a script", "true && PRINT 'a<x>'", (x) => [`a${x}`]],
  ["in double quotes of a script", 'true; PRINT "a<x>"', (x) => [`a${x}`]],
  ["inside $(…)", 'PRINT "$(printf %s. <x>)"', (x) => [`${x}.`]],
  ["quoted inside $(…)", 'PRINT "$(printf %s. \'<x>\' "$(printf %s <x>)")"', (x) => [`${x}.${x}.`]],
  ["in an assignment", 'X=<x>; PRINT "$X"', (x) => [x]],
  ["in a subshell", "(cd /; PRINT <x>)", (x) => [x]],
  ["in a function", 'f() { PRINT "$1" <x>; }; f own', (x) => ["own", x]],
  ["after set --", "set -- a b; shift; PRINT $1 <x>", (x) => ["b", x]],
  ["in a loop", 'for i in <x> 2; do PRINT "$i"; break; done', (x) => [x]],
  ["in a case", "case <x> in <x>) PRINT same;; *) PRINT other;; esac", () => ["same"]],
  ["beside a comment", "PRINT a # <x>", () => ["a"]],
  ["beside an expansion", "PRINT $" + "{HOME:-x}<x> $((1 + 2))", (x) => [`${process.env.HOME}${x}`, "3"]],
  ["beside backticks", "PRINT `echo a` <x>", (x) => ["a", x]],
];

describe("values", () => {
  it.each(POSITIONS)("[A6] [X1] %s arrive unchanged", async (_title, template, expected) => {
    for (const value of VALUES) expect(await printed(template, { x: value })).toEqual(expected(value));
  });

  it("[A6] several values are several arguments if the placeholder is a whole shell word, otherwise one", async () => {
    const list = ["a b", "$(c)"];
    for (const end of ["", " | cat"]) {
      expect(await printed(`PRINT <x> '<x>' -<x>${end}`, { x: list })).toEqual([...list, "a b $(c)", "-a b $(c)"]);
    }
  });

  it("[A6] that are missing are empty inside quotes; elsewhere their shell word is dropped", async () => {
    for (const end of ["", " || true"]) {
      expect(await printed(`PRINT '<x>' a <x> --x=<x> "<x>"${end}`)).toEqual(["", "a", ""]);
    }
    expect(await printed('PRINT "$(echo a <x> b)"')).toEqual(["a b"]);
  });

  it.each([["<x> a"], ["true; X=1 <x> a"], ["true | ! <x>"], ["PRINT > <x>"], ["2>/dev/null <x> a"]])(
    "[A6] that are missing never produce another command: %s",
    async (template) => {
      await expect(run(template)).rejects.toThrow('The command cannot be run without "x". Send a value for it.');
    },
  );
});

describe("forms", () => {
  it.each([
    ["git log -n <x>", true],
    ["git 'log' \"a\\$b\" c\\ d", true],
    ["a | b", false],
    ["ls *.ts", false],
    ["echo $HOME", false],
    ["cd /", false],
    ["A=b c", false],
    ["ls ~", false],
    ["a\nb", false],
  ])("[A6] %j needs no shell: %s", (template, plain) => {
    expect(compileTemplate(parts(template)).plain).toBe(plain);
  });

  it("[A6] without a placeholder may contain any shell syntax", async () => {
    expect(await run("cat <<E\nit's $((1 + 1))\nE")).toBe("it's 2\n");
    expect(await run("echo 'open")).toMatch(/[Uu]nterminated|unexpected EOF/);
  });

  it("[P3] are shown as an equivalent command line", async () => {
    const template = compileTemplate(parts("printf '%s|' <x> '<x>' \"<x>\" <y> | cat"));
    const line = template.readable((name) => (name === "x" ? 'it\'s "$HOME"' : undefined));
    expect(line).toBe(`printf '%s|' 'it'\\''s "$HOME"' 'it'\\''s "$HOME"' "it's \\"\\$HOME\\""  | cat`);
    expect((await runProcess("/bin/sh", ["-c", line], { cwd: "/" })).stdout).toBe('it\'s "$HOME"|'.repeat(3));
  });
});

describe("templates that are unsafe are refused", () => {
  const SCRIPT = `{{x}} is in a script for another shell, which would read it as code. Pass it to that script as an argument: sh -c 'grep "$1" file' sh {{x}}.`;
  it.each([
    [
      "cat <<E\n<x>\nE",
      "{{x}} is in or after a here-document (\"<<\"), where it cannot be filled in safely. Write printf -- '%s' {{x}} | … instead.",
    ],
    ["echo `cat <x>`", "{{x}} is in backticks, where it cannot be filled in safely. Write $(…) instead."],
    ['echo "`cat <x>`"', "{{x}} is in backticks, where it cannot be filled in safely. Write $(…) instead."],
    ["echo $((<x> + 1))", "{{x}} is in $((…)), where it would be read as an expression. Move it out of there."],
    [
      "echo $" + "{y:-<x>}",
      "{{x}} is in the braces after a $, where it cannot be filled in safely. Move it out of there.",
    ],
    [
      "echo $'a' <x>",
      "A command with {{…}} cannot have $'…': shells do not agree on where it ends. Use plain quotes, or put the command into a script file.",
    ],
    ["echo \\<x>", `A "\\" is right before {{x}}. Remove it; for the character itself, put '\\' in single quotes.`],
    ['echo "\\<x>"', `A "\\" is right before {{x}}. Remove it; for the character itself, put '\\' in single quotes.`],
    ["echo $<x>", `A "$" is right before {{x}}. Remove it; for the character itself, put '$' in single quotes.`],
    ["eval <x>", '{{x}} cannot be an argument of "eval", which would read it as shell code. Use another command.'],
    [
      "true && command eval a '<x>'",
      '{{x}} cannot be an argument of "eval", which would read it as shell code. Use another command.',
    ],
    ["[[ <x> -eq 1 ]]", '{{x}} cannot be an argument of "[[", which would read it as shell code. Use another command.'],
    ...['command -p eval "<x>"', "time -p eval <x>"].map((template) => [
      template,
      '{{x}} cannot be an argument of "eval", which would read it as shell code. Use another command.',
    ]),
    ["[ -v <x> ]", '{{x}} cannot be an argument of "[", which would read it as shell code. Use another command.'],
    [
      "f() { local <x>; }",
      '{{x}} cannot be an argument of "local", which would read it as shell code. Use another command.',
    ],
    ...["((<x> + 1))", "for ((i = 0; i < <x>; i++)); do echo; done", '(( "$(echo <x>)" ))'].map((template) => [
      template,
      "{{x}} is in ((…)), where it would be read as an expression. If these are subshells, put a space between the brackets; else move it out of there.",
    ]),
    ...[
      "n=<x>; echo $((n + 1))",
      'export n="$(echo <x>)"; echo $((n))',
      "for n in a <x>; do echo $((2*n)); done",
      "set -- <x>; echo $(($1 + 1))",
      "echo <x> | while read -r n; do ((n > 1)); done",
    ].map((template) => [
      template,
      "{{x}} gets into $((…)), where some shells would read it as code. Calculate with expr, or put the command into a script file.",
    ]),
    ...["a[<x>]=1", "a=([<x>]=1)"].map((template) => [
      template,
      "{{x}} is in a subscript, which some shells would read as code. Put the command into a script file.",
    ]),
    [
      'echo "$(case a in a) echo "<x>";; esac)"',
      'A command with {{…}} cannot have a case in "$(…)" with patterns like a): shells do not agree on where it ends. Write (a), or put the command into a script file.',
    ],
    [
      "echo $[<x>]",
      "A command with {{…}} cannot have $[…]: shells do not agree on where it ends. Write $((…)), or put the command into a script file.",
    ],
    ...["sh -c 'echo <x>'", "sh -ce 'echo <x>'", "sh -c -o errexit -- 'echo <x>'", "\"$SHELL\" -c 'echo <x>'"].map(
      (template) => [template, SCRIPT],
    ),
    ['env A=b /bin/bash -ec "echo <x>"', SCRIPT],
    ["find . -exec sh -c 'echo <x>' \\;", SCRIPT],
    ["echo '<x>", "A ' is not closed. Add its end."],
    ['echo "<x>', 'A " is not closed. Add its end.'],
    ["echo $(cat <x>", '"$(" is not closed. Add the missing ")".'],
    ["echo <x> \\", "The command ends with a backslash. Remove it."],
    ["  ", "The command is empty. Write what is to be run."],
  ])("[A6] [X1] %j", (template = "", message) => {
    expect(() => compileTemplate(parts(template))).toThrow(message);
  });

  it("[A6] templates in which no value is evaluated as code are accepted", async () => {
    expect(await run("i=0; while [ $i -lt <x> ]; do i=$((i + 1)); done; echo $i", { x: "3" })).toBe("3\n");
    expect(await run('echo "$(case <x> in (a|b) echo "<x> <x>";; (*) echo no;; esac)"', { x: "b" })).toBe("b b\n");
    expect(await run("( (echo <x>) )", { x: "$(id)" })).toBe("$(id)\n");
    expect(() => compileTemplate(parts("sh ./count.sh -c 'a<x>'"))).not.toThrow();
  });

  it("[A6] a template may pass a constant script to another shell", async () => {
    expect(await run("sh -c <x>", { x: "echo $((1 + 1))" })).toBe("2\n");
    expect(await run("sh -c 'echo \"$1\"' sh <x>", { x: "$(id)" })).toBe("$(id)\n");
  });
});
