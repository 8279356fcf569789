import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { callTool, jsonTool } from "../../../../test/support/json-tool.ts";
import { put, temporary } from "../../../../test/support/temporary.ts";

const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

/** A project with a folder to read, and a secret beside it whose path begins the same. */
function project(): string {
  const folder = temporary();
  put(join(folder, "data/a.txt"), "hëllo");
  put(join(folder, "data/sub/b.txt"), "b");
  put(join(folder, "data-secret/key"), "secret");
  symlinkSync("../data-secret/key", join(folder, "data/link"));
  symlinkSync("../data-secret", join(folder, "data/folder"));
  symlinkSync("sub/b.txt", join(folder, "data/inner"));
  symlinkSync("loop", join(folder, "data/loop"));
  symlinkSync("/dev/zero", join(folder, "data/zero"));
  return folder;
}

async function read(folder: string, path: unknown, more: object = {}): Promise<unknown> {
  const tool = await jsonTool(folder, { type: "file-read", basePath: "data", ...more }, ["path"]);
  return callTool(tool, { path }, folder).catch((error: Error) => error.message);
}

const outside = (path: string): string =>
  `"${path}" is outside the folder that this tool may read. Send a path inside it.`;

describe("reading a file", () => {
  it("[A6] returns text, for any path inside the folder", async () => {
    const folder = project();
    for (const path of ["a.txt", "./sub/../a.txt", "../data/a.txt", join(folder, "data/a.txt")]) {
      expect(await read(folder, path)).toBe("hëllo");
    }
    expect(await read(folder, "inner")).toBe("b");
    expect(await read(folder, "a.txt", { basePath: join(folder, "data") })).toBe("hëllo");
  });

  it("[A6] returns images as images, and refuses other binary files", async () => {
    const folder = project();
    writeFileSync(join(folder, "data/x.png"), PNG);
    expect(await read(folder, "x.png")).toEqual({
      content: [{ type: "image", data: PNG.toString("base64"), mimeType: "image/png" }],
    });
    for (const [name, bytes] of [
      ["nul", "a\0b"],
      ["latin1", Buffer.from([0x61, 0xe9])],
    ] as const) {
      writeFileSync(join(folder, "data", name), bytes);
      expect(await read(folder, name)).toBe(
        `"${name}" is a binary file of ${bytes.length} bytes. This tool reads UTF-8 text and images.`,
      );
    }
  });

  it.each(["../data-secret/key", "sub/../../data-secret/key", "/etc/passwd", "..", "link", "folder/key", "zero"])(
    "[A6] [X1] refuses to leave its folder: %s",
    async (path) => {
      expect(await read(project(), path)).toBe(outside(path));
    },
  );

  it("[A6] [X1] refuses a folder whose name only starts like the allowed one", async () => {
    const folder = project();
    const path = join(folder, "data-secret/key");
    expect(await read(folder, path)).toBe(outside(path));
  });

  it("[A6] [X1] opens only regular files", async () => {
    const folder = project();
    execFileSync("mkfifo", [join(folder, "data/pipe")]);
    expect(await read(folder, "pipe")).toBe('"pipe" is a pipe, not a file. Send the path of a file.');
    expect(await read(folder, "sub")).toBe('"sub" is a folder, not a file. Send the path of a file.');
    expect(await read(folder, "zero", { basePath: "/dev" })).toBe(
      '"zero" is a device, not a file. Send the path of a file.',
    );
    expect(await read(folder, "a\0b")).toBe('"path" contains a NUL byte. Remove it.');
    expect(await read(folder, "none")).toBe('There is no file "none". Check the path.');
    expect(await read(folder, "a.txt/none")).toBe('There is no file "a.txt/none". Check the path.');
    expect(await read(folder, "loop")).toMatch(/^"loop" cannot be read: ELOOP/);
    expect(await read(folder, "")).toBe('Send the file to read as "path", a text.');
    expect(await read(folder, 5)).toBe('Send the file to read as "path", a text.');
    expect(await read(folder, "x", { basePath: "nowhere" })).toBe(
      `The folder of this tool, ${join(folder, "nowhere")}, does not exist. Create it, or correct handler.basePath.`,
    );
  });

  it("[A6] [X1] reads at most its limit, even from a growing file", async () => {
    const folder = project();
    writeFileSync(join(folder, "data/big"), "x".repeat(1024 * 1024 + 1));
    expect(await read(folder, "big")).toBe(
      '"big" has 1048577 bytes, and this tool reads files of at most 1048576 bytes. Read the file in another way, or ask the author of the tool to raise handler.maxSize.',
    );
    expect(await read(folder, "big", { maxSize: 2_000_000 })).toHaveLength(1024 * 1024 + 1);
    // Files in /proc have no size, and grow as they are read.
    expect(await read(folder, "self/status", { basePath: "/proc", maxSize: 100 })).toMatch(
      /outside|grew while it was read/,
    );
    expect(await read(folder, "cpuinfo", { basePath: "/proc", maxSize: 100 })).toBe(
      '"cpuinfo" grew while it was read, and this tool reads files of at most 100 bytes. Read the file in another way, or ask the author of the tool to raise handler.maxSize.',
    );
  });

  // Only Linux reports the path of an open file. Elsewhere, folders that are replaced twice within microseconds are not noticed.
  it.runIf(process.platform === "linux")(
    "[A6] [X1] notices folders that are replaced by links while it reads",
    async () => {
      const folder = project();
      mkdirSync(join(folder, "data/swap"));
      appendFileSync(join(folder, "data/swap/key"), "harmless");
      const tool = await jsonTool(folder, { type: "file-read", basePath: "data" }, ["path"]);
      const swapping = await startSwapping(folder);
      const seen = new Set<unknown>();
      for (let i = 0; i < 2000; i++) {
        seen.add(await callTool(tool, { path: "swap/key" }, folder).catch((error: Error) => error.message));
      }
      swapping.kill("SIGKILL");
      await new Promise((resolve) => swapping.once("exit", resolve));
      expect(seen.has("secret")).toBe(false);
    },
  );

  it("[P3] declares the file that it reads", async () => {
    const folder = project();
    const tool = await jsonTool(folder, { type: "file-read", basePath: "data" }, ["path"]);
    expect(tool.access?.({ path: "sub/../a.txt" }, { cwd: folder })).toEqual([
      { kind: "read", target: join(folder, "data/a.txt") },
    ]);
    expect(tool.hints).toEqual({ readOnly: true, openWorld: false });
    expect(() => tool.access?.({ path: "../x" }, { cwd: folder })).toThrow(outside("../x"));
  });
});

/** Repeatedly replaces `data/swap` by a link to the secret, and back. */
async function startSwapping(folder: string): Promise<ChildProcess> {
  const code = `const fs = require("node:fs");
    fs.symlinkSync("../data-secret", "other");
    fs.writeSync(1, "ready");
    const steps = [["swap", "kept"], ["other", "swap"], ["swap", "other"], ["kept", "swap"]];
    for (;;) for (const [from, to] of steps) fs.renameSync(from, to);`;
  const child = spawn(process.execPath, ["-e", code], {
    cwd: join(folder, "data"),
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return child;
}
