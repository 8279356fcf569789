import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { put, temporary } from "../../../test/support/temporary.ts";
import { scan } from "./scan.ts";
import { findXmcpProjects } from "./xmcp-projects.ts";

/** The tools folder for the text of a configuration. */
function folderFor(text: string | undefined, name = "xmcp.config.ts"): string | undefined {
  const root = temporary();
  if (text !== undefined) put(join(root, name), text);
  const found = findXmcpProjects({ directories: [root], root, trusted: true } as never);
  return found.folders.get(root)?.slice(root.length + 1);
}

describe("projects of xmcp", () => {
  it.each<[string | undefined, string | undefined]>([
    [undefined, undefined],
    ["", "src/tools"],
    ["export default { http: true };", "src/tools"],
    ["export default { paths: { prompts: false } };", "src/tools"],
    ["export default { paths: { tools: true } };", "src/tools"],
    ["export default { paths: { tools: TOOLS } };", "src/tools"],
    ["export default { paths: { tools: false, prompts: 'x' } };", undefined],
    ['export default { paths: { prompts: false, tools: "./my/tools/" } };', "my/tools"],
    ["const config = {\n  paths: {\n    // tools: 'old',\n    tools: 'new',\n  },\n};", "new"],
    ["export default { tools: 'x', paths: {} };", "src/tools"],
    ["export default { paths: { tools: '../outside' } };", undefined],
    ["export default { paths: { tools: '.' } };", undefined],
  ])("[D1] [A15] the configuration %j names the folder %j", (text, folder) => {
    expect(folderFor(text)).toBe(folder);
  });

  it("[D7] a configuration that is no program people write is not searched", () => {
    expect(folderFor(`${"=/[".repeat(1_000_000)}\npaths: { tools: "x" }`)).toBe("src/tools");
  });

  it("[D1] the configuration may be JavaScript", () => {
    expect(folderFor("export default {}", "xmcp.config.mjs")).toBe("src/tools");
    expect(folderFor("export default {}", "xmcp.json")).toBeUndefined();
  });

  it("[D7] in an untrusted project, a link out of it is not read", () => {
    const [root, elsewhere] = [temporary(), temporary()];
    symlinkSync(put(join(elsewhere, "xmcp.config.ts")), join(root, "xmcp.config.ts"));
    const options = { directories: [root], root } as never;
    expect(findXmcpProjects(Object.assign({ trusted: false }, options)).folders.size).toBe(0);
    expect(findXmcpProjects(Object.assign({ trusted: true }, options)).folders.size).toBe(1);
  });

  it("[D2] [A15] all files in the folder and its subfolders are tool files, with the names of the files", () => {
    const root = temporary();
    for (const file of ["a.ts", "index.ts", "deep/b.ts", "deep/er/index.ts", "deep/c.test.ts", "ui.tsx"])
      put(join(root, file));
    symlinkSync(root, join(root, "deep/loop"));
    const { files, problems } = scan([{ path: root, kind: "project", system: "xmcp", ofProject: true }]);
    expect(problems).toEqual([]);
    expect(files.map(({ file, name }) => [file.slice(root.length + 1), name])).toEqual([
      ["a.ts", "a"],
      ["deep/b.ts", "b"],
      ["deep/er/index.ts", "index"],
      ["index.ts", "index"],
    ]);
  });
});
