import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A page of another server on this machine. Cookies are sent to all ports of a host, so that it is the nearest attacker. */
export interface ForeignPage {
  /** Its origin with the host 127.0.0.1: same site, other origin. */
  readonly origin: string;
  /** Its origin with the host localhost: another site. */
  readonly otherSite: string;
}

/** The attacks of the page, as functions of the origin of Toolwright's server. Each resolves to a list of its successes. */
const ATTACKS = `
async function readEverything(target) {
  const read = [];
  const attempt = (path, options) => fetch(target + path, { credentials: "include", ...options }).then(async (response) => {
    const text = await response.text();
    if (text !== "") read.push(path + ": " + text.slice(0, 100));
  }).catch(() => {});
  const body = JSON.stringify({ input: {}, prompt: "call mark", agent: "demo", token: "x" });
  const types = ["text/plain", "application/json", "application/x-www-form-urlencoded"];
  for (const path of ["tools/mark/run", "sessions", "permissions/explain", "permissions/remove", "tools/reload", "logout"])
    for (const mode of ["no-cors", "cors"])
      for (const type of types) await attempt("/api/" + path, { method: "POST", mode, body, headers: { "content-type": type } });
  for (const path of ["/api/tools", "/api/catalog", "/api/sessions", "/api/calls", "/api/events", "/", "/openapi.json", "/metrics"])
    for (const mode of ["no-cors", "cors"]) await attempt(path, { mode, signal: AbortSignal.timeout(2000) });
  return read;
}

function submitForm(action) {
  const form = document.querySelector("form");
  form.action = action;
  form.submit();
}

async function loadElements(target) {
  const load = (tag, path) => new Promise((resolve) => {
    const element = document.createElement(tag);
    element.onload = () => resolve(tag + " " + path);
    element.onerror = () => resolve("");
    element[tag === "link" ? "href" : "src"] = target + path;
    if (tag === "link") element.rel = "stylesheet";
    document.body.append(element);
  });
  const stream = (path) => new Promise((resolve) => {
    const source = new EventSource(target + path, { withCredentials: true });
    source.onopen = () => resolve("events of " + path);
    source.onerror = () => { source.close(); resolve(""); };
  });
  const all = ["/api/tools", "/openapi.json", "/"].flatMap((path) => ["script", "img", "link"].map((tag) => load(tag, path)));
  return (await Promise.all([...all, stream("/api/events")])).filter(Boolean);
}

function frame(url) {
  return new Promise((resolve) => {
    const frame = document.querySelector("iframe");
    frame.onload = () => {
      try { resolve(frame.contentDocument.body.textContent); } catch { resolve(""); }
    };
    frame.src = url;
  });
}

async function openWindow(url) {
  const opened = window.open(url);
  for (let i = 0; i < 50 && !opened.closed; i++) await new Promise((done) => setTimeout(done, 100));
  return opened.closed ? [] : ["a reference to " + url];
}`;

const FORM = `<form method=post enctype=text/plain><input name='{"input":{},"prompt":"call mark","agent":"demo","x":"' value='"}'></form>`;

/** Serves the page until the current test ends. */
export async function serveForeignPage(): Promise<ForeignPage> {
  const html = `<!doctype html><title>Foreign</title><body><iframe></iframe>${FORM}<script>${ATTACKS}</script>`;
  const server: Server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, otherSite: `http://localhost:${port}` };
}
