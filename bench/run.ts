/** `node bench/run.ts [--strict] [case…]`: runs the benchmarks, prints a table for each, and writes the numbers to JSON files. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { agentClaude, agentCopilot, agentLangchain, agentMemory } from "./cases/agents.ts";
import { call } from "./cases/call.ts";
import { chatOutput, chatProgress, chatTokens } from "./cases/chat-terminal.ts";
import { editFile, readFile } from "./cases/files.ts";
import { floodMemory, floods } from "./cases/floods.ts";
import { globAll, globSome } from "./cases/glob.ts";
import { grepCommon, grepRare } from "./cases/grep.ts";
import { httpList } from "./cases/http.ts";
import { httpFirstEvent, httpSessions } from "./cases/http-sessions.ts";
import { listCold, listFolder, listWarm } from "./cases/list.ts";
import { mcpHttp, mcpMany, mcpSlow, mcpStart, mcpStdio } from "./cases/mcp.ts";
import { sessionCount, sessionGrowth } from "./cases/session-growth.ts";
import { sessionReaders } from "./cases/session-readers.ts";
import { runSession, sessionAppend, sessionFollowers } from "./cases/sessions.ts";
import { slowPattern } from "./cases/slow-pattern.ts";
import { truncateStream, truncateText } from "./cases/truncate.ts";
import { version } from "./cases/version.ts";
import { type Case, measure, type Outcome } from "./harness.ts";
import { RESULTS } from "./places.ts";
import { reportLines } from "./report.ts";

const CASES: readonly Case[] = [
  listCold,
  listWarm,
  version,
  call,
  slowPattern,
  truncateText,
  truncateStream,
  grepRare,
  grepCommon,
  globAll,
  globSome,
  listFolder,
  readFile,
  editFile,
  httpList,
  mcpStdio,
  mcpHttp,
  mcpStart,
  mcpMany,
  mcpSlow,
  sessionAppend,
  sessionFollowers,
  sessionReaders,
  sessionGrowth,
  sessionCount,
  httpSessions,
  httpFirstEvent,
  runSession,
  agentLangchain,
  agentCopilot,
  agentClaude,
  agentMemory,
  chatTokens,
  chatProgress,
  chatOutput,
  ...floods,
  floodMemory,
];

process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { strict: { type: "boolean" } } });
  const unknown = positionals.filter((name) => !CASES.some((each) => each.name === name));
  if (unknown.length > 0) {
    console.error(`Unknown case: ${unknown.join(", ")}. Known cases: ${CASES.map(({ name }) => name).join(", ")}.`);
    return 2;
  }
  const chosen = CASES.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const failed: string[] = [];
  for (const each of chosen) if (!(await runCase(each))) failed.push(each.name);
  if (failed.length > 0) console.log(`\nMissed or failed: ${failed.join(", ")}.`);
  return values.strict && failed.length > 0 ? 1 : 0;
}

/** Whether the case ran and met all its goals. A case that fails does not stop the others. */
async function runCase(each: Case): Promise<boolean> {
  console.log(`\n${each.name}: ${each.about}\n`);
  try {
    const outcome = await inFolder((folder) => measureCase(each, folder));
    for (const line of reportLines(outcome)) console.log(`  ${line}`.trimEnd());
    store(each, outcome);
    return outcome.verdicts.every(({ met }) => met);
  } catch (error) {
    console.error(`  Failed: ${error instanceof Error ? error.message : error}`);
    return false;
  }
}

async function measureCase(each: Case, folder: string): Promise<Outcome> {
  const bench = await each.prepare(folder);
  try {
    return await measure(bench);
  } finally {
    await bench.close?.();
  }
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "toolwright-bench-")));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function store(each: Case, outcome: Outcome): void {
  const machine = { node: process.version, platform: process.platform, cpu: cpus()[0]?.model, cores: cpus().length };
  mkdirSync(RESULTS, { recursive: true });
  const record = { case: each.name, about: each.about, at: new Date().toISOString(), machine, ...outcome };
  writeFileSync(join(RESULTS, `${each.name}.json`), `${JSON.stringify(record, null, 2)}\n`);
}
