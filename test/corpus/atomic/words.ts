// Bare objects as results, a default and a named export, and an enum.
import { tool } from "@atomic/plugin";

enum Unit {
  Words = "words",
  Letters = "letters",
}

const count = (text: string, unit: Unit): number =>
  unit === Unit.Words ? text.split(/\s+/).filter(Boolean).length : text.replace(/\s/g, "").length;

export default tool({
  description: "Count words or letters",
  args: { text: tool.schema.string(), unit: tool.schema.enum(Unit).default(Unit.Words) },
  execute: ({ text, unit }) => ({ unit, count: count(text, unit) }),
});

export const longest = tool({
  description: "The longest word of a text",
  args: { text: tool.schema.string() },
  execute: ({ text }) => text.split(/\s+/).toSorted((a, b) => b.length - a.length)[0],
});
