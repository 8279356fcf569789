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
  ])("%j", (path, access) => {
    expect(pathAccess("read", [path], "/project")).toEqual(access);
  });

  it("are undeclared if one of them is, or if there are none", () => {
    expect(pathAccess("write", ["a", "~/b"], "/project")).toEqual(["undeclared"]);
    expect(pathAccess("write", [], "/project")).toEqual(["undeclared"]);
  });
});
