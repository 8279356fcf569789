import type { Layout } from "../config/append-json.ts";

/** A value as it fits into a JSON text: objects over several lines where there is room, lists on one. */
export function valueText(value: unknown, layout: Layout): string {
  if (Array.isArray(value)) return `[${value.map((item) => JSON.stringify(item)).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (layout.inline) return `{ ${propertyText(value, layout)} }`;
  const { eol, indent, step } = layout;
  const inner = `${indent}${step}`;
  return `{${eol}${inner}${propertyText(value, { ...layout, indent: inner })}${eol}${indent}}`;
}

/** The properties of an object, without its braces and without what stands before the first. */
export function propertyText(value: object, layout: Layout): string {
  const between = layout.inline ? ", " : `,${layout.eol}${layout.indent}`;
  return Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}: ${valueText(item, layout)}`)
    .join(between);
}
