// Classes with parameter properties, a getter, and dates that a schema makes.
import { tool } from "toolwright";

class Span {
  constructor(
    readonly from: Date,
    readonly to: Date,
  ) {}

  get days(): number {
    return Math.round((this.to.getTime() - this.from.getTime()) / 86_400_000);
  }
}

const day = tool.schema.iso.date().transform((text) => new Date(text));

export default tool({
  description: "Days between two dates",
  args: { from: day.describe("The first day"), to: day.describe("The last day") },
  hints: { readOnly: true, idempotent: true },
  execute: ({ from, to }) => `${new Span(from, to).days} days`,
});
