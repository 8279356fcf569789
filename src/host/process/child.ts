/** The entry point of a host process. */
import { Worker } from "node:worker_threads";
import { endRunFromOutside, guardCommand } from "../../platform/processes/process-guard.ts";
import { hasLeftGroup } from "../../platform/processes/process-table.ts";
import { killGroup } from "../../platform/processes/process-tree.ts";
import { RUN_MARKER } from "../../platform/processes/run-marker.ts";
import { bunTooOld } from "../protocol/runtime.ts";
import { type HostOptions, HostServer } from "./host-server.ts";
import { markStdio } from "./mark-stdio.ts";
import { type ParentLink, takeParentLink } from "./parent-link.ts";

const [importMs = "10000", worktree = process.cwd(), printKey = "", mark = "", canMoveToBun] = process.argv.slice(2);
// Of the programs that tools start, not of this process: whoever ends those must not end it before it has cleaned up.
process.env[RUN_MARKER] = mark;
markStdio(printKey);
serve({ importMs: Number(importMs), worktree, canMoveToBun: canMoveToBun !== undefined });

function serve(options: HostOptions): void {
  const link = takeParentLink({ message: (message) => server.receive(message), closed: () => shutDownAndExit() });
  const server = new HostServer(link, options, (error) => fail(error));
  const { shutDownAndExit, fail } = guard(link, server);
  const { bun } = process.versions;
  const tooOld = bun === undefined ? undefined : bunTooOld(bun);
  if (tooOld === undefined) return link.send({ type: "ready" });
  link.send({ type: "ending", reason: tooOld, started: [] });
  void Promise.resolve(link.drained()).then(() => process.exit(1));
}

/** How long files may take to clean up. */
const SHUTDOWN_MS = 800;

/**
 * Reports why this process ends, if it still can. `shutDownAndExit` lets files clean up first. `fail` exits at once, for an
 * error of the host's own code: the serving process must not wait for an answer that never comes.
 */
function guard(link: ParentLink, server: HostServer): { shutDownAndExit(): void; fail(error: unknown): void } {
  const exit = process.exit.bind(process);
  const sendEnding = (reason: string): void => {
    link.send({ type: "ending", reason, started: server.started });
    void link.drained();
  };
  const fail = (error: unknown): void => {
    console.error(error);
    sendEnding(`an uncaught error: ${error instanceof Error ? error.message : error}`);
    exit(1);
  };
  process.on("uncaughtException", fail);
  process.on("unhandledRejection", (reason) => console.error("Unhandled rejection in a tool:", reason));
  process.on("exit", (code) => sendEnding(`a tool called process.exit(${code})`));
  endWithParent();
  const shutDownAndExit = (): void => {
    // Ends the processes that tools started. It runs after the exit listeners of tools.
    process.on("exit", () => {
      if (!server.isRetired && hasLeftGroup(process.pid, mark)) endRunFromOutside(mark);
      killGroup(process.pid);
    });
    setTimeout(() => exit(0), SHUTDOWN_MS);
    void server.shutDown().finally(() => exit(0));
  };
  return { shutDownAndExit, fail };
}

/**
 * Ends this process and what its tools started when its parent has exited. A thread checks it, since the main thread may be
 * blocked. It starts before the first import, and gets the id of the parent, which may have exited before the thread runs. See
 * `platform/processes/process-guard.ts`.
 */
function endWithParent(): void {
  const self = process.platform === "win32" ? "process.pid" : "-process.pid";
  const guard = JSON.stringify([...guardCommand(), JSON.stringify([{ id: 1, add: { mark } }])]);
  const code = `setInterval(() => {
    if (process.ppid === ${process.ppid}) return;
    try {
      const { spawn } = process.getBuiltinModule("node:child_process");
      spawn(process.execPath, ${guard}, { stdio: "ignore", detached: true, windowsHide: true, env: {} });
    } finally {
      process.kill(${self}, "SIGKILL");
    }
  }, 1000);`;
  const resourceLimits = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 };
  new Worker(code, { eval: true, stdout: true, stderr: true, execArgv: [], env: {}, resourceLimits }).unref();
}
