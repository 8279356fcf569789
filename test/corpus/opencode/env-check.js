// CommonJS, from before the project used modules.
const { existsSync } = require("node:fs");
const path = require("node:path");

const names = ["package.json", "pyproject.toml", "go.mod"];

module.exports = {
  description: "Say which kind of project this is",
  args: {},
  async execute(_args, context) {
    const found = names.filter((name) => existsSync(path.join(context.directory, name)));
    return found.length > 0 ? found.join(", ") : "unknown";
  },
};
