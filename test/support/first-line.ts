import type { ChildProcess } from "node:child_process";

/** What a server prints until its first line is complete. Rejects if it ends before. */
export function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let stdout = "";
    let stderr = "";
    child.stderr?.on("data", (more: Buffer) => {
      stderr = (stderr + more).slice(-10_000);
    });
    child.stdout?.on("data", (more: Buffer) => {
      stdout += more;
      if (stdout.includes("\n")) resolve(stdout);
    });
    child.once("close", () => reject(new Error(`The server ended: ${stderr}`)));
  });
}
