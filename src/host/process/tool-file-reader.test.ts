import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { sandbox } from "../../../test/support/fixture.ts";
import { answering } from "../../../test/support/toolbox.ts";

const IN_PROCESS = fileURLToPath(new URL("./in-process.ts", import.meta.url));

describe("reading files", () => {
  it("[P5] registers its module hooks once, however many files are read at the same time", () => {
    const names = Array.from({ length: 20 }, (_, index) => `tool${index}`);
    const { tools } = sandbox(Object.fromEntries(names.map((name) => [`${name}.ts`, answering(`"${name}"`)])));
    const script = `
      import module, { syncBuiltinESMExports } from "node:module";
      const { registerHooks } = module;
      let times = 0;
      module.registerHooks = (hooks) => ((times += 1), registerHooks(hooks));
      syncBuiltinESMExports();
      const { InProcess } = await import(${JSON.stringify(IN_PROCESS)});
      const hosts = new InProcess({ cwd: ".", worktree: ".", importMs: 10_000, log: () => {} });
      const about = { source: "custom", place: "project", system: "toolwright" };
      const names = ${JSON.stringify(names)};
      const files = names.map((name) => ({ file: ${JSON.stringify(tools)} + "/" + name + ".ts", name, ...about }));
      const manifests = await hosts.load(files);
      console.log(times, manifests.flatMap(({ tools }) => tools).length);
      await hosts.close();`;
    const said = execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
    expect(said.trim()).toBe("1 20");
  });
});
