import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createToolbox, type Toolbox, type ToolboxOptions } from "../../src/index.ts";
import { allRoutes } from "../../src/surfaces/http/server/routes/routes.ts";
import { type HttpOptions, type HttpServer, serveHttp } from "../../src/surfaces/http/server/serve-http.ts";
import { clientApprover, createProtocol, OpenCalls } from "../../src/surfaces/mcp/index.ts";
import { project, type Sandbox } from "./fixture.ts";

export const TOKEN = "a-token-for-tests-only";

/** Options of the server and of its toolbox. */
export interface ServerOptions extends Partial<HttpOptions> {
  readonly settings?: object;
  readonly tools?: ToolboxOptions;
}

/** A server for a temporary project, and functions that send requests to it. */
export interface TestServer {
  readonly server: HttpServer;
  readonly toolbox: Toolbox;
  readonly at: Sandbox;
  readonly url: string;
  readonly port: number;
  /** Sends the token, unless the headers have another. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  /** Posts a value as JSON. */
  post(path: string, body: unknown, init?: RequestInit): Promise<Response>;
}

/** Serves a project with these files. Everything is closed at the end of the current test. */
export async function openServer(files: Record<string, string> = {}, options: ServerOptions = {}): Promise<TestServer> {
  const { settings = {}, tools = {}, ...more } = options;
  const at = project(files);
  const home = at.env.TOOLWRIGHT_HOME as string;
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "settings.json"), JSON.stringify(settings));
  const calls = new OpenCalls();
  const approve = clientApprover(calls);
  const toolbox = await createToolbox({
    cwd: at.project,
    env: at.env,
    trust: true,
    builtins: false,
    approve,
    ...tools,
  });
  const protocol = createProtocol(toolbox, { calls });
  const server = await serveHttp({ toolbox, protocol, routes: allRoutes, token: TOKEN, ...more });
  onTestFinished(async () => {
    await server.stop();
    await protocol.close();
    await toolbox.close();
  });
  const url = server.origin;
  const ask: TestServer["ask"] = (path, init = {}) =>
    fetch(`${url}${path}`, { ...init, headers: { authorization: `Bearer ${TOKEN}`, ...init.headers } });
  const post: TestServer["post"] = (path, body, init = {}) =>
    ask(path, {
      method: "POST",
      body: JSON.stringify(body),
      ...init,
      headers: { "content-type": "application/json", ...init.headers },
    });
  return { server, toolbox, at, url, port: Number(new URL(url).port), ask, post };
}

/** Parses an event stream. */
export function eventsIn(text: string): { event: string; data: Record<string, unknown> }[] {
  return [...text.matchAll(/^event: (.*)\ndata: (.*)$/gm)].map(([, event = "", data = ""]) => ({
    event,
    data: JSON.parse(data),
  }));
}
