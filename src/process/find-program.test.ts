import { chmodSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, it } from "vitest";
import { put, temporary } from "../../test/support/temporary.ts";
import { findProgram } from "./find-program.ts";

it.skipIf(process.platform === "win32")("finds a program in absolute folders of PATH only", () => {
  const folder = temporary();
  const program = put(join(folder, "tool"), "#!/bin/sh");
  put(join(folder, "text"));
  symlinkSync(folder, join(folder, "directory"));
  chmodSync(program, 0o755);
  const find = (name: string, PATH: string): string | undefined => findProgram(name, { PATH });
  expect(find("tool", `/no/such:${folder}`)).toBe(program);
  expect(find("text", folder)).toBeUndefined();
  expect(find("directory", folder)).toBeUndefined();
  expect(find("tool", `:.:${relative(process.cwd(), folder)}`)).toBeUndefined();
  expect(findProgram("tool", {})).toBeUndefined();
});
