import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporary } from "../../../test/support/temporary.ts";
import { findProgram } from "./find-program.ts";
import { runProcess } from "./run-process.ts";
import { compileTemplate } from "./shell-template.ts";
import type { TemplatePart } from "./shell-words.ts";
import { TemplateProblem } from "./template-problem.ts";

/** `<x>` is a placeholder for a value. */
function parts(template: string): TemplatePart[] {
  return template.split(/(<x>)/).map((part) => (part === "<x>" ? { value: "x" } : part));
}

/** Each value runs `touch` if a shell evaluates it. */
const VALUES: readonly string[] = [
  "a[$(touch made)]",
  "a[`touch made`]=1",
  "$(touch made)",
  "; touch made;",
  "[$(touch made)]=1",
  "-va[$(touch made)]",
  "x -o -v a[$(touch$" + "{IFS}made)] -o x",
];

/** Links named `sh` to each installed shell, because the handler runs `sh`. */
function shellsHere(folder: string): string[] {
  return ["bash", "dash", "busybox"].flatMap((name) => {
    const program = findProgram(name, process.env, folder);
    if (program === undefined) return [];
    mkdirSync(join(folder, name));
    symlinkSync(program, join(folder, name, "sh"));
    return [join(folder, name, "sh")];
  });
}

const D = "$";
const EVALUATED: readonly string[] = [
  ...["printf -v <x> hi", "printf -v '<x>' hi", "printf -v<x> hi", 'printf "-v<x>" hi', 'printf -v "$(echo <x>)" hi'],
  ...['n=<x>; printf -v "$n" hi', 'n=<x>; printf "$n" hi', "n=<x>; printf $n hi", "n=<x>; builtin printf -v$n hi"],
  ...["test -v <x>", "test ! -v '<x>'", "[ -v <x> ]", "[ a -o -v <x> ]", 'test -v "$(echo <x>)"'],
  ...['n=<x>; test -v "$n"', "n=<x>; [ $n = a ]", "n=<x>; [ -v $n ]", "n=<x>; test $n"],
  ...["[[ <x> -eq 1 ]]", "n=<x>; [[ $n -eq 1 ]]", "n=<x>; [[ n -gt 1 ]]", "n=<x>; [[ -v $n ]]"],
  ...["let <x>", "let m=<x>", "n=<x>; let m=n+1", "n=<x>; let 'm = n'", "n=<x>; let $n"],
  ...["declare <x>=1", "declare -i m=<x>", "n=<x>; declare -i m=n", "n=<x>; typeset -i m=$n", 'n=<x>; declare "$n=1"'],
  ...["read <x>", 'n=<x>; read "$n"', "unset <x>", 'n=<x>; unset "$n"', "n=<x>; f() { local $n; }; f"],
  ...["export <x>=1", "readonly <x>", 'n=<x>; export "$n=1"'],
  ...[`n=<x>; echo ${D}{!n}`, `n=<x>; echo ${D}{n@P}`, `n=<x>; echo "${D}{n@P}"`, `n=<x>; echo ${D}{a[n]}`],
  ...[
    `n=<x>; echo ${D}{HOME:n}`,
    `n=<x>; echo ${D}{HOME:0:n}`,
    `n=<x>; echo ${D}{#a[n]}`,
    `set -- <x>; echo ${D}{1@P}`,
  ],
  ...[`set -- <x>; echo ${D}{!1}`, "n=<x>; a[n]=1", "n=<x>; a[$n]=1", "n=<x>; a[1 + n]+=1", "a=(<x>)", "a=('<x>' b)"],
  ...["n=<x>; m=$n; echo $((m))", 'n=<x>; m="b"; export m="$n"; o=$m; ((o))', "printf -v m %s <x>; echo $((m))"],
  ...['n=<x>; eval "echo $n"', 'eval "$(echo <x>)"', "n=<x>; eval $n", 'n=<x>; trap "echo $n" EXIT', "trap '<x>' EXIT"],
  ...['sh -c "$(echo <x>)"', 'n=<x>; sh -c "echo $n"', 'n=<x>; bash -ec "echo $n"', 'n=<x>; env sh -c "$n"'],
  ...["f() { echo $(($1)); }; f <x>", `f() { echo ${D}{a[$1]}; }; f <x>`, 'f() { eval "$1"; }; f <x>'],
  ...["for n in <x>; do echo $((n)); done", "echo <x> | { read -r n; echo $((n)); }", "n=$(echo <x>); echo $((n))"],
  ...["mapfile -C <x> -c 1 a", "wait -n -p <x>", "getopts a <x>", "alias a=<x>", "compgen -W <x>", "echo $(( <x> ))"],
  ...[
    "a[$(echo <x>)]=1",
    "[ $(echo <x>) = a ]",
    "test $(echo '<x>')",
    'printf "$(echo <x>)" hi',
    "printf $(echo <x>) hi",
  ],
  ...[
    "b=1 a[$(echo <x>)]=1",
    "n=<x>; b=1 a[n]=1",
    'a["$(echo <x>)"]=1',
    "n=<x>; a[b[n]]=1",
    "n=<x>; a[ n ]=1",
    "n=<x>; a[1]=2 b[n]=3",
  ],
  ...["n=; n+=<x>; echo $((n))", "export n+=<x>; echo $((n))", "n+=<x>; m=$n; echo $((m))"],
  // The last argument of the previous command.
  ...[": <x>; echo $((_))", ": <x>; echo $(($_))", `: <x>; echo ${D}{!_}`, ': <x>; test -v "$_"'],
  ...[": <x>; n=$_; echo $((n))", `: <x>; n=${D}{_}; echo $((n))`, ": <x>; let m=_"],
  ...["echo <x> | { read; echo $((REPLY)); }", "echo <x> | { read -r; n=$REPLY; echo $((n)); }"],
  ...["f() { local -i n=<x>; }; f", "f() { local -n n=<x>; n=1; }; f", "n=<x>; f() { local -ri m=$n; }; f"],
  ...["a=(b [<x>]=1)", "n=<x>; a=(b [n]=1)", "n=<x>; a=([$n]=1)", "n=<x>; a=([n]+=1)"],
  // Variables whose values bash evaluates.
  ...["OPTIND=<x>", "RANDOM=<x>; :", "n=<x>; RANDOM=$n; :", "PS4=<x>; set -x; :", "BASH_ENV=<x> bash -c :"],
  ...["script -qc 'echo <x>' /dev/null; :", "flock a -c 'echo <x>'; :", "flock a -c \"$(echo '<x>')\""],
];

describe("[A6] [X1] a value", () => {
  it.each(EVALUATED)("is never evaluated: %s", async (template) => {
    const folder = temporary();
    const compiled = compile(template);
    if (compiled instanceof TemplateProblem) return;
    for (const shell of shellsHere(folder)) {
      for (const value of VALUES) {
        const { args } = compiled.bind(() => value);
        await runProcess(shell, args, { cwd: folder });
        expect(existsSync(join(folder, "made")), `${shell} ${value}`).toBe(false);
      }
    }
  });

  it.each([
    ["n=<x>; echo $" + "{n:-b} $" + '{n#c} "$n"', "it it it\n"],
    ['n=<x>; [ "$n" = it ] && echo yes', "yes\n"],
    ['n=<x>; test -n "$n" && printf "%s\\n" "$n"', "it\n"],
    ["i=1; [ $i -lt 3 ] && echo <x> $((i + 1))", "it 2\n"],
    ["export n=<x>; sh -c 'echo \"$n\"'", "it\n"],
    ["n=<x>; eval 'echo \"$n\"'", "it\n"],
    ["n=<x>; unset m; unset n; echo $" + "{n:-gone}", "gone\n"],
    ["echo <x> | while read -r n; do echo $n; done", "it\n"],
    ['[ "$(echo <x>)" = it ] && printf "%s\\n" "$(echo <x>)"', "it\n"],
    ["f() { echo $1; }; f <x>", "it\n"],
    ['set -- <x> b; echo "$@" $#', "it b 2\n"],
  ])("keeps working in %s", async (template, expected) => {
    const { command, args } = compileTemplate(parts(template)).bind(() => "it");
    expect((await runProcess(command, args, { cwd: "/" })).stdout).toBe(expected);
  });

  it.each([
    "i=1; a[$i]=<x>; echo b",
    "n_=<x>; _n=1; echo $((_n)) _",
    "n=<x>; i=1; a=(b [i]=$n); grep '[<x>]=' c",
    "f() { local -r n=<x>; }; ENV=<x> make b",
    "su -c 'ls \"$1\"' me -- <x>; flock a ls <x>; script -q <x>",
    `a[1]=<x>; echo ${D}{a[1]} ${D}{a[@]}`,
    "n=<x>; [[ $n == it && -n $n ]] && echo b",
    "declare m=1; echo <x>",
    "name=<x>; curl -d user[name]=$name -d user[<x>]=a -- b",
    "m=$(df | awk '{ print $1 }'); echo $((m + 1)) <x>",
    `n=<x>; echo ${D}{n%.*} ${D}{n:-a} ${D}{n:+b} ${D}{#n} ${D}{n/a/b}`,
  ])("is allowed in %s", (template) => {
    expect(compile(template)).not.toBeInstanceOf(TemplateProblem);
  });

  it.each([
    ["n=<x>; echo $((n))", "$((…))", "Calculate with expr, or put"],
    [`n=<x>; echo ${D}{n@P}`, `${D}{n@P}`, "Put"],
    ["n=<x>; a[n]=1", "a subscript", "Put"],
    ['n=<x>; sh -c "echo $n"', "a script", "Put"],
    ["n=<x>; [ $n = a ]", '"["', "Put"],
  ])("is refused in %s with a reason", (template, where, advice) => {
    expect(() => compileTemplate(parts(template))).toThrow(
      `{{x}} gets into ${where}, where some shells would read it as code. ${advice} the command into a script file.`,
    );
  });
});

function compile(template: string): ReturnType<typeof compileTemplate> | TemplateProblem {
  try {
    return compileTemplate(parts(template));
  } catch (error) {
    if (error instanceof TemplateProblem) return error;
    throw error;
  }
}
