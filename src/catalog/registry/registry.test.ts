import { describe, expect, it } from "vitest";
import type { ToolLocation } from "../discovery/tool-file.ts";
import type { LoadedFile } from "../hosts/loaded-file.ts";
import { Registry } from "./registry.ts";
import { resolveNames } from "./resolve-names.ts";

const near: ToolLocation = { path: "/p/near", kind: "project", system: "toolwright", ofProject: true };
const far: ToolLocation = { path: "/p/far", kind: "global", system: "toolwright", ofProject: false };

function file(place: ToolLocation, stem: string, ...tools: string[]): LoadedFile {
  const path = `${place.path}/${stem}.ts`;
  const manifests = tools.map((name) => ({
    name,
    description: `From ${path}.`,
    inputSchema: { type: "object" },
    format: "tool" as const,
    exportName: name === stem ? "default" : name.slice(stem.length + 1),
    limits: {},
    hints: {},
    declaresAccess: false,
  }));
  return {
    file: { file: path, name: stem, location: place },
    manifest: { file: path, tools: manifests, problems: [], imports: [] },
    codeVersion: { id: 1 },
    problems: [],
    off: false,
  };
}

function registryOf(...files: LoadedFile[]): Registry {
  const registry = new Registry();
  registry.replace(resolveNames(files, { disabled: ["*_off"] }));
  return registry;
}

describe("[R1] the registry", () => {
  it("lists the tools sorted by name", () => {
    const registry = registryOf(file(near, "lint", "lint", "lint_fix"), file(far, "deploy", "deploy_off"));
    expect(registry.count).toBe(3);
    expect(registry.list().map(({ name, enabled }) => [name, enabled])).toEqual([
      ["deploy_off", false],
      ["lint", true],
      ["lint_fix", true],
    ]);
    expect(registry.get("lint")).toEqual({
      name: "lint",
      description: "From /p/near/lint.ts.",
      source: "custom",
      place: "project",
      format: "tool",
      file: "/p/near/lint.ts",
      exportName: "default",
      inputSchema: { type: "object" },
      enabled: true,
      limits: {},
      hints: {},
    });
    expect([registry.has("lint"), registry.has("nope"), registry.get("nope")]).toEqual([true, false, undefined]);
    expect(registry.lookup("deploy_off").kind).toBe("disabled");
    expect(registry.lookup("nope").kind).toBe("unknown");
  });

  it("[D4] assigns a name to the folder of higher priority, and to the first file within one folder", () => {
    const registry = registryOf(file(near, "a", "same"), file(near, "b", "same"), file(far, "c", "same"));
    expect(registry.get("same")?.file).toBe("/p/near/a.ts");
    expect(registry.shadowed).toEqual([{ name: "same", file: "/p/far/c.ts", by: "/p/near/a.ts" }]);
    expect(registry.problems).toMatchObject([{ file: "/p/near/b.ts", code: "name_taken", tool: "same" }]);
  });

  it.each<[ToolLocation["system"], ToolLocation["kind"], boolean]>([
    ["opencode", "project", true],
    ["opencode", "global", true],
    ["opencode", "package", true],
    ["opencode", "configured", false],
    ["pi", "project", true],
    ["pi", "global", true],
    ["pi", "package", true],
    ["pi", "configured", false],
    ["omp", "project", false],
    ["omp", "global", false],
    ["omp", "package", false],
    ["aynd", "global", false],
    ["qraftbox", "global", false],
    ["atomic", "project", false],
    ["atomic", "global", false],
    ["claude", "project", false],
    ["claude", "global", false],
    ["claude", "package", false],
    ["codex", "project", false],
    ["copilot", "project", false],
    ["toolwright", "project", false],
    ["toolwright", "global", false],
    ["toolwright", "package", false],
    ["toolwright", "code", false],
  ])("[D4] a file of %s in a location of the kind %s overrides a built-in tool: %s", (system, kind, overrides) => {
    const builtin = file({ ...far, builtin: true, kind: "package" }, "webfetch", "webfetch");
    const place: ToolLocation = { ...near, system, kind };
    const registry = registryOf(builtin, file(place, "webfetch", "webfetch"), file(far, "webfetch", "webfetch"));
    expect(registry.get("webfetch")?.file).toBe(overrides ? "/p/near/webfetch.ts" : "/p/far/webfetch.ts");
    expect(registry.get("webfetch")?.overridesBuiltin).toBe(overrides ? true : undefined);
    expect(registry.problems.map(({ code }) => code)).toEqual(overrides ? [] : ["name_taken", "name_taken"]);
    const hidden = { name: "webfetch", file: "/p/far/webfetch.ts", by: "/p/near/webfetch.ts" };
    expect(registry.shadowed).toEqual(overrides ? [{ ...hidden, builtin: true }, hidden] : []);
  });

  it("notifies listeners of changes only", () => {
    const registry = registryOf(file(near, "a", "a"));
    let changes = 0;
    const stop = registry.onChange(() => {
      changes += 1;
    });
    registry.replace(resolveNames([file(near, "a", "a")], { disabled: [] }));
    expect(changes).toBe(0);
    registry.replace(resolveNames([file(near, "a", "a"), file(near, "b", "b")], { disabled: [] }));
    expect(changes).toBe(1);
    stop();
    registry.replace(resolveNames([], { disabled: [] }));
    expect(changes).toBe(1);
  });

  it("[R4] finds no tool that replaced another since the given identities", () => {
    const registry = registryOf(file(near, "a", "a"), file(near, "b", "b"));
    const before = registry.identities();
    registry.replace(resolveNames([file(far, "a", "a"), file(near, "c", "c")], { disabled: [] }));
    expect(["a", "b", "c", "d"].map((name) => registry.lookup(name, before).kind)).toEqual([
      "replaced",
      "removed",
      "found",
      "unknown",
    ]);
    expect(registry.lookup("a").kind).toBe("found");
    expect(registry.lookup("a", registry.identities()).kind).toBe("found");
  });
});
