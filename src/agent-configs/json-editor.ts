import { createRequire } from "node:module";
import type * as Jsonc from "jsonc-parser";
import { appendToJson, type Layout } from "../config/append-json.ts";
import { parseJson } from "../json-text/parse-json.ts";
import type { Entry } from "./agent.ts";
import { ConfigProblem } from "./config-problem.ts";
import type { Editor } from "./editor.ts";
import { propertyText, valueText } from "./json-layout.ts";
import { removeProperty } from "./json-remove.ts";

/** JSON, with comments and trailing commas or without. */
export const jsonEditor: Editor = {
  parse: (text) => {
    const { value, error } = parseJson(text, { allowEmpty: true });
    if (error) throw new ConfigProblem(`is not valid JSON (${error.reason})`, error.line);
    return value;
  },
  spell: ({ section, name }, entry) => put("", [...section, name], entry).trimEnd(),
  put: (text, { section, name }, entry) => put(text, [...section, name], entry),
  change: (text, { section, name }, fields) =>
    Object.entries(fields).reduce((changed, [key, value]) => put(changed, [...section, name, key], value), text),
  remove: (text, { section, name }) => {
    const jsonc = jsoncParser();
    const node = nodeAt(rootOf(text, jsonc), [...section, name], jsonc)?.parent;
    return node ? removeProperty(text, node, jsonc) : text;
  },
};

function put(text: string, path: readonly string[], value: unknown): string {
  const jsonc = jsoncParser();
  const root = rootOf(text, jsonc);
  if (!root) return put(`${text}{}${text.includes("\r\n") ? "\r\n" : "\n"}`, path, value);
  const there = nodeAt(root, path, jsonc);
  if (there) return replaced(text, there, value);
  const depth = path.findLastIndex((_, at) => nodeAt(root, path.slice(0, at), jsonc));
  const container = nodeAt(root, path.slice(0, depth), jsonc) ?? root;
  const [key = "", ...rest] = path.slice(depth);
  const nested = rest.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  return added(text, container, { [key]: nested }, jsonc);
}

function rootOf(text: string, { parseTree }: typeof Jsonc): Jsonc.Node | undefined {
  return parseTree(text, [], { allowTrailingComma: true, allowEmptyContent: true });
}

function nodeAt(root: Jsonc.Node | undefined, path: readonly string[], jsonc: typeof Jsonc): Jsonc.Node | undefined {
  return root && jsonc.findNodeAtLocation(root, [...path]);
}

function added(text: string, container: Jsonc.Node, property: Entry, jsonc: typeof Jsonc): string {
  const inside = text.slice(container.offset + 1, container.offset + container.length - 1);
  if (inside.trim() === "") return replaced(text, container, property);
  return appendToJson(
    text,
    container,
    [property],
    (_, layout) => propertyText(property, withStep(text, layout)),
    jsonc,
  );
}

function replaced(text: string, node: Jsonc.Node, value: unknown): string {
  const old = text.slice(node.offset, node.offset + node.length);
  const line = text.slice(text.lastIndexOf("\n", node.offset - 1) + 1, node.offset);
  const layout = {
    inline: node.type === "object" && node.children?.length !== 0 && !old.includes("\n"),
    eol: text.includes("\r\n") ? "\r\n" : "\n",
    indent: /^[ \t]*/.exec(line)?.[0] ?? "",
    step: "  ",
  };
  return `${text.slice(0, node.offset)}${valueText(value, withStep(text, layout))}${text.slice(node.offset + node.length)}`;
}

/** The step to the right that the text itself takes, as its first property shows. */
function withStep(text: string, layout: Layout): Layout {
  return { ...layout, step: /^([ \t]+)"/m.exec(text)?.[1] ?? layout.step };
}

function jsoncParser(): typeof Jsonc {
  return createRequire(import.meta.url)("jsonc-parser");
}
