import { domainToASCII } from "node:url";

/**
 * An address in normalized form, without user name and password. Equal addresses have equal texts, so that none bypasses a
 * rule.
 */
export function normalAddress(address: string): string {
  const url = URL.parse(address);
  if (!url) return address;
  url.username = "";
  url.password = "";
  return splitAddress(url.href).join("");
}

/** Splits an address, or a pattern for addresses, into scheme with host and the rest, both normalized. */
export function splitAddress(address: string): [host: string, rest: string] {
  const [whole = "", scheme = "", host = "", port = ""] =
    /^([^/]*:\/\/)([^/]*?)(:[\d*?]*)?(?=\/|$)/.exec(address) ?? [];
  const protocol = scheme.toLowerCase();
  return [`${protocol}${normalHost(host)}${normalPort(protocol, port)}`, normalRest(address.slice(whole.length))];
}

/** Lower case, without a final dot, in ASCII (Punycode). */
function normalHost(host: string): string {
  const name = host.toLowerCase().replace(/\.+$/, "");
  return /^[\u0000-\u007f]*$/.test(name) ? name : domainToASCII(name) || name;
}

function normalPort(protocol: string, port: string): string {
  const isDefault = (protocol === "https://" && port === ":443") || (protocol === "http://" && port === ":80");
  return isDefault ? "" : port;
}

/** Decodes needless percent-encodings; writes the others in upper case. */
function normalRest(rest: string): string {
  return rest
    .toWellFormed()
    .replace(/[^\u0000-\u007f]+/g, encodeURIComponent)
    .replace(/%[0-9a-f]{2}/gi, (encoded) => {
      const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
      return /[\w.~-]/.test(character) ? character : encoded.toUpperCase();
    });
}
