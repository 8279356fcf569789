import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { trustProject } from "../../src/catalog/discovery/trusted-projects.ts";
import { cli, ensureBuilt, json } from "../support/cli.ts";
import { type Sandbox, sandbox } from "../support/fixture.ts";
import { MARKING_HELPERS, MARKING_SHAPES, marking } from "../support/marking-shapes.ts";
import { initialize, rawProcess } from "../support/mcp-client.ts";
import { put } from "../support/temporary.ts";
import { open } from "../support/toolbox.ts";

beforeAll(ensureBuilt);

/** Places that say nothing about functions. */
const PLACES: readonly (readonly ["project" | "home", string])[] = [
  ["project", ".toolwright/tools"],
  ["project", ".claude/tools"],
  ["project", ".codex/tools"],
  ["project", ".opencode/tool"],
  ["project", ".opencode/tools"],
  ["project", ".atomic/tools"],
  ["project", "given"],
  ["project", "opencode/plugins/mine/.kilo/tools"],
  ["home", ".toolwright/tools"],
  ["home", ".claude/tools"],
  ["home", ".config/opencode/tool"],
];

/** A trusted project with every shape in one place, and the options that make the place known. */
async function filled([root, folder]: (typeof PLACES)[number]): Promise<{
  at: Sandbox;
  marks: string;
  options: string[];
}> {
  const at = sandbox({});
  await trustProject(at.project, join(at.home, ".toolwright"));
  const marks = join(at.home, "marks");
  for (const [name, text] of Object.entries({ ...MARKING_SHAPES, ...MARKING_HELPERS })) {
    put(join(at[root], folder, name), marking(text, name, marks));
  }
  const isKnown = root === "home" || /^\.\w+\/tools?$/.test(folder);
  return { at, marks, options: isKnown ? [] : ["--tools-path", folder] };
}

const marked = (marks: string): string[] => (existsSync(marks) ? readFileSync(marks, "utf8").trim().split("\n") : []);

describe.each(PLACES)("[D5] functions of files in %s %s do not run", (...place) => {
  it("through list, check, show, a toolbox and MCP", async () => {
    const { at, marks, options } = await filled(place);
    const { tools, problems } = json<{ tools: { name: string; file?: string }[]; problems: { file: string }[] }>(
      await cli(at, ["list", "--json", ...options]),
    );
    expect(marked(marks), "list").toEqual([]);
    const folder = join(at[place[0]], place[1]);
    const known = [...tools, ...problems].flatMap(({ file = "" }) =>
      file.startsWith(folder) ? [file.slice(folder.length + 1)] : [],
    );
    expect(Object.keys(MARKING_SHAPES).filter((name) => !known.includes(name))).toEqual([]);

    await cli(at, ["check", ...options]);
    expect(marked(marks), "check").toEqual([]);
    await cli(at, ["show", "tool", ...options]);
    await cli(at, ["show", "function", ...options]);
    expect(marked(marks), "show").toEqual([]);

    for (const isolation of ["shared", "none"] as const) {
      const { toolbox } = await open(at, { isolation, toolsPaths: options.slice(1) });
      await toolbox.reload();
      toolbox.list();
      expect(marked(marks), isolation).toEqual([]);
    }

    const raw = rawProcess(at, ["--trust", ...options]);
    await initialize(raw);
    raw.send({ jsonrpc: "2.0", id: 7, method: "tools/list", params: {} });
    await raw.answerTo(7);
    expect(marked(marks), "mcp").toEqual([]);
  });
});
