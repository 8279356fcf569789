import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Runs the official conformance suite, pinned, against the server in test/support/conformance-server.ts, and ends with a
 * line for each revision: `2025-11-25: N of N`. Scenarios that are not scored are listed with the suite's reason.
 */
const REVISIONS = ["2025-11-25", "2026-07-28"];
const FOLDER = fileURLToPath(new URL("../../e2e/conformance", import.meta.url));
const SERVER = fileURLToPath(new URL("../support/conformance-server.ts", import.meta.url));

install();
const server = spawn(process.execPath, [SERVER], { stdio: ["ignore", "pipe", "inherit"] });
const folder = await mkdtemp(join(tmpdir(), "toolwright-conformance-"));
try {
  const url = await firstLine(server.stdout);
  const lines = REVISIONS.map((revision) => run(revision, url));
  console.log(lines.join("\n"));
} finally {
  server.kill("SIGTERM");
  await rm(folder, { recursive: true, force: true });
}

function install() {
  if (existsSync(join(FOLDER, "node_modules/.package-lock.json"))) return;
  execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--ignore-scripts"], {
    cwd: FOLDER,
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
}

/** The suite writes its results into the folder it is started in. */
function run(revision, url) {
  const { resolve } = createRequire(join(FOLDER, "package.json"));
  const suite = resolve("@modelcontextprotocol/conformance/package.json").replace(/package\.json$/, "dist/index.js");
  const args = [suite, "server", "--url", url, "--requirements", revision];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8", timeout: 300_000 });
  const [, summary = ""] = stdout.split("=== SUMMARY ===");
  const reasons = new Map([...summary.matchAll(/^ {2}[✓✗] (\S+) \(([\w-]+)\)$/gm)].map(([, name, why]) => [name, why]));
  const results = [...summary.matchAll(/^([✓✗]) (\S+): (\d+) passed, (\d+) failed$/gm)];
  const scored = results.filter(([, , name]) => !reasons.has(name));
  const failed = scored.filter(([, sign]) => sign !== "✓");
  for (const [line] of failed) console.log(`${revision}: ${line}`);
  for (const [line, , name] of results) {
    if (reasons.has(name)) console.log(`${revision}: not scored (${reasons.get(name)}): ${line}`);
  }
  if (scored.length === 0) console.log(`${stdout}\n${stderr}`);
  if (scored.length === 0 || failed.length > 0) process.exitCode = 1;
  return `${revision}: ${scored.length - failed.length} of ${scored.length}`;
}

function firstLine(stream) {
  return new Promise((done, fail) => {
    let text = "";
    stream.setEncoding("utf8").on("data", (more) => {
      text += more;
      const end = text.indexOf("\n");
      if (end >= 0) done(text.slice(0, end));
    });
    stream.on("end", () => fail(new Error("The server ended before it was ready.")));
  });
}
