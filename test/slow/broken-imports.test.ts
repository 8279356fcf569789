import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";

/** Vitest has its own loader, so this test uses a plain Node process: one for all cases, each in a separate folder. */
const HOOKS = fileURLToPath(new URL("../../src/host/loader/node-hooks.ts", import.meta.url));

type Files = Readonly<Record<string, string>>;

/** The reasons why `broken.ts` does not load. */
const BROKEN: Files = {
  "has a syntax error": "export default {\n  x: ,\n};\n",
  "imports a package that is not installed": 'import "missing-package";\nexport default 1;\n',
  "imports a file that does not exist": 'import "./gone.ts";\nexport default 1;\n',
  "imports a name that does not exist": 'import { nope } from "node:path";\nexport default nope;\n',
  "needs Bun": 'import { $ } from "bun";\nexport default $;\n',
  "throws when it is evaluated": 'throw new Error("boom");\n',
  "rejects in a top-level await": 'await Promise.reject(new Error("boom"));\n',
  "throws after a top-level await": 'await new Promise((done) => setTimeout(done, 5));\nthrow new Error("boom");\n',
  "waits for ever": "await new Promise(() => setTimeout(() => {}, 1_000_000));\n",
  "is CommonJS that throws": 'module.exports = {};\nthrow new Error("boom");\n',
};

/** Files that import both `good.ts` and `broken.ts`, and therefore do not load either. */
const BARRELS: Readonly<Record<string, Files>> = {
  imports: { "all.ts": 'import "./good.ts";\nimport "./broken.ts";\nexport default 1;\n' },
  "imports, the broken file first": { "all.ts": 'import "./broken.ts";\nimport "./good.ts";\nexport default 1;\n' },
  "export *": { "all.ts": 'export * from "./good.ts";\nexport * from "./broken.ts";\n' },
  "two barrels": {
    "all.ts": 'import "./good.ts";\nimport "./broken.ts";\nexport default 1;\n',
    "many.ts": 'import "./broken.ts";\nimport "./good.ts";\nexport default 1;\n',
  },
  "a barrel of a barrel": {
    "all.ts": 'export * from "./many.ts";\nexport * from "./good.ts";\n',
    "many.ts": 'export * from "./good.ts";\nexport * from "./broken.ts";\n',
  },
  "imports in a cycle": {
    "all.ts": 'import "./good.ts";\nimport "./many.ts";\nexport default 1;\n',
    "many.ts": 'import "./all.ts";\nimport "./broken.ts";\nexport default 1;\n',
  },
  "imports and a top-level await": {
    "all.ts": 'import "./good.ts";\nimport "./broken.ts";\nawait 1;\nexport default 1;\n',
  },
  "import() one after the other": {
    "all.ts": 'await import("./broken.ts");\nawait import("./good.ts");\nexport default 1;\n',
  },
  "import() of both at once": {
    "all.ts": 'await Promise.all([import("./good.ts"), import("./broken.ts")]);\nexport default 1;\n',
  },
  "require() of both": { "all.ts": 'require("./good.ts");\nrequire("./broken.ts");\nexport default 1;\n' },
  "require() in a .cjs file": {
    "all.cjs": 'require("./good.ts");\nrequire("./broken.ts");\nmodule.exports = 1;\n',
  },
  "require() of a barrel in a .cjs file": {
    "all.cjs": 'require("./many.mts");\nmodule.exports = 1;\n',
    "many.mts": 'import "./good.ts";\nimport "./broken.ts";\nexport default 1;\n',
  },
};

/** The kinds of healthy files. */
const GOOD: Readonly<Record<string, Files>> = {
  "a module": { "good.ts": 'export default "good";\n' },
  "a module with an import": {
    "good.ts": 'import { value } from "./value.ts";\nexport default value;\n',
    "value.ts": 'export const value = "good";\nexport default value;\n',
  },
  "a module that another healthy one imports": {
    "good.ts": 'export default "good";\n',
    "user.ts": 'import value from "./good.ts";\nexport default value;\n',
  },
  "a module with a top-level await": {
    "good.ts": 'await new Promise((done) => setTimeout(done, 2));\nexport default "good";\n',
  },
  CommonJS: { "good.ts": 'module.exports = "good";\n' },
  "a cycle": {
    "good.ts": 'import "./twin.ts";\nexport default "good";\n',
    "twin.ts": 'import "./good.ts";\nexport default "good";\n',
  },
};

const WAYS = ["one after the other", "at the same time"] as const;

interface Case {
  readonly label: string;
  readonly folder: string;
  /** In the order of loading. */
  readonly files: readonly string[];
  readonly together: boolean;
  readonly good: readonly string[];
}

const root = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-broken-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A file that is not healthy may hang, so the wait for it is short. */
const SCRIPT = `
  import { readFileSync } from "node:fs";
  import { join } from "node:path";
  import { createLoader } from ${JSON.stringify(HOOKS)};
  // As in a host process: Node reports the failure of a CommonJS file that a module imports again, as an unhandled rejection.
  process.on("unhandledRejection", () => {});
  const loader = createLoader();
  const load = (file) => loader.load(file).then(({ default: value }) => String(value)).catch((error) => "failed: " + error.message.split("\\n")[0]);
  const late = (ms) => new Promise((done) => setTimeout(done, ms, "late"));
  const answers = await Promise.all(JSON.parse(readFileSync(process.argv.at(-1), "utf8")).map(async ({ folder, files, together, good }) => {
    const found = new Map();
    for (const file of files) {
      const loading = Promise.race([load(join(folder, file)), late(good.includes(file) ? 15_000 : 100)]).then((answer) => found.set(file, answer));
      if (!together) await loading;
    }
    while (found.size < files.length) await new Promise((done) => setTimeout(done, 10));
    return files.map((file) => [file, found.get(file)]);
  }));
  console.log(JSON.stringify(answers));
  process.exit(0);`;

async function loadAll(cases: readonly Case[]): Promise<Map<string, (readonly [string, string])[]>> {
  const list = join(root, "cases.json");
  writeFileSync(list, JSON.stringify(cases));
  const args = ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", SCRIPT, "--", list];
  const options = { env: { PATH: process.env.PATH ?? "" }, maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)(process.execPath, args, options);
  const answers = JSON.parse(stdout) as (readonly [string, string])[][];
  return new Map(cases.map(({ label }, at) => [label, answers[at] ?? []]));
}

function casesOf(broken: string): Case[] {
  return Object.entries(BARRELS).flatMap(([how, barrel]) =>
    Object.entries(GOOD).flatMap(([kind, good]) => {
      const files = [...Object.keys(barrel), "broken.ts", ...Object.keys(good)];
      const orders = { "barrel first": files, "barrel last": [...files].reverse() };
      return WAYS.flatMap((way) =>
        Object.entries(orders).map(([when, order]): Case => {
          const folder = mkdtempSync(join(root, "case-"));
          for (const [name, text] of Object.entries({ ...barrel, ...good, "broken.ts": broken })) {
            mkdirSync(dirname(join(folder, name)), { recursive: true });
            writeFileSync(join(folder, name), text);
          }
          const label = `${how}; ${kind}; ${when}; ${way}`;
          return { label, folder, files: order, together: way === "at the same time", good: Object.keys(good) };
        }),
      );
    }),
  );
}

describe("[D5] a file that is imported beside a broken one, in every order", () => {
  it.each(Object.entries(BROKEN))("loads if the other %s", async (_, broken) => {
    const cases = casesOf(broken);
    const found = await loadAll(cases);
    const wrong = cases.flatMap(({ label, good }) =>
      (found.get(label) ?? [])
        .filter(([file, answer]) => good.includes(file) !== (answer === "good") || answer.includes("Cannot access"))
        .map(([file, answer]) => `${label}; ${file}: ${answer}`),
    );
    expect(wrong).toEqual([]);
  });
});
