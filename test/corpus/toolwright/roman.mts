import { tool } from "toolwright";

const NUMERALS = [
  [1000, "M"], [900, "CM"], [500, "D"], [400, "CD"], [100, "C"], [90, "XC"],
  [50, "L"], [40, "XL"], [10, "X"], [9, "IX"], [5, "V"], [4, "IV"], [1, "I"],
] as const;

const toRoman = (n: number): string => {
  const found = NUMERALS.find(([value]) => value <= n);
  return found ? found[1] + toRoman(n - found[0]) : "";
};

export default tool({
  description: "Write a number in Roman numerals",
  args: { number: tool.schema.coerce.number<string | number>().int().min(1).max(3999) },
  hints: { readOnly: true, idempotent: true },
  limits: { timeoutMs: 5_000 },
  execute: ({ number }) => toRoman(number),
});
