import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as all from "../../src/authoring/pi/index.ts";
import { outputOf } from "../../src/core/result.ts";
import { createToolbox } from "../../src/index.ts";
import { exportsOf } from "../support/exports-of.ts";
import { project } from "../support/fixture.ts";
import { installed, MODULES } from "../support/installed.ts";

/** The entry files of the packages that tool files import. */
const PACKAGES = {
  pi: [
    "@earendil-works/pi-coding-agent/dist/index.js",
    "@earendil-works/pi-ai/dist/index.js",
    "@earendil-works/pi-ai/dist/compat.js",
    "@earendil-works/pi-agent-core/dist/index.js",
    "@earendil-works/pi-tui/dist/index.js",
  ],
  "pi-versions": [
    "pi-1/dist/index.js",
    "@earendil-works/pi-ai/dist/index.js",
    "@earendil-works/pi-agent-core/dist/index.js",
    "@mariozechner/pi-coding-agent/dist/index.js",
    "@mariozechner/pi-ai/dist/index.js",
    "@mariozechner/pi-agent-core/dist/index.js",
    "@mariozechner/pi-tui/dist/index.js",
  ],
  "oh-my-pi": ["pi-coding-agent", "pi-ai", "pi-agent-core", "pi-tui", "pi-utils"].map(
    (name) => `@oh-my-pi/${name}/src/index.ts`,
  ),
} as const;

const KINDS = ["pi", "pi-versions", "oh-my-pi"] as const;
const missing = Object.fromEntries(
  await Promise.all(KINDS.map(async (kind) => [kind, await installed(kind)] as const)),
);

/** A tool file that imports all the names, and returns those that are neither real nor fail with their message. */
function toolFile(specifier: string, names: readonly string[]): string {
  return `
import { ${names.map((name, index) => `${name} as n${index}`).join(", ")} } from ${JSON.stringify(specifier)};
const lacking = { ${names.flatMap((name, index) => (name in all ? [] : `${name}: n${index}`)).join(", ")} };
const fails = ([name, value]) => {
  try {
    value();
  } catch (error) {
    return String(error).startsWith(\`Error: \${name} is only available in the agent that this file was written for. \`);
  }
  return false;
};
const execute = () => JSON.stringify(Object.entries(lacking).filter((each) => !fails(each)).map(([name]) => name));
export default { description: "Lists exports without a message", args: {}, execute };
`;
}

describe.each(KINDS)("[A9] every export of the packages of %s", (kind) => {
  for (const file of PACKAGES[kind]) {
    it.skipIf(missing[kind])(`${file} can be imported: it is real, or fails with its message`, async () => {
      const names = exportsOf(join(MODULES[kind], file));
      expect(names.length).toBeGreaterThan(5);
      const [scope, name] = file.split("/");
      const specifier = scope === "pi-1" ? "@earendil-works/pi-coding-agent" : `${scope}/${name}`;
      const at = project({ ".toolwright/tools/exports.ts": toolFile(specifier, names) });
      await using toolbox = await createToolbox({ cwd: at.project, env: at.env, trust: true, builtins: false });
      expect(toolbox.problems()).toEqual([]);
      expect(outputOf(await toolbox.call({ name: "exports", input: {} }).result)).toBe("[]");
    });
  }
});

describe("[A9] exports of the packages of pi", () => {
  it.skipIf(missing.pi)("are read from the source as a program gets them", async () => {
    const file = join(MODULES.pi, PACKAGES.pi[0]);
    expect(exportsOf(file).sort()).toEqual(Object.keys(await import(file)).sort());
  });
});
