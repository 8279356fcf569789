import { type GitCall, runGit } from "./run-git.ts";

const WANTED = String.raw`^(remote\..*\.url|branch\..*\.remote)$`;

/** The URL of the remote that the branch follows, else of "origin", else of the first remote; null without a remote. */
export async function findRemoteUrl(branch: string | null, call: GitCall): Promise<string | null> {
  const { code, stdout } = await runGit(["config", "--null", "--get-regexp", WANTED], call);
  if (code !== 0) return null;
  const settings = settingsIn(stdout);
  const followed = settings.get(`branch.${branch}.remote`);
  const names = [...settings.keys()].filter((name) => name.startsWith("remote."));
  const [name] = [`remote.${followed}.url`, "remote.origin.url", ...names].filter((each) => settings.has(each));
  const address = name === undefined ? undefined : settings.get(name);
  return address === undefined ? null : withoutCredentials(address);
}

/** Settings by name. The first URL of a remote counts: git fetches from it. */
function settingsIn(listing: string): Map<string, string> {
  const settings = new Map<string, string>();
  for (const entry of listing.split("\0")) {
    const at = entry.indexOf("\n");
    const name = entry.slice(0, Math.max(0, at));
    if (at >= 0 && !settings.has(name)) settings.set(name, entry.slice(at + 1));
  }
  return settings;
}

const HIDDEN = "(not shown: it may contain a password)";

/** The URL of a remote without user names and secrets. */
export function withoutCredentials(address: string): string {
  const [, helper = "", scheme, authority = "", path = ""] =
    /^((?:[\w-]+::)*)([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/is.exec(address) ?? [];
  if (scheme === undefined) return withoutScheme(address);
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  if (!/^(?:\[[^\]]*\]|[^:]*)(?::\d*)?$/.test(host)) return `${helper}${scheme}://${HIDDEN}`;
  return `${helper}${scheme}://${loginIn(authority, scheme)}${host}${plainPath(path)}`;
}

/** A path, or `user@host:path`, which cannot contain a password. The text after a remote helper can be anything. */
function withoutScheme(address: string): string {
  const [helper] = /^[\w-]+::/.exec(address) ?? [];
  if (helper !== undefined) return `${helper}${HIDDEN}`;
  return /^[^/\\@:]+:[^/\\@]*@/.test(address) ? HIDDEN : address;
}

/** Keeps the login of ssh URLs, which names the account. In web URLs the login may be a token. */
function loginIn(authority: string, scheme: string): string {
  const [login] = authority.split(/[:@]/, 1);
  return /ssh/i.test(scheme) && authority.includes("@") && login ? `${login}@` : "";
}

/** Queries may contain tokens, and a path may contain another URL. */
function plainPath(path: string): string {
  return path.replace(/[?#].*$/s, "").replace(/:\/\/[^/]*@/g, "://");
}
