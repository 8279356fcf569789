import { ToolError } from "../../index.ts";

/** Longer addresses are cut in messages. */
const SHOWN = 200;

/**
 * Parses the address of a page: removes the fragment and a dot at the end of the host name. Throws when it cannot be
 * fetched.
 */
export function parseAddress(text: string, maxCharacters: number = Number.POSITIVE_INFINITY): URL {
  const written = text.trim();
  if (written === "") throw refused("There is no address. Write it like https://example.com/page.");
  if (written.length > maxCharacters) {
    throw refused(`The address has ${written.length} characters, and at most ${maxCharacters} are sent. Shorten it.`);
  }
  if (/[\0-\x20\x7f]/.test(written)) {
    throw refused("The address has a space or a control character in it. Write it percent-encoded: a space is %20.");
  }
  const url = URL.parse(written);
  if (!/^https?:/i.test(written)) throw notFetched(written);
  if (!url) throw refused(`${shown(written)} is not an address. Write it like https://example.com/page.`);
  return withoutExtras(url);
}

/** Parses the target of a redirect. Throws when it must not be followed. */
export function parseLocation(location: string, from: URL): URL {
  const url = URL.parse(asUtf8(location), from.href);
  if (!url) throw refused(`${from.href} redirects to ${shown(location)}, which is not an address.`);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw refused(`${from.href} redirects to a ${url.protocol} address, which is not followed.`);
  }
  if (url.username || url.password) {
    throw refused(`${from.href} redirects to an address with a user name or a password in it, which is not followed.`);
  }
  return withoutExtras(url);
}

function withoutExtras(url: URL): URL {
  url.hash = "";
  if (url.hostname.endsWith(".")) url.hostname = url.hostname.replace(/\.+$/, "");
  if (!url.username && !url.password) return url;
  url.username = "";
  url.password = "";
  throw refused(
    `The address has a user name or a password in it, and those are never sent. Write it without: ${url.href}`,
  );
}

function notFetched(written: string): ToolError {
  const scheme = /^[a-z][a-z0-9+.-]*:(?!\d)/i.exec(written)?.[0];
  if (scheme) return refused(`${scheme} addresses are not fetched. Only http: and https: are.`);
  const rest = written.replace(/^\/+/, "");
  return refused(`${shown(written)} has no scheme. Write the whole address: https://${shown(rest)}`);
}

function shown(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}...` : text;
}

/** Headers are decoded as Latin-1, but mostly contain UTF-8. */
function asUtf8(header: string): string {
  const bytes = Buffer.from(header, "latin1");
  const text = bytes.toString("utf8");
  return text.includes("\ufffd") ? header : text;
}

function refused(message: string): ToolError {
  return new ToolError("failed", message);
}
