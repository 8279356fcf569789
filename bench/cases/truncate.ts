import { join } from "node:path";
import { timeNode } from "../child.ts";
import type { Case, Contender, Sample } from "../harness.ts";
import { cleanEnvironment, program } from "../places.ts";

const MB = 100;
const LIMIT = 1_000_000;
const CHUNK = 64 * 1024;
const ALLOWED_MB = (4 * LIMIT + CHUNK) / 1e6;

export const truncateText: Case = truncateCase("text", `one string of ${MB} MB`);
export const truncateStream: Case = truncateCase("stream", `${MB} MB in chunks of 64 KB`);

function truncateCase(form: "text" | "stream", what: string): Case {
  const name = `truncate-${form}`;
  return {
    name,
    about: `truncating ${what} to ${LIMIT / 1e6} MB with the full output on disk, compared with byteLength + counting newlines + writing the same bytes`,
    async prepare(folder) {
      return {
        contenders: [contender(folder, name, form), contender(folder, "floor", `${form}-floor`)],
        goals: [
          { of: name, measure: "work", against: "floor", atMost: 2 },
          { of: name, measure: "riseMb", atMost: ALLOWED_MB, unit: "MB" },
        ],
        rounds: 8,
        warmUp: 1,
      };
    },
  };
}

/** `work` is the wall time of the truncation in ms, `cpu` its CPU time. Creating the text and starting Node are excluded. */
function contender(folder: string, name: string, mode: string): Contender {
  return {
    name,
    async run() {
      const args = [program("truncate.ts"), mode, join(folder, "out"), String(MB), String(LIMIT), String(CHUNK)];
      const { stdout } = await timeNode(args, { cwd: folder, env: cleanEnvironment(folder) });
      return JSON.parse(stdout) as Sample;
    },
  };
}
