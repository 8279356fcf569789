/** A piece of a page. A raw one is an element whose content is no markup. */
export type HtmlToken =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "open" | "close"; readonly name: string }
  | { readonly kind: "raw"; readonly name: string; readonly text: string };

const RAW = new Set(["script", "style", "title", "textarea", "iframe", "xmp", "noembed", "noframes"]);
const NAME = /[a-zA-Z][^\s/>]*/y;

/**
 * Takes a page apart, tag by tag, without a tree: each character is looked at a fixed number of times, and nothing is
 * nested, so that no page is too deep or too crooked for it.
 */
export function* scanHtml(html: string): Generator<HtmlToken> {
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    if (open === -1) return yield { kind: "text", text: html.slice(at) };
    const isClosing = html[open + 1] === "/";
    NAME.lastIndex = open + (isClosing ? 2 : 1);
    const name = NAME.exec(html)?.[0].toLowerCase();
    if (!name && !"!?/".includes(html[open + 1] ?? " ")) {
      yield { kind: "text", text: html.slice(at, open + 1) };
      at = open + 1;
      continue;
    }
    if (open > at) yield { kind: "text", text: html.slice(at, open) };
    at = name ? endOfTag(html, NAME.lastIndex) : endOfRemark(html, open);
    if (!name) continue;
    if (isClosing || !RAW.has(name)) {
      yield { kind: isClosing ? "close" : "open", name };
      continue;
    }
    const end = endOfRaw(html, name, at);
    yield { kind: "raw", name, text: html.slice(at, end) };
    at = end;
  }
}

/** After the `>` that is in no quoted value. A quote counts only where a value begins. */
function endOfTag(html: string, from: number): number {
  let isValueDue = false;
  for (let at = from; at < html.length; at++) {
    const character = html[at] as string;
    if (character === ">") return at + 1;
    if (isValueDue && (character === '"' || character === "'")) {
      at = html.indexOf(character, at + 1);
      if (at === -1) return html.length;
    }
    if (!/\s/.test(character)) isValueDue = character === "=";
  }
  return html.length;
}

/** After a comment, a doctype and the like. */
function endOfRemark(html: string, from: number): number {
  const isComment = html.startsWith("<!--", from);
  const end = html.indexOf(isComment ? "-->" : ">", isComment ? from + 2 : from);
  if (end === -1) return html.length;
  return end + (isComment ? 3 : 1);
}

/** Where the closing tag of a raw element begins. */
function endOfRaw(html: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}(?=[\\s/>])`, "gi");
  closing.lastIndex = from;
  return closing.exec(html)?.index ?? html.length;
}
