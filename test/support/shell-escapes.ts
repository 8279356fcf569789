import { spawnSync } from "node:child_process";
import { chmodSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram } from "../../src/platform/processes/find-program.ts";
import { put, temporary } from "./temporary.ts";

/** Environment variables, and files in the folder, that run `canary` if the shell reads them as code. */
const HOSTILE = { a: "b[$(canary)]", x: "$(canary)", b: "$(canary);canary" };
const FILES = ["-v", "b[$(canary)]", ";canary", "`canary`", "a.ts", "b.ts"];
/** Programs that a wrong command could start. */
const CANARIES = ["canary", "touch", "a", "b", "c", "it"];

/** Shells by their names in test titles, and how each is started. */
export const SHELLS: Readonly<Record<string, readonly string[]>> = {
  bash: ["bash"],
  "bash as sh": ["bash", "--posix"],
  dash: ["dash"],
  "busybox ash": ["busybox", "ash"],
};

/** The shells that this machine has. */
export function shellsHere(): string[] {
  return Object.keys(SHELLS).filter(
    (name) => findProgram(SHELLS[name]?.[0] ?? "", process.env, tmpdir()) !== undefined,
  );
}

/**
 * Runs each command in a subshell, and returns those that did more than run `echo`, `printf`, `test` or `prog`: started
 * another program, created a file, or were not a complete command.
 */
export function escapes(shell: string, commands: readonly string[]): string[] {
  const folder = temporary();
  const bin = join(folder, "bin");
  const here = join(folder, "here");
  for (const name of CANARIES) chmodSync(put(join(bin, name), '#!/bin/sh\n: > "$MARK"\n'), 0o755);
  symlinkSync("/bin/true", join(bin, "prog"));
  for (const name of FILES) put(join(here, name));
  const [program = "", ...options] = SHELLS[shell] ?? [];
  const script = put(join(folder, "script"), scriptFor(commands));
  const { stdout, stderr, status } = spawnSync(
    findProgram(program, process.env, folder) ?? program,
    [...options, script],
    {
      cwd: here,
      env: { PATH: bin, HOME: here, MARK: join(folder, "mark"), ...HOSTILE },
      encoding: "utf8",
      maxBuffer: 2 ** 28,
    },
  );
  if (status !== 0) throw new Error(`${shell} ended with ${status}: ${stderr}`);
  const numbers = stdout.split("\n").filter((line) => line !== "");
  return numbers.map((number) => commands[Number(number)] ?? number);
}

/** Exit code 127 means a missing program. `echo` and `prog` exit with 0 unless the shell cannot parse the command. */
function scriptFor(commands: readonly string[]): string {
  return [
    'command_not_found_handle() { : > "$MARK"; }',
    'files() { set -- * .[!.]*; listed="$*"; }',
    "files; expected=$listed",
    "try() {",
    '  ( eval "$2" ) </dev/null >/dev/null 2>&1; code=$?',
    "  files",
    '  if [ -e "$MARK" ] || [ "$listed" != "$expected" ] || [ $code -gt "$3" ]; then echo $1; fi',
    '  if [ -e "$MARK" ]; then /bin/rm -f "$MARK"; fi',
    "  expected=$listed",
    "}",
    ...commands.map((command, at) => {
      const highest = /^(?:printf|test|\[)/.test(command) ? 2 : 0;
      return `try ${at} '${command.replaceAll("'", "'\\''")}' ${highest}`;
    }),
    "exit 0",
  ].join("\n");
}
