import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { put, temporary } from "../../../../test/support/temporary.ts";
import { openShell } from "./bun-shell.ts";
import type { ShellOutput } from "./shell-command.ts";

const here = realpathSync(tmpdir());
/** A program that prints the arguments it is started with. */
const ARGV = "console.log(JSON.stringify(process.argv.slice(1)))";
const node = process.execPath;

const $ = openShell(here);

describe("$ of OpenCode", () => {
  it("[A13] runs a command in the project and returns its output", async () => {
    const output = await $`pwd`;
    expect(output).toMatchObject({ exitCode: 0, stdout: Buffer.from(`${here}\n`), stderr: Buffer.alloc(0) });
    expect(output.text()).toBe(`${here}\n`);
  });

  it.each([
    ["a b"],
    ["$(id); `id` && rm -rf x | y > z"],
    ['it\'s "quoted" \\ $HOME *'],
    ["--flag"],
    [""],
    ["two\nlines"],
  ])("[X1] %o stays one argument, bare, in quotes and in pipes", async (value) => {
    expect(await $`${node} -e ${ARGV} -- ${value}`.json()).toEqual([value]);
    expect(await $`${node} -e ${ARGV} -- "${value}"`.json()).toEqual([value]);
    expect(await $`${node} -e ${ARGV} -- x${value}y`.json()).toEqual([`x${value}y`]);
    expect(await $`${node} -e ${ARGV} -- ${value} | cat`.json()).toEqual([value]);
  });

  it("[A13] takes lists as several arguments, numbers as text, and { raw } as syntax", async () => {
    expect(await $`${node} -e ${ARGV} -- ${["a b", ["c", 5]]} ${5}`.json()).toEqual(["a b", "c", "5", "5"]);
    expect(await $`echo one ${{ raw: "&& echo two" }}`.text()).toBe("one\ntwo\n");
  });

  it("[A13] rejects for an exit code other than 0, with the output", async () => {
    const failure = await $`sh -c ${"echo out; echo err >&2; exit 3"}`.catch((error: Error & ShellOutput) => error);
    expect(failure).toMatchObject({ name: "ShellError", message: "Failed with exit code 3", exitCode: 3 });
    expect([String(failure.stdout), String(failure.stderr)]).toEqual(["out\n", "err\n"]);
  });

  it("[A13] does not reject with nothrow, for one command or for all", async () => {
    expect((await $`exit 3`.nothrow()).exitCode).toBe(3);
    expect((await $`exit 3`.throws(false).quiet()).exitCode).toBe(3);
    const calm = openShell(here).nothrow();
    expect((await calm`exit 3`).exitCode).toBe(3);
    await expect(calm`exit 3`.throws(true)).rejects.toThrow("Failed with exit code 3");
  });

  it("[A13] a missing command fails like any other", async () => {
    const output = await $`no-such-command-here x`.nothrow();
    expect(output.exitCode).toBe(127);
    expect(String(output.stderr)).toContain("no-such-command-here");
  });

  it("[A13] works in another folder and with another environment", async () => {
    const folder = temporary();
    put(`${folder}/a.txt`);
    expect(await $`ls`.cwd(folder).text()).toBe("a.txt\n");
    expect(await $`echo $WORD`.env({ WORD: "hi" }).text()).toBe("hi\n");
    const there = openShell(here).cwd(folder).env({ WORD: "you" });
    expect(await there`ls; echo $WORD`.text()).toBe("a.txt\nyou\n");
  });

  it("[A13] gives text, JSON, lines, bytes and blobs", async () => {
    expect(await $`echo ${'{"a":1}'}`.json()).toEqual({ a: 1 });
    const lines: string[] = [];
    for await (const line of $`printf ${"a\nb\n"}`.lines()) lines.push(line);
    expect(lines).toEqual(["a", "b"]);
    expect(new Uint8Array(await $`printf ab`.arrayBuffer())).toEqual(new Uint8Array([97, 98]));
    expect(await $`printf ab`.bytes()).toEqual(new Uint8Array([97, 98]));
    expect(await (await $`printf ab`.blob()).text()).toBe("ab");
  });

  it("[A13] starts a command once, however often it is awaited, and not before", async () => {
    const folder = temporary();
    const command = $`echo x >> log; cat log`.cwd(folder);
    expect(await $`ls`.cwd(folder).text()).toBe("");
    expect([(await command).text(), await command.text()]).toEqual(["x\n", "x\n"]);
  });

  it("[A13] rejects bytes and streams in a command", () => {
    expect(() => $`cat < ${Buffer.from("x")}`).toThrow(
      "Bytes and streams cannot be used in a command in Node. Write them to a file, or run the plugin with Bun.",
    );
  });

  it("[A13] escapes and expands braces", () => {
    expect([$.escape("plain"), $.escape("it's")]).toEqual(["plain", `'it'\\''s'`]);
    expect($.braces("a{b,c{d,e}}")).toEqual(["ab", "acd", "ace"]);
  });
});
