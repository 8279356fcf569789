import { random } from "./random.ts";

/** A rule that allows, and a command that an attacker would try under it. */
export interface HostileCommand {
  readonly match: string;
  readonly command: string;
}

/** `echo`, `printf` and `test` are commands of the shell, `prog` is a program. */
const RULES: readonly string[] = [
  "echo *",
  "echo *",
  "prog *",
  "printf *",
  "test *",
  "[ * ]",
  "echo a *; prog *",
  "echo * | prog *",
  "echo * && echo *",
  "A=1 echo *",
  "echo * 2>&1 | prog *",
  "echo *>/dev/null",
  // A quote in the text that matches a wildcard could end the quotes here.
  'echo * "b|canary c" *',
  "echo * 'b;canary c' *",
  "echo *\\;canary *",
];

const NAMES = ["a", "b", "x", "HOME", "_", "PWD", "BASH_EXECUTION_STRING"];
const RUNS = [
  "$(canary)",
  "`canary`",
  "\\$\\(canary\\)",
  "b[$(canary)]",
  "b[\\$\\(canary\\)]",
  "'$(canary)'",
  "canary",
];
const OPERATORS = ["", "!", ":", ":=", ":-", "-", "=", "+", "@P", "@E", "@A", "#", "##", "%", "/", "^", ",", "[", "]"];
const PLAIN = [
  "a",
  "-n",
  "-v",
  "--",
  "a.ts",
  "*",
  "?",
  "*.ts",
  "[a-z]*",
  "~",
  "~/a",
  "{a,b}",
  "{1..3}",
  "a=b",
  "it",
  "é",
  "日本",
];
const BETWEEN = [
  " ",
  "  ",
  "\t",
  ";",
  "&",
  "&&",
  "|",
  "||",
  "\n",
  "\r",
  ">",
  ">>",
  "<",
  "<<",
  "<<<",
  "(",
  ")",
  "<(",
  ">(",
];
const METACHARACTERS = [
  ..."'\"\\$`;&|<>(){}[]!#~*?=^%@+,:/-\n\t \r\0\u00a0",
  "\\\n",
  "${",
  "$(",
  "$((",
  "$[",
  "$'",
  '$"',
];
const WHOLE = [
  `\${x:=\\$\\(canary\\)}\${x@P}`,
  `\${a:=b[\\$\\(canary\\)]}$[a]`,
  `\${a:=b[\\$\\(canary\\)]}\${!a}`,
  "{$,c}[a]",
  "{c['b[$(canary)]']}",
  '"a$"',
  "-v 'b[$(canary)]' c",
  "'-vb[$(canary)]' c",
  "() { canary; }; echo",
  "<<E\n$(canary)\nE\n",
  "\\\ncanary",
  '"あ\\"; canary; \\""',
];

/** Generates commands that try to run `canary`; the same ones for the same seed. */
export class HostileCommands {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = random(seed);
  }

  next(): HostileCommand {
    const match = this.#one(RULES);
    let command = match.replaceAll("*", () => this.#text());
    while (this.#chance(0.3)) command = this.#mutate(command);
    return { match, command };
  }

  #text(): string {
    const words = this.#several(4, () => this.#word());
    return words
      .map((word, at) => (at === 0 ? word : `${this.#chance(0.9) ? " " : this.#one(BETWEEN)}${word}`))
      .join("");
  }

  #word(): string {
    return this.#several(3, () => this.#piece()).join("");
  }

  #piece(): string {
    const kind = Math.floor(this.#random() * 12);
    if (kind < 3) return this.#one(PLAIN);
    if (kind === 3) return `'${this.#inner()}'`;
    if (kind === 4) return `"${this.#inner()}"`;
    if (kind === 5) return `$${this.#one(NAMES)}`;
    if (kind === 6) return `"$${this.#one(NAMES)}"`;
    if (kind === 7) return this.#expansion();
    if (kind === 8) return this.#one(RUNS);
    if (kind === 9) return this.#one(WHOLE);
    if (kind === 10) return `\\${this.#one(METACHARACTERS)}`;
    return this.#one(METACHARACTERS);
  }

  #inner(): string {
    return this.#several(3, () => this.#one([...PLAIN, ...BETWEEN, ...RUNS, "\\", "!", "$", "$a", "\\$", '\\"'])).join(
      "",
    );
  }

  #expansion(): string {
    const name = this.#one(NAMES);
    const inside = `${this.#one(["", "", "!", "#"])}${name}${this.#one(OPERATORS)}${this.#one(["", "", "a", ...RUNS])}`;
    return this.#one([
      `\${${inside}}`,
      `$[${inside}]`,
      `$((${inside}))`,
      `\${${name}[${inside}]}`,
      `$${name}[${inside}]`,
    ]);
  }

  /** Inserts, deletes or swaps characters at a random position. */
  #mutate(command: string): string {
    const at = Math.floor(this.#random() * command.length);
    const kind = this.#random();
    if (kind < 0.5) return command.slice(0, at) + this.#one(METACHARACTERS) + command.slice(at);
    if (kind < 0.75) return command.slice(0, at) + command.slice(at + 1);
    return command.slice(0, at) + (command[at + 1] ?? "") + (command[at] ?? "") + command.slice(at + 2);
  }

  #several<T>(most: number, make: () => T): T[] {
    return Array.from({ length: 1 + Math.floor(this.#random() * most) }, make);
  }

  #one<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)] as T;
  }

  #chance(of: number): boolean {
    return this.#random() < of;
  }
}
