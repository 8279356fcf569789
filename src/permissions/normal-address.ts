import { domainToASCII } from "node:url";

/**
 * An address in its normal form, without a name and a password: one page has one spelling, so that none slips past a rule
 * about another.
 */
export function normalAddress(address: string): string {
  const url = URL.parse(address);
  if (!url) return address;
  url.username = "";
  url.password = "";
  return inTwo(url.href).join("");
}

/** Scheme and host, and what comes after them, each in its normal form. For addresses and for patterns of them. */
export function inTwo(address: string): [host: string, rest: string] {
  const [whole = "", scheme = "", host = "", port = ""] =
    /^([^/]*:\/\/)([^/]*?)(:[\d*?]*)?(?=\/|$)/.exec(address) ?? [];
  const protocol = scheme.toLowerCase();
  return [`${protocol}${normalHost(host)}${normalPort(protocol, port)}`, normalRest(address.slice(whole.length))];
}

/** Case does not matter in it, nor a dot at its end, nor in which letters a name is written that has others than ASCII. */
function normalHost(host: string): string {
  const name = host.toLowerCase().replace(/\.+$/, "");
  return /^[\u0000-\u007f]*$/.test(name) ? name : domainToASCII(name) || name;
}

function normalPort(protocol: string, port: string): string {
  const isUsual = (protocol === "https://" && port === ":443") || (protocol === "http://" && port === ":80");
  return isUsual ? "" : port;
}

/** What need not be percent-encoded is not; what must be is, with capital letters. */
function normalRest(rest: string): string {
  return rest
    .toWellFormed()
    .replace(/[^\u0000-\u007f]+/g, encodeURIComponent)
    .replace(/%[0-9a-f]{2}/gi, (encoded) => {
      const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
      return /[\w.~-]/.test(character) ? character : encoded.toUpperCase();
    });
}
