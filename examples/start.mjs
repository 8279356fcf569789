import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** What there is to see so far: lists the example tools and calls two of them, as a user would. */
const root = fileURLToPath(new URL("..", import.meta.url));
const commands = [
  ["list"],
  ["run", "word-count", "--path", "README.md"],
  ["run", "countdown", "--from", "3"],
  ["run", "find-text", "--text", "$(this is not run)", "--folder", "examples"],
];

for (const command of commands) {
  console.log(`$ toolwright ${command.join(" ")}`);
  const options = ["--cwd", root, "--tools-path", "examples/tools", "--trust"];
  const { status } = spawnSync(process.execPath, [`${root}dist/cli.mjs`, ...command, ...options], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
  console.log();
}
console.log('Next: "npx toolwright new my-tool" writes a tool of your own and says how to call it.');
