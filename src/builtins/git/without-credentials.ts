const HIDDEN = "(not shown: it may hold a password)";

/** The address of a remote as it may be shown: who has access, and by what secret, is left out. */
export function withoutCredentials(address: string): string {
  const [, helper = "", scheme, authority = "", path = ""] =
    /^((?:[\w-]+::)*)([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/is.exec(address) ?? [];
  if (scheme === undefined) return withoutScheme(address);
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  if (!/^(?:\[[^\]]*\]|[^:]*)(?::\d*)?$/.test(host)) return `${helper}${scheme}://${HIDDEN}`;
  return `${helper}${scheme}://${loginIn(authority, scheme)}${host}${plainPath(path)}`;
}

/** A folder, or `user@host:path`, which has no place for a password; what a helper is told may be anything. */
function withoutScheme(address: string): string {
  const [helper] = /^[\w-]+::/.exec(address) ?? [];
  if (helper !== undefined) return `${helper}${HIDDEN}`;
  return /^[^/\\@:]+:[^/\\@]*@/.test(address) ? HIDDEN : address;
}

/** Over ssh it says which account is meant. On the web it may be the secret itself. */
function loginIn(authority: string, scheme: string): string {
  const [login] = authority.split(/[:@]/, 1);
  return /ssh/i.test(scheme) && authority.includes("@") && login ? `${login}@` : "";
}

/** Queries carry tokens, and a path may hold an address of its own. */
function plainPath(path: string): string {
  return path.replace(/[?#].*$/s, "").replace(/:\/\/[^/]*@/g, "://");
}
