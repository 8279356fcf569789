import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { project } from "../../../test/support/fixture.ts";
import { put } from "../../../test/support/temporary.ts";
import { open } from "../../../test/support/toolbox.ts";
import { extensionEditor } from "../../agents/setup/extension-editor.ts";

const CODE = fileURLToPath(new URL("./pi-extension.ts", import.meta.url));

/** The installed file, which leaves a mark when it is loaded. */
function installed(mark: string): string {
  const entry = { command: process.execPath, args: [CODE, "mcp"] };
  const text = extensionEditor.set("", { section: ["mcpServers"], name: "toolwright" }, entry);
  return `${text}\nprocess.getBuiltinModule("node:fs").writeFileSync(${JSON.stringify(mark)}, "");\n`;
}

const PLACES = [
  ".pi/extensions/toolwright-extension.js",
  ".pi/extensions/renamed.ts",
  ".pi/extensions/folder/index.ts",
  ".omp/tools/copy.js",
  ".omp/extensions/toolwright-extension.js",
  ".omp/extensions/renamed.js",
  ".toolwright/tools/copy.mjs",
];

describe("[M3] the extension for pi, found by Toolwright itself", () => {
  it("is no tool file and starts nothing, wherever it was copied to, and also if another file imports its code", async () => {
    const at = project({});
    const mark = join(at.project, "mark");
    for (const path of PLACES) put(join(at.project, path), installed(mark));
    const entry = JSON.stringify({
      command: process.execPath,
      args: ["-e", `fs.writeFileSync(${JSON.stringify(mark)}, "")`],
    });
    const wrapper = `import { serveInPi } from ${JSON.stringify(CODE)};\nexport default (pi) => serveInPi(pi, "toolwright", ${entry});\n`;
    put(join(at.project, ".pi/extensions/wrapper.ts"), wrapper);
    const { toolbox } = await open(at, { isolation: "none" });
    expect(toolbox.list()).toEqual([]);
    expect(toolbox.problems()).toEqual([]);
    await toolbox.close();
    expect(existsSync(mark)).toBe(false);
  });
});
