import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { outputOf } from "../../src/core/result.ts";
import type { FromHost } from "../../src/host/protocol/messages.ts";
import { validateMessage } from "../../src/host/protocol/validate-message.ts";
import { createToolbox } from "../../src/index.ts";
import { stampOf } from "../../src/platform/files/stamp.ts";
import type { Toolbox } from "../../src/toolbox/toolbox.ts";
import { makeSandbox, type Sandbox, writeTool } from "../support/fixture.ts";
import { random } from "../support/random.ts";
import { nested, TAMPERS } from "../support/tampering.ts";
import { answering } from "../support/toolbox.ts";

const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
const ROUNDS = Number(process.env.ROUNDS ?? 20);
/** Messages that are sent in one round, each in a separate call. */
const PER_ROUND = 8;

/** One valid message of each type, with every field that it may have. */
function examples(file: string): { readonly [T in FromHost["type"]]: Extract<FromHost, { type: T }> } {
  const content = [
    { type: "text", text: "x" },
    { type: "image", data: "aGk=", mimeType: "image/png" },
    { type: "file", mimeType: "text/plain", name: "n", data: "aGk=", url: "/x" },
  ] as const;
  const truncated = { keptBytes: 1, totalBytes: 2, omittedLines: 3, fullOutput: "/x" };
  const imports = [[file, stampOf(file)]] as const;
  const manifest = {
    file,
    tools: [
      {
        name: "injected",
        description: "Injected.",
        inputSchema: { type: "object" },
        outputSchema: { type: "object" },
        format: "tool",
        exportName: "default",
        pluginName: "p",
        pluginVersion: "1",
        limits: { timeoutMs: 1, maxLines: 1, maxBytes: 1, keep: "head", own: { most: 1 } },
        hints: { title: "t", readOnly: true, destructive: true, idempotent: true, openWorld: true },
        declaresAccess: false,
        subagents: false,
        providers: ["anthropic"],
        renders: true,
      },
    ],
    problems: [{ file, line: 1, code: "syntax", message: "m", tool: "t" }],
    problemsIfToolsExpected: [{ file, code: "syntax", message: "m" }],
    imports,
    about: { format: "tool", why: "w", unsupportedFeatures: ["x"] },
    onlyForDirectory: "/x",
    hooks: ["before", "after"],
    followsSessions: true,
    announces: true,
  } as const;
  const result = { ok: false, code: "failed", message: "m", issues: [{ path: "", message: "m" }] } as const;
  return {
    ready: { type: "ready" },
    loading: { type: "loading", load: 1 },
    "imports-changed": { type: "imports-changed", file, imports },
    loaded: { type: "loaded", load: 1, manifests: [manifest] },
    "manifest-changed": { type: "manifest-changed", manifest },
    answer: {
      type: "answer",
      id: 1,
      answer: { kind: "after", result: { content, data: { a: [1] }, title: "t", isError: false }, truncated },
    },
    started: { type: "started", id: 1 },
    "not-started": { type: "not-started", id: 1 },
    update: { type: "update", id: 1, update: { title: "t", metadata: { output: "o", progress: 1 } } },
    request: {
      type: "request",
      id: 1,
      requestID: 1,
      request: { kind: "ask", request: { permission: "p", patterns: ["a"], always: ["a"], metadata: { a: 1 } } },
    },
    "cancel-request": { type: "cancel-request", id: 1, requestID: 1 },
    "ui-request": {
      type: "ui-request",
      id: 1,
      requestID: 1,
      request: { method: "confirm", args: ["a", { b: 1 }], callID: "c" },
    },
    "session-action": {
      type: "session-action",
      sessionID: "default",
      action: { type: "entry", entry: { id: "1", parentId: null, type: "custom", timestamp: "2026-01-01", more: {} } },
    },
    previews: { type: "previews", sessionID: "default", count: 1 },
    result: { type: "result", id: 1, result: { ...result, content, data: { a: 1 }, title: "t", truncated } },
    pong: { type: "pong" },
    idle: { type: "idle" },
    ending: { type: "ending", reason: "r", started: [1] },
  };
}

type Path = readonly (string | number)[];

/** The path of every value that can be changed. */
function pathsIn(value: unknown, at: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, member]) => pathsIn(member, [...at, key]))];
}

/** The replacements of a value, as JSON; undefined removes it. */
const INSTEAD: readonly (string | undefined)[] = [
  undefined,
  "null",
  "true",
  "0",
  "-1",
  "1.5",
  "1e999",
  "9007199254740993",
  '""',
  '"constructor"',
  '"\\ud800\\u0000"',
  JSON.stringify("x".repeat(300_000)),
  "[]",
  "[null]",
  "[[[]]]",
  "{}",
  '{"__proto__":{"polluted":1}}',
  '{"type":"text","kind":"ask","then":1,"length":-1,"toJSON":1}',
  nested(10_000),
  "[".repeat(10_000) + "]".repeat(10_000),
];

const MARK = "\u0000here\u0000";

/** The JSON of a message with another value at a path. */
function changed(message: unknown, path: Path, instead: string | undefined): string {
  const copy = structuredClone({ message }) as Record<string, unknown>;
  const steps = ["message", ...path];
  const last = steps.pop() as string | number;
  // biome-ignore lint/suspicious/noExplicitAny: any value
  const parent = steps.reduce<any>((at, step) => at[step], copy);
  if (instead === undefined && Array.isArray(parent)) parent.splice(Number(last), 1);
  else if (instead === undefined) delete parent[last];
  else parent[last] = MARK;
  return JSON.stringify(copy.message ?? null).replace(JSON.stringify(MARK), () => instead ?? "");
}

describe("[P5] every message that a host can send", () => {
  const all = Object.entries(examples("/x.ts"));

  it.each(all)("%s is valid in its original form", (_, message) => {
    expect(validateMessage(JSON.parse(JSON.stringify(message)))).toEqual(message);
  });

  it.each(all)("%s: each field, missing or of another type, is refused or harmless", (_, message) => {
    let refused = 0;
    for (const path of pathsIn(message)) {
      for (const instead of INSTEAD) {
        const text = changed(message, path, instead);
        try {
          const valid = validateMessage(JSON.parse(text));
          // A message that passes can be serialized again: its depth does not exhaust the stack.
          expect(() => JSON.stringify(valid)).not.toThrow();
        } catch (error) {
          expect((error as Error).message).toMatch(/^it sent an invalid message \(.{1,200}\)$/);
          refused += 1;
        }
      }
      const more = { ...(message as object), unknown: 1 };
      expect(() => validateMessage(more)).toThrow('unknown field "unknown"');
    }
    expect(refused).toBeGreaterThan(INSTEAD.length / 2);
  });
});

const FILES = [
  ["other", "Answers."],
  ["tampers", "Writes to file descriptor 3."],
];

/** The tools that are served. A tool may report a waiting preview of its own session, which shows "resolve". */
function served(toolbox: Toolbox): string[][] {
  const tools = toolbox.list().filter(({ name }) => name !== "resolve");
  return tools.map(({ name, description }) => [name, description]);
}

describe(`[P5] a tool that sends random messages (SEED=${SEED} ROUNDS=${ROUNDS})`, () => {
  let at: Sandbox & { remove(): void };
  let toolbox: Toolbox;
  const next = random(SEED);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;

  beforeAll(async () => {
    at = makeSandbox();
    writeTool(at, "tampers.ts", TAMPERS);
    writeTool(at, "other.ts", answering('"fine"'));
    toolbox = await createToolbox({ cwd: at.project, env: at.env, trust: true, builtins: false });
  });

  afterAll(async () => {
    await toolbox.close();
    at.remove();
  });

  /** A few messages, changed, repeated and in random order. */
  function volley(): string {
    const file = pick([join(at.tools, "other.ts"), join(at.tools, "tampers.ts"), "/elsewhere.ts"]);
    const messages = Object.values(examples(file));
    const lines = Array.from({ length: 1 + Math.floor(next() * 4) }, () => {
      const message = pick(messages);
      const text = next() < 0.3 ? JSON.stringify(message) : changed(message, pick(pathsIn(message)), pick(INSTEAD));
      const id = String(1 + Math.floor(next() * 30));
      return `${text.replaceAll('"id":1', `"id":${id}`)}\n`.repeat(next() < 0.2 ? 50 : 1);
    });
    return lines.join("");
  }

  it.each(Array.from({ length: ROUNDS }, (_, round) => round))("round %i", { timeout: 120_000 }, async () => {
    for (let sent = 0; sent < PER_ROUND; sent += 1) {
      const bytes = volley();
      const result = await toolbox.call({ name: "tampers", input: { bytes, over: true } }).result;
      // A tool can forge the result of its own call, or of others in its process, but every call gets a result.
      const code = result.ok ? "ok" : result.error.code;
      expect(["ok", "crashed", "failed", "invalid_input"], bytes).toContain(code);
      expect(() => JSON.stringify(result), bytes).not.toThrow();
      expect(served(toolbox), bytes).toEqual(FILES);
    }
    // Messages for later calls may still be on their way.
    let said = "";
    for (let tries = 0; said !== "fine" && tries < 5; tries += 1) {
      said = outputOf(await toolbox.call({ name: "other" }).result);
    }
    expect(said).toBe("fine");
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    const again = await createToolbox({ cwd: at.project, env: at.env, trust: true, builtins: false });
    expect(served(again)).toEqual(FILES);
    await again.close();
  });
});
