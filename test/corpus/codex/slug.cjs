const table = require("./lib/letters.json");

const slugOf = (text, separator) =>
  [...text.toLowerCase()]
    .map((letter) => table[letter] ?? letter)
    .join("")
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join(separator);

module.exports = {
  default: {
    description: "Turn a headline into a slug",
    args: { text: { type: "string" }, separator: { enum: ["-", "_"], default: "-" } },
    execute: ({ text, separator }) => slugOf(text, separator),
  },
  many: {
    description: "Turn several headlines into slugs, without doubles",
    args: { texts: { type: "array", items: { type: "string" }, uniqueItems: true } },
    execute: ({ texts }) => {
      const seen = new Map();
      return texts.map((text) => {
        const slug = slugOf(text, "-");
        const count = seen.get(slug) ?? 0;
        seen.set(slug, count + 1);
        return count ? `${slug}-${count + 1}` : slug;
      });
    },
  },
};
