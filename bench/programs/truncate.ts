/** Truncates one output, or does the minimum work of any truncation (the floor), and prints the measurements. Started by the truncate cases. */
import { closeSync, mkdirSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { fullOutputStore, OutputCutter, truncate } from "../truncation.ts";

const [mode = "", folder = "", ...numbers] = process.argv.slice(2);
const [mb = 0, limit = 0, chunkSize = 0] = numbers.map(Number);
const LINE = "2026-11-15 12:00:00 building module 0123456789\n";
const size = mb * 1_000_000;
const limits = { maxLines: 100_000, maxBytes: limit, keep: "head" } as const;

const MODES: Readonly<Record<string, (text: string, chunk: Buffer) => string | undefined>> = {
  text: (text) => truncate(text, limits, store()).truncated?.fullOutput,
  "text-floor": (text) => writeChunks(floorOfText(text)),
  stream(_, chunk) {
    const cutter = new OutputCutter(limits, store());
    for (let sent = 0; sent < size; sent += chunk.length) cutter.push(chunk);
    return cutter.end().truncated?.fullOutput;
  },
  "stream-floor": (_, chunk) => writeChunks(floorOfStream(chunk)),
};

const act = MODES[mode];
if (!act) throw new Error(`Unknown mode: ${mode}.`);
const chunk = Buffer.alloc(chunkSize, LINE);
// Warm-up: runs both forms at a small size.
truncate(LINE.repeat(60_000), limits, store());
const text = mode.startsWith("text") ? LINE.repeat(Math.ceil(size / LINE.length)) : "";
// Flattens the rope into one string.
text.indexOf("absent text");
const peak = process.resourceUsage().maxRSS;
const cpu = process.cpuUsage();
const startedAt = performance.now();
const file = act(text, chunk);
const work = performance.now() - startedAt;
const { user, system } = process.cpuUsage(cpu);
const riseMb = ((process.resourceUsage().maxRSS - peak) * 1024) / 1e6;
if (file === undefined || statSync(file).size < size) throw new Error("The whole output is not on disk.");
rmSync(folder, { recursive: true, force: true });
console.log(JSON.stringify({ work, cpu: (user + system) / 1000, riseMb }));

function store(): ReturnType<typeof fullOutputStore> {
  return fullOutputStore(folder, { sessionID: "s", callID: "c" });
}

/** The floor: count bytes, find newlines, write. */
function* floorOfText(text: string): Generator<Uint8Array> {
  const scratch = new Uint8Array(chunkSize);
  const encoder = new TextEncoder();
  Buffer.byteLength(text);
  for (let at = 0; at < text.length; ) {
    const { read, written } = encoder.encodeInto(text.slice(at, at + chunkSize), scratch);
    yield scratch.subarray(0, written);
    at += read;
  }
}

function* floorOfStream(chunk: Buffer): Generator<Uint8Array> {
  for (let sent = 0; sent < size; sent += chunk.length) yield chunk;
}

function writeChunks(chunks: Iterable<Uint8Array>): string {
  const path = `${folder}/floor.txt`;
  mkdirSync(dirname(path), { recursive: true });
  const descriptor = openSync(path, "w", 0o600);
  let newlines = 0;
  for (const bytes of chunks) {
    newlines += newlinesIn(bytes);
    writeSync(descriptor, bytes);
  }
  closeSync(descriptor);
  if (newlines === 0) throw new Error("No newline was counted.");
  return path;
}

/** Compares four bytes at a time. The chunks are aligned. */
function newlinesIn(bytes: Uint8Array): number {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2);
  let count = 0;
  for (let index = 0; index < words.length; index++) {
    const x = (words[index] ?? 0) ^ 0x0a0a0a0a;
    // The top bit of each byte that is a newline.
    const found = ~(((x & 0x7f7f7f7f) + 0x7f7f7f7f) | 0 | x | 0x7f7f7f7f);
    count += Math.imul(found >>> 7, 0x01010101) >>> 24;
  }
  for (let at = words.length * 4; at < bytes.length; at++) if (bytes[at] === 10) count++;
  return count;
}
