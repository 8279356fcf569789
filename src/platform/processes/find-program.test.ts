import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { delimiter, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { put, temporary } from "../../../test/support/temporary.ts";
import { environmentOutside, findProgram } from "./find-program.ts";

it.skipIf(process.platform === "win32")("finds a program in absolute folders of PATH only", () => {
  const folder = temporary();
  const program = put(join(folder, "tool"), "#!/bin/sh");
  put(join(folder, "text"));
  symlinkSync(folder, join(folder, "directory"));
  chmodSync(program, 0o755);
  const find = (name: string, PATH: string): string | undefined => findProgram(name, { PATH }, "/no/project");
  expect(find("tool", `/no/such:${folder}`)).toBe(program);
  expect(find("text", folder)).toBeUndefined();
  expect(find("directory", folder)).toBeUndefined();
  expect(find("tool", `:.:${relative(process.cwd(), folder)}`)).toBeUndefined();
  expect(findProgram("tool", {}, "/no/project")).toBeUndefined();
});

describe.skipIf(process.platform === "win32")("[X1] a project does not choose programs", () => {
  const root = (): string => {
    const folder = temporary();
    for (const each of ["project/bin", "project2/bin", "home/bin"]) {
      chmodSync(put(join(folder, each, "tool"), "#!/bin/sh"), 0o755);
    }
    symlinkSync(join(folder, "project/bin"), join(folder, "linked"));
    symlinkSync(join(folder, "project"), join(folder, "above"));
    mkdirSync(join(folder, "links"));
    symlinkSync(join(folder, "project/bin/tool"), join(folder, "links/tool"));
    return folder;
  };

  it.each([
    ["project/bin"],
    ["home/../project/bin"],
    ["linked"],
    ["above/bin"],
    // The program itself is a link into the project.
    ["links"],
  ])("not through %s", (folder) => {
    const at = root();
    const PATH = [join(at, folder), join(at, "home/bin")].join(delimiter);
    expect(findProgram("tool", { PATH, HOME: join(at, "home") }, join(at, "project"))).toBe(join(at, "home/bin/tool"));
  });

  it("a folder whose name only starts like the project's is outside", () => {
    const at = root();
    const found = findProgram("tool", { PATH: join(at, "project2/bin"), HOME: join(at, "home") }, join(at, "project"));
    expect(found).toBe(join(at, "project2/bin/tool"));
  });

  it("finds the user's programs if the project contains the home folder", () => {
    const at = root();
    expect(findProgram("tool", { PATH: join(at, "home/bin"), HOME: join(at, "home") }, at)).toBe(
      join(at, "home/bin/tool"),
    );
    expect(findProgram("sh", { PATH: "/usr/bin", HOME: join(at, "home") }, "/usr")).toBe("/usr/bin/sh");
  });

  it("removes entries of PATH and NODE_PATH that lead into the project, also into folders that do not exist yet", () => {
    const at = root();
    const paths = ["", ".", "bin", "./bin", "~/bin", join(at, "project/none/yet"), join(at, "above/none"), "/usr/bin"];
    const env = {
      HOME: join(at, "home"),
      PATH: paths.join(delimiter),
      NODE_PATH: `lib${delimiter}/usr/lib/node`,
      X: ".",
    };
    expect(environmentOutside(env, join(at, "project"))).toEqual({
      HOME: join(at, "home"),
      PATH: "/usr/bin",
      NODE_PATH: "/usr/lib/node",
      X: ".",
    });
  });

  it.each([
    ["--require ./a.cjs --no-warnings", "--no-warnings"],
    ["--no-warnings -r tsx", "--no-warnings"],
    ["--import=tsx", ""],
    ['--import "./with space.mjs" --inspect', "--inspect"],
    ["--experimental-loader=./l.mjs", ""],
    ["--loader PROJECT/l.mjs", ""],
    ["--import file://PROJECT/l.mjs", ""],
    ["--require /opt/agent.cjs --max-old-space-size=512", "--require /opt/agent.cjs --max-old-space-size=512"],
    ["--import=file:///opt/agent.mjs", "--import=file:///opt/agent.mjs"],
    ['--require "/opt/with space.cjs"', '--require "/opt/with space.cjs"'],
  ])("NODE_OPTIONS %j becomes %j", (given, left) => {
    const at = root();
    const project = join(at, "project");
    const options = given.replace("file://PROJECT", pathToFileURL(project).href).replace("PROJECT", project);
    const env = { HOME: join(at, "home"), NODE_OPTIONS: options };
    expect(environmentOutside(env, project).NODE_OPTIONS).toBe(left);
  });
});
