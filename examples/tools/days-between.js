/** Needs no import: a plain object with JSON Schema for its arguments. */
export default {
  description: "Returns the number of days between two dates.",
  args: {
    from: { type: "string", format: "date", description: "The first date, as 2026-01-31" },
    to: { type: "string", format: "date", description: "The second date, as 2026-12-24" },
  },
  execute({ from, to }) {
    return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
  },
};
