import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { sandbox } from "../support/fixture.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** npm from the folder of the running Node, or from PATH. */
function npm(args: string[], cwd: string, env: Record<string, string>): string {
  return execFileSync("npm", args, { cwd, env: { ...process.env, ...env }, encoding: "utf8" });
}

describe("[Z1] the published package", () => {
  const at = (): ReturnType<typeof sandbox> => sandbox();

  it("installs into an empty folder and runs a tool from there", { timeout: 180_000 }, () => {
    const { root, project, tools, env } = at();
    const [packed] = JSON.parse(npm(["pack", "--json", "--ignore-scripts", "--pack-destination", root], ROOT, {}));
    const names = (packed.files as { path: string }[]).map(({ path }) => path);
    expect(names.filter((path) => /^(src|test|bench|\.ci)\//.test(path) || path.endsWith(".test.ts"))).toEqual([]);
    const user = join(root, "user");
    mkdirSync(user);
    writeFileSync(join(user, "package.json"), "{}");
    npm(["install", "--no-save", "--prefer-offline", join(root, packed.filename)], user, {});
    expect(readdirSync(join(user, "node_modules/.bin"))).toContain("toolwright");
    writeFileSync(
      join(tools, "lint.ts"),
      'import { tool } from "toolwright"; export default tool({ description: "Lints.", args: { filePath: tool.schema.string() }, execute: ({ filePath }) => "no findings in " + filePath });',
    );
    const cli = join(user, "node_modules/toolwright/dist/cli.mjs");
    const run = (...args: string[]): string =>
      execFileSync(process.execPath, [cli, ...args, "--cwd", project], {
        env: { ...env, PATH: dirname(process.execPath) },
        encoding: "utf8",
      });
    run("trust");
    expect(run("run", "lint", "--filePath", "a.ts")).toBe("no findings in a.ts\n");
    writeFileSync(
      join(user, "use.mjs"),
      `import { createToolbox, outputOf } from "toolwright"; const box = await createToolbox({ cwd: ${JSON.stringify(project)} });
       console.log(outputOf(await box.call({ name: "lint", input: { filePath: "b.ts" } }).result));`,
    );
    const program = (file: string): string =>
      execFileSync(process.execPath, [file], { cwd: user, env, encoding: "utf8" });
    expect(program("use.mjs")).toBe("no findings in b.ts\n");
    writeFileSync(
      join(user, "builtins.mjs"),
      `import { todoread } from "toolwright/builtins"; const { description, execute } = await todoread.init();
       console.log(description.length > 20, await execute({ a: 1 }, { state: { get: async () => undefined } }).then(({ output }) => output));`,
    );
    expect(program("builtins.mjs")).toBe("true The to-do list is empty.\n");
    const libraries = ["ai", "langchain", "openai", "@langchain", "@openai", "@anthropic-ai", "@github"];
    expect(readdirSync(join(user, "node_modules")).filter((name) => libraries.includes(name))).toEqual([]);
    writeFileSync(
      join(user, "adapt.mjs"),
      `import { createToolbox } from "toolwright"; import * as adapters from "toolwright/adapters";
       const box = await createToolbox({ cwd: ${JSON.stringify(project)} });
       console.log(await adapters.toOpenAiTools(box)[0].call('{"filePath":"c.ts"}'), Object.keys(adapters.toAiSdkTools(box)));
       await adapters.toLangChainTools(box).catch(({ message }) => console.log(message));`,
    );
    expect(program("adapt.mjs")).toBe(
      "no findings in c.ts [ 'lint' ]\n@langchain/core is not installed. Run: npm install @langchain/core\n",
    );
  });
});
