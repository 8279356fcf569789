import type { TemplatePart } from "../../process/shell-words.ts";
import { PluginProblem } from "./plugin-issue.ts";

type Get = (name: string) => string | undefined;
type Parts = readonly TemplatePart[];

/** Refuses an address that no value could make a good one. */
export function checkUrlTemplate(parts: Parts): void {
  if (typeof parts[0] === "object") return;
  const path = ["handler", "url"];
  const text = parts.map((part) => (typeof part === "string" ? part : "1")).join("");
  if (!/^https?:\/\//i.test(text)) {
    throw new PluginProblem(
      path,
      "handler.url must start with http:// or https://, or with a placeholder for the whole address.",
    );
  }
  const url = URL.parse(text);
  if (!url) throw new PluginProblem(path, "handler.url is no valid address. Correct it.");
  refuseLongerHost(parts, path);
  if (hasCredentials(url)) {
    throw new PluginProblem(
      path,
      'handler.url has a user name or a password in it. Send them in handler.headers, as "Authorization".',
    );
  }
}

/** `https://example.com{{path}}` would let a value go on with the name of the host: `.evil.org`. */
function refuseLongerHost(parts: Parts, path: readonly string[]): void {
  const text = parts.map((part) => (typeof part === "string" ? part : `\0${part.value}\0`)).join("");
  const [, name] = /^https?:\/\/[^/?#]*[^/?#.:\0]\0([^\0]*)\0(?=[:/?#]|$)/i.exec(text) ?? [];
  if (name === undefined) return;
  throw new PluginProblem(
    path,
    `{{${name}}} stands right behind the host in handler.url, where a value could make it another host. Put a "/" between them.`,
  );
}

/**
 * The address with its values, which are percent-encoded, except for one at the start, which is a base address. A value
 * can change neither host nor scheme unless it stands there, nor leave its part of the path. Throws for a model to read.
 */
export function fillUrl(parts: Parts, get: Get): URL {
  const [first, ...others] = parts;
  const based = typeof first === "object";
  const [address = []] = split(based ? others : parts, "#");
  const [path = [], ...queries] = split(address, "?");
  const base = based ? baseOf(first.value, get, address.length > 0) : undefined;
  const query = queries.flatMap((each) => split(each, "&")).flatMap((pair) => fillPair(pair, get));
  const rest = `${split(path, "/")
    .map((segment) => fillSegment(segment, get))
    .join("/")}${query.length > 0 ? "?" : ""}${query.join("&")}`;
  const text = base === undefined ? rest : joined(base.href, rest);
  const url = URL.parse(text);
  if (!url) throw new Error(`The values make no valid address: ${text}. Correct them.`);
  refuseBadUrl(url);
  url.hash = "";
  return url;
}

/** What holds for the address of every request, redirects included. */
export function refuseBadUrl(url: URL): void {
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new Error(`${url.protocol} addresses are not fetched. Only http: and https: are.`);
  }
  if (hasCredentials(url)) throw new Error(`An address with a user name or a password is not fetched: ${url.host}.`);
}

function baseOf(name: string, get: Get, isContinued: boolean): URL {
  const value = get(name) ?? "";
  const url = /^https?:\/\/[^\s\\\x00-\x1f]+$/i.test(value) ? URL.parse(value) : null;
  if (!url) {
    throw new Error(
      `"${name}" must be a whole address that starts with http:// or https://, such as https://example.com.`,
    );
  }
  if (hasCredentials(url))
    throw new Error(`"${name}" has a user name or a password in it. Send the address without them.`);
  if (isContinued && /[?#]/.test(value)) {
    throw new Error(
      `"${name}" has a "?" or a "#" in it, but the tool adds to its path. Send the address without them.`,
    );
  }
  return url;
}

function joined(base: string, rest: string): string {
  return rest.startsWith("/") || rest.startsWith("?") ? base.replace(/\/$/, "") + rest : base + rest;
}

/** `.` and `..` are the only names that an encoded value can have and that mean another place. */
function fillSegment(segment: Parts, get: Get): string {
  const missing = segment.find((part) => typeof part === "object" && (get(part.value) ?? "") === "");
  if (missing) throw new Error(`The address cannot be made without "${namedBy(missing)}". Send a value for it.`);
  const text = fill(segment, get);
  const value = segment.find((part) => typeof part === "object");
  if (value && /^(?:\.|%2e){1,2}$/i.test(text)) {
    throw new Error(`"${namedBy(value)}" would lead to another place of the server. Send a name, not "${text}".`);
  }
  return text;
}

/** A part of the query without its value is left out. */
function fillPair(pair: Parts, get: Get): string[] {
  const isMissing = pair.some((part) => typeof part === "object" && get(part.value) === undefined);
  return isMissing ? [] : [fill(pair, get)];
}

function fill(parts: Parts, get: Get): string {
  return parts
    .map((part) => (typeof part === "string" ? part : encodeURIComponent((get(part.value) ?? "").toWellFormed())))
    .join("");
}

/** Splits at a character of the author's text, never of a value. */
function split(parts: Parts, separator: string): TemplatePart[][] {
  const groups: TemplatePart[][] = [[]];
  for (const part of parts) {
    const [head, ...tail] = typeof part === "string" ? part.split(separator) : [part];
    groups.at(-1)?.push(head as TemplatePart);
    for (const piece of tail) groups.push([piece]);
  }
  return groups.map((group) => group.filter((part) => part !== ""));
}

function namedBy(part: TemplatePart | undefined): string {
  return typeof part === "object" ? part.value : "";
}

function hasCredentials(url: URL): boolean {
  return url.username !== "" || url.password !== "";
}
