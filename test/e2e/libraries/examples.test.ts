import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { ANTHROPIC } from "../../support/agents/anthropic-wire.ts";
import { CHAT } from "../../support/agents/chat-wire.ts";
import { CLAUDE_CODE } from "../../support/agents/claude-code.ts";
import { RESPONSES } from "../../support/agents/responses-wire.ts";
import { startModel } from "../../support/agents/scripted-model.ts";
import type { Wire } from "../../support/agents/wire.ts";
import { type Sandbox, sandbox } from "../../support/fixture.ts";
import { installed, MODULES } from "../../support/installed.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const EXAMPLES = join(ROOT, "examples/libraries");

const PACKAGES = ["libraries", "claude-agent-sdk", "copilot-sdk"] as const;

const missing = (await Promise.all(PACKAGES.map(installed))).find((reason) => reason !== undefined);

/** A project with the example tool and the examples, in which the libraries and this package are installed. */
function project(): Sandbox {
  const at = sandbox();
  copyFileSync(join(ROOT, "examples/tools/days-between.js"), join(at.tools, "days-between.js"));
  for (const file of readdirSync(EXAMPLES)) copyFileSync(join(EXAMPLES, file), join(at.project, file));
  const modules = join(at.project, "node_modules");
  mkdirSync(modules);
  symlinkSync(ROOT, join(modules, "toolwright"));
  mkdirSync(join(modules, "@types"));
  symlinkSync(join(ROOT, "node_modules/@types/node"), join(modules, "@types/node"));
  for (const name of PACKAGES) link(MODULES[name], modules);
  writeFileSync(join(at.project, "package.json"), '{ "type": "module" }');
  return at;
}

/** Links each package of a folder, those of scopes one by one, unless it is linked already. */
function link(from: string, to: string): void {
  for (const name of readdirSync(from)) {
    if (name.startsWith("@")) {
      mkdirSync(join(to, name), { recursive: true });
      link(join(from, name), join(to, name));
    } else if (!name.startsWith(".") && !readdirSync(to).includes(name)) symlinkSync(join(from, name), join(to, name));
  }
}

const EXAMPLE_WIRES: readonly (readonly [string, Wire])[] = [
  ["1-claude.ts", ANTHROPIC],
  ["2-copilot.ts", CHAT],
  ["3-langchain.ts", RESPONSES],
  ["4-ai-sdk.ts", RESPONSES],
  ["5-openai-responses.ts", RESPONSES],
  ["6-openai-agents.ts", RESPONSES],
  ["7-openai-chat.ts", CHAT],
];

describe.skipIf(missing)(
  `[G8] the examples for libraries${missing ? ` (${missing})` : ""}`,
  { timeout: 180_000 },
  () => {
    it.each(EXAMPLE_WIRES)("%s calls a tool", async (file, wire) => {
      const at = project();
      const name = wire === ANTHROPIC ? "mcp__toolwright__days-between" : "days-between";
      const call = { call: name, input: { from: "2026-01-01", to: "2026-02-01" } };
      const model = await startModel(wire, [call, { say: "January has 31 days." }]);
      onTestFinished(() => model.close());
      const TMPDIR = join(at.root, "tmp");
      mkdirSync(TMPDIR);
      const env = {
        ...{ ...at.env, TMPDIR, OPENAI_API_KEY: "dummy", OPENAI_BASE_URL: `${model.origin}/v1` },
        ...{ OPENAI_AGENTS_DISABLE_TRACING: "1", CLAUDE_CODE_TMPDIR: TMPDIR, ...CLAUDE_CODE.env?.(model.origin) },
      };
      const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: at.project, env });
      expect(stdout).toMatch(/January has 31 days\.\n$/);
      expect(model.heard.at(-1)?.answers[0]?.text).toMatch(/^31\b/);
    });

    it("have no type errors with the types of the libraries", async () => {
      const at = project();
      const compilerOptions = {
        ...{ target: "es2024", module: "nodenext", strict: true, exactOptionalPropertyTypes: true, noEmit: true },
        ...{ skipLibCheck: true, types: ["node"] },
      };
      writeFileSync(join(at.project, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
      const tsc = join(ROOT, "node_modules/.bin/tsc");
      const { stdout } = await promisify(execFile)(tsc, ["-p", at.project], { cwd: at.project }).catch(
        (error) => error,
      );
      expect(stdout).toBe("");
    });
  },
);
