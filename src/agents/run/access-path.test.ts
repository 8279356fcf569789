import { describe, expect, it } from "vitest";
import { pathAccess } from "./access-path.ts";

describe("[P3] files that an agent's own tool touches", () => {
  it.each([
    ["src/a.ts", [{ kind: "read", target: "/project/src/a.ts" }]],
    ["/etc/hosts", [{ kind: "read", target: "/etc/hosts" }]],
    ["../b", [{ kind: "read", target: "/b" }]],
    ["~/.ssh/id_rsa", ["undeclared"]],
    ["@/etc/hosts", ["undeclared"]],
    [" /etc/hosts", ["undeclared"]],
    ["", ["undeclared"]],
    ["a b/c", [{ kind: "read", target: "/project/a b/c" }]],
    ["./a/../b/", [{ kind: "read", target: "/project/b" }]],
    ["app/$id.tsx", [{ kind: "read", target: "/project/app/$id.tsx" }]],
    ["file:///etc/hosts", ["undeclared"]],
    ["FILE:/etc/hosts", ["undeclared"]],
    ["vscode://file/etc/hosts", ["undeclared"]],
    ["$HOME/a", ["undeclared"]],
    [`\${HOME}/a`, ["undeclared"]],
    ["%USERPROFILE%/a", ["undeclared"]],
    ['"/etc/hosts"', ["undeclared"]],
    ["`a`", ["undeclared"]],
    ["'a'", ["undeclared"]],
    ["a\u00a0", ["undeclared"]],
    ["a\u00a0b", ["undeclared"]],
    ["a\n", ["undeclared"]],
    ["a\0b", ["undeclared"]],
    ["..\\..\\etc", ["undeclared"]],
    ["a\\ b", ["undeclared"]],
    ["a.ts:12", ["undeclared"]],
    ["a.ts:12:3", ["undeclared"]],
    ["a.ts#L12", ["undeclared"]],
  ])("%j", (path, access) => {
    expect(pathAccess("read", [path], "/project")).toEqual(access);
  });

  it("are undeclared if one of them is, or if there are none", () => {
    expect(pathAccess("write", ["a", "~/b"], "/project")).toEqual(["undeclared"]);
    expect(pathAccess("write", [], "/project")).toEqual(["undeclared"]);
  });
});
