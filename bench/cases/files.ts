import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { outputOf } from "../../src/core/result.ts";
import type { Toolbox } from "../../src/toolbox/toolbox.ts";
import type { Case } from "../harness.ts";
import { openToolbox, timed } from "./grep.ts";

const LINES = 5_000;

export const readFile: Case = {
  name: "read-file",
  about: `built-in read of 800 of ${LINES} lines in a warm toolbox, compared with \`cat -n | head\``,
  async prepare(folder) {
    const { project, toolbox } = await open(folder);
    const reference = (): string => shell("cat -n source.ts | head -n 800", project);
    const read = async (): Promise<string> => callOutput(toolbox, "read", { filePath: "source.ts", limit: 800 });
    const ours = (await read()).split("\n").slice(0, -1).join("\n");
    if (`${ours}\n` !== reference()) throw new Error("read and cat -n returned different text.");
    return {
      contenders: [timed("read", async () => void (await read())), timed("cat", async () => void reference())],
      goals: [{ of: "read", measure: "wall", against: "cat", atMost: 1.15 }],
      rounds: 50,
      warmUp: 10,
      close: () => toolbox.close(),
    };
  },
};

export const editFile: Case = {
  name: "edit-file",
  about: `built-in edit of one of ${LINES} lines in a warm toolbox, compared with sed and \`diff -u\``,
  async prepare(folder) {
    const { project, toolbox } = await open(folder);
    let turn = 0;
    const edit = async (): Promise<string> => {
      turn += 1;
      const [oldString, newString] = [`turn ${turn - 1};`, `turn ${turn};`];
      return callOutput(toolbox, "edit", { filePath: "source.ts", oldString, newString });
    };
    const peer = (): string =>
      shell(
        "cp peer.ts before.ts && sed -i 's/turn [0-9]*;/turn 7;/' peer.ts && (diff -u before.ts peer.ts; true)",
        project,
      );
    mustBeSame(
      hunk(await edit()),
      hunk(shell("sed 's/turn 1;/turn 0;/' source.ts | diff -u - source.ts; true", project)),
    );
    return {
      contenders: [timed("edit", async () => void (await edit())), timed("sed+diff", async () => void peer())],
      goals: [{ of: "edit", measure: "wall", against: "sed+diff", atMost: 1.15 }],
      rounds: 50,
      warmUp: 10,
      close: async () => {
        mustBeSame(readFileSync(join(project, "source.ts"), "utf8"), sourceText().replace("turn 0;", `turn ${turn};`));
        await toolbox.close();
      },
    };
  },
};

async function open(folder: string): Promise<{ project: string; toolbox: Toolbox }> {
  const project = join(folder, "project");
  mkdirSync(join(project, ".git"), { recursive: true });
  for (const name of ["source.ts", "peer.ts"]) writeFileSync(join(project, name), sourceText());
  const toolbox = await openToolbox(folder, project);
  await toolbox.call({ name: "list", input: {} }).result;
  return { project, toolbox };
}

function sourceText(): string {
  const lines = Array.from({ length: LINES }, (_, at) => `  const value${at} = compute(${at}, "é", \`some text\`);`);
  lines[1_000] = "  turn 0;";
  return `${lines.join("\n")}\n`;
}

async function callOutput(toolbox: Toolbox, name: string, input: object): Promise<string> {
  const result = await toolbox.call({ name, input }).result;
  if (!result.ok) throw result.error;
  return outputOf(result);
}

function shell(command: string, cwd: string): string {
  return execFileSync("/bin/sh", ["-c", command], { cwd, encoding: "utf8", maxBuffer: 100_000_000 });
}

/** The diff without the file names. */
function hunk(diff: string): string {
  return diff.slice(diff.indexOf("@@")).trimEnd();
}

function mustBeSame(ours: string, theirs: string): void {
  if (ours !== theirs) throw new Error(`The texts differ:\n${ours.slice(0, 500)}\n---\n${theirs.slice(0, 500)}`);
}
