import type { TemplatePart } from "../../../platform/processes/shell-words.ts";
import { PluginProblem } from "./plugin-issue.ts";

type Get = (name: string) => string | undefined;
type Parts = readonly TemplatePart[];

/** Throws if no values can make the URL valid. */
export function checkUrlTemplate(parts: Parts): void {
  if (typeof parts[0] === "object") return;
  const path = ["handler", "url"];
  const text = parts.map((part) => (typeof part === "string" ? part : "1")).join("");
  if (!/^https?:\/\//i.test(text)) {
    throw new PluginProblem(
      path,
      "handler.url must start with http:// or https://, or with a placeholder for the base URL.",
    );
  }
  const url = URL.parse(text);
  if (!url) throw new PluginProblem(path, "handler.url is not a valid URL. Correct it.");
  refuseHostSuffix(parts, path);
  if (hasCredentials(url)) {
    throw new PluginProblem(
      path,
      'handler.url contains a user name or a password. Send them in handler.headers, as "Authorization".',
    );
  }
}

/** In `https://example.com{{path}}`, the value `.evil.org` would change the host. */
function refuseHostSuffix(parts: Parts, path: readonly string[]): void {
  const text = parts.map((part) => (typeof part === "string" ? part : `\0${part.value}\0`)).join("");
  const [, name] = /^https?:\/\/[^/?#]*[^/?#.:\0]\0([^\0]*)\0(?=[:/?#]|$)/i.exec(text) ?? [];
  if (name === undefined) return;
  throw new PluginProblem(
    path,
    `{{${name}}} directly follows the host in handler.url, so a value could change the host. Put a "/" between them.`,
  );
}

/**
 * Inserts the values, percent-encoded, except a leading placeholder, which is a base URL. Any other value can change
 * neither scheme nor host, and cannot leave its path segment. A model reads the messages of the errors.
 */
export function fillUrl(parts: Parts, get: Get): URL {
  const [first, ...others] = parts;
  const hasBase = typeof first === "object";
  const [address = []] = split(hasBase ? others : parts, "#");
  const [path = [], ...queries] = split(address, "?");
  const base = hasBase ? baseOf(first.value, get, address.length > 0) : undefined;
  const query = queries.flatMap((each) => split(each, "&")).flatMap((pair) => fillPair(pair, get));
  const rest = `${split(path, "/")
    .map((segment) => fillSegment(segment, get))
    .join("/")}${query.length > 0 ? "?" : ""}${query.join("&")}`;
  const text = base === undefined ? rest : joined(base.href, rest);
  const url = URL.parse(text);
  if (!url) throw new Error(`The values do not make a valid URL: ${text}. Correct them.`);
  refuseBadUrl(url);
  url.hash = "";
  return url;
}

/** The rules for every request, redirects included. */
export function refuseBadUrl(url: URL): void {
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new Error(`${url.protocol} URLs are not fetched, only http: and https: URLs.`);
  }
  if (hasCredentials(url)) throw new Error(`A URL with a user name or a password is not fetched: ${url.host}.`);
}

function baseOf(name: string, get: Get, isContinued: boolean): URL {
  const value = get(name) ?? "";
  const url = /^https?:\/\/[^\s\\\x00-\x1f]+$/i.test(value) ? URL.parse(value) : null;
  if (!url) {
    throw new Error(
      `"${name}" must be an absolute URL that starts with http:// or https://, such as https://example.com.`,
    );
  }
  if (hasCredentials(url)) throw new Error(`"${name}" contains a user name or a password. Send the URL without them.`);
  if (isContinued && /[?#]/.test(value)) {
    throw new Error(`"${name}" contains "?" or "#", but the tool extends its path. Send the URL without them.`);
  }
  return url;
}

function joined(base: string, rest: string): string {
  return rest.startsWith("/") || rest.startsWith("?") ? base.replace(/\/$/, "") + rest : base + rest;
}

/** Of all encoded values, only `.` and `..` lead to another path. */
function fillSegment(segment: Parts, get: Get): string {
  const missing = segment.find((part) => typeof part === "object" && (get(part.value) ?? "") === "");
  if (missing) throw new Error(`The URL needs "${nameOf(missing)}". Send a value for it.`);
  const text = fill(segment, get);
  const value = segment.find((part) => typeof part === "object");
  if (value && /^(?:\.|%2e){1,2}$/i.test(text)) {
    throw new Error(`"${nameOf(value)}" would lead to another path on the server. Send a name, not "${text}".`);
  }
  return text;
}

/** A query parameter whose argument was not sent is omitted. */
function fillPair(pair: Parts, get: Get): string[] {
  const isMissing = pair.some((part) => typeof part === "object" && get(part.value) === undefined);
  return isMissing ? [] : [fill(pair, get)];
}

function fill(parts: Parts, get: Get): string {
  return parts
    .map((part) => (typeof part === "string" ? part : encodeURIComponent((get(part.value) ?? "").toWellFormed())))
    .join("");
}

/** Splits the text of the author, never a value. */
function split(parts: Parts, separator: string): TemplatePart[][] {
  const groups: TemplatePart[][] = [[]];
  for (const part of parts) {
    const [head, ...tail] = typeof part === "string" ? part.split(separator) : [part];
    groups.at(-1)?.push(head as TemplatePart);
    for (const piece of tail) groups.push([piece]);
  }
  return groups.map((group) => group.filter((part) => part !== ""));
}

function nameOf(part: TemplatePart | undefined): string {
  return typeof part === "object" ? part.value : "";
}

function hasCredentials(url: URL): boolean {
  return url.username !== "" || url.password !== "";
}
