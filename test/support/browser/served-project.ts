import { spawn } from "node:child_process";
import { CLI, ensureBuilt } from "../cli.ts";
import { fillProject, type ProjectContents } from "../fill-project.ts";
import { firstLine } from "../first-line.ts";
import { makeSandbox, type Sandbox } from "../fixture.ts";
import { leftProcesses } from "../processes.ts";

/** How a project is served. */
export interface ServedOptions extends ProjectContents {
  readonly args?: readonly string[];
  /** Whether the project is trusted; true by default. */
  readonly trusted?: boolean;
}

/** A project that a real `toolwright serve` serves, on a port of its own. */
export interface ServedProject {
  readonly at: Sandbox;
  readonly url: string;
  readonly token: string;
  /** The URL that logs a browser in. */
  readonly loginUrl: string;
  /** Writes a file of the project. */
  put(path: string, text: string): void;
  /** A request with the token, as a program sends it. */
  api(path: string, body?: unknown): Promise<Response>;
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Starts the server again on the same port, after `kill`: with the same token or another one. */
  start(token?: string): Promise<void>;
  /** Ends the server and removes the project. Rejects if a process of it is left. */
  close(): Promise<void>;
}

const TOKEN = "token-of-the-browser-tests";

/** Serves a new project with the built program. */
export async function serveProject(options: ServedOptions = {}): Promise<ServedProject> {
  ensureBuilt();
  const at = makeSandbox();
  const put = fillProject(at, options);

  let server = await startServer(at, options, 0, TOKEN);
  const { url } = server;
  let token = TOKEN;
  return {
    at,
    url,
    get token() {
      return token;
    },
    get loginUrl() {
      return `${url}/?token=${token}`;
    },
    put,
    api: (path, body) =>
      fetch(url + path, {
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      }),
    kill: (signal) => server.kill(signal),
    start: async (next = token) => {
      token = next;
      server = await startServer(at, options, Number(new URL(url).port), token);
    },
    close: async () => {
      await server.kill("SIGTERM");
      const left = await leftProcesses(at.home);
      at.remove();
      if (left.length > 0) throw new Error(`The server left processes behind: ${left.join("; ")}`);
    },
  };
}

interface StartedServer {
  readonly url: string;
  kill(signal: NodeJS.Signals): Promise<void>;
}

async function startServer(at: Sandbox, options: ServedOptions, port: number, token: string): Promise<StartedServer> {
  const trust = options.trusted === false ? [] : ["--trust"];
  const args = [CLI, "serve", ...trust, "--port", String(port), "--json", ...(options.args ?? [])];
  const env = { ...at.env, TMPDIR: at.root, TOOLWRIGHT_TOKEN: token };
  const child = spawn(process.execPath, args, { cwd: at.project, env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const line = await firstLine(child);
  return {
    url: (JSON.parse(line) as { url: string }).url,
    kill: (signal) => {
      child.kill(signal);
      return ended;
    },
  };
}
