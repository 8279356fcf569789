import { delimiter, dirname, join } from "node:path";
import { BUN_FOLDER } from "../installed.ts";
import { put } from "../temporary.ts";
import type { Agent } from "./agent.ts";
import { PI } from "./pi.ts";

const FILE = "extensions/toolwright-extension.js";

export const OH_MY_PI: Agent = {
  ...PI,
  name: "oh-my-pi",
  id: "oh-my-pi",
  program: "omp",
  config: { ...PI.config, file: `.omp/agent/${FILE}`, projectFile: `.omp/${FILE}` },
  args: ["--print", "--no-title", "--model", "local/scripted", "Note the cheese."],
  // It runs on the first `bun` on PATH.
  env: () => ({ PATH: [BUN_FOLDER, dirname(process.execPath), process.env.PATH].join(delimiter) }),
  prepare: (home, _packages, origin) => {
    const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    const models = [
      { id: "scripted", name: "scripted", input: ["text", "image"], contextWindow: 100_000, maxTokens: 4_096, cost },
    ];
    const local = { baseUrl: `${origin}/v1`, api: "openai-completions", apiKey: "dummy", models };
    put(join(home, ".omp/agent/models.yml"), JSON.stringify({ providers: { local } }));
  },
  schemas: {
    find: withIntent(PI.schemas.find),
    note: withIntent(PI.schemas.note),
    print: withIntent(PI.schemas.print),
    count: withIntent(PI.schemas.count),
  },
  ownTools: ["read", "bash", "edit", "eval", "glob", "grep", "task", "hub", "todo", "web_search", "write"],
};

/** oh-my-pi adds an argument to every tool, and does not pass it on. */
function withIntent(schema: { properties?: object; required?: readonly string[] }): object {
  const i = { type: "string", description: "concise intent" };
  return { ...schema, properties: { ...schema.properties, i }, required: [...(schema.required ?? []), "i"] };
}
