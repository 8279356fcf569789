import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Client, ElicitResult } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { sweepOutputs } from "../../src/host/output/outputs.ts";
import { ensureBuilt } from "../support/cli.ts";
import { type Sandbox, sandbox, writeTool } from "../support/fixture.ts";
import { type ConnectOptions, connect, ERAS } from "../support/mcp-client.ts";
import { ASKS, FILES, GREET, PRINTS, STEPS, WAITS } from "../support/mcp-tools.ts";
import { PATIENT } from "../support/patient.ts";
import { hosts, isRunning, startedWith } from "../support/processes.ts";
import { answering } from "../support/toolbox.ts";

const TELL = "Find another way, or tell the user.";

interface Block {
  readonly type: string;
  readonly text: string;
  readonly uri: string;
}

async function call(client: Client, name: string, input: Record<string, unknown> = {}): Promise<Block[]> {
  return (await client.callTool({ name, arguments: input })).content as unknown as Block[];
}

async function say(client: Client, name: string, input?: Record<string, unknown>): Promise<string | undefined> {
  return (await call(client, name, input))[0]?.text;
}

async function names(client: Client): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name);
}

function settings(at: Sandbox, values: object): void {
  const home = at.env.TOOLWRIGHT_HOME as string;
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "settings.json"), JSON.stringify(values));
}

function appears(at: Sandbox, file: string): Promise<void> {
  return vi.waitFor(() => expect(existsSync(join(at.project, file))).toBe(true), PATIENT);
}

/** A client whose user gives this answer to every question. Records the questions. */
function answers(answer: ElicitResult, asked: unknown[] = []): ConnectOptions {
  return {
    client: { capabilities: { elicitation: {} } },
    prepare: (client) =>
      client.setRequestHandler("elicitation/create", ({ params }) => {
        asked.push(params);
        return answer;
      }),
  };
}

beforeAll(ensureBuilt);

describe.each(ERAS)("toolwright mcp, for a client of %s", (era) => {
  it("[M1] lists tools as their authors declared them, and calls them", async () => {
    const { client } = await connect(
      sandbox({
        "greet.ts": GREET,
        "hinted.mjs": `export default {
          description: "Only looks.",
          args: { at: { type: ["string", "null"], $comment: "kept" } },
          hints: { title: "A look", readOnly: true, destructive: false, idempotent: true, openWorld: false },
          execute: () => "",
        };`,
      }),
      era,
    );
    const { tools } = await client.listTools();
    expect(tools).toMatchObject([
      {
        name: "greet",
        description: "Greets somebody.",
        inputSchema: { type: "object", properties: { name: { type: "string", description: "Who it is" } } },
      },
      {
        name: "hinted",
        title: "A look",
        inputSchema: { type: "object", properties: { at: { type: ["string", "null"], $comment: "kept" } } },
        annotations: {
          title: "A look",
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        },
      },
    ]);
    expect(await client.callTool({ name: "greet", arguments: { name: "Ada" } })).toMatchObject({
      content: [{ type: "text", text: "Hello, Ada! From tester." }],
    });
  });

  it("[M1] responds to a failed call with a result that contains the reason, and to an unknown name with an error", async () => {
    const { client } = await connect(
      sandbox({
        "greet.ts": GREET,
        "fails.mjs": `export default { description: "Fails.", execute: () => { throw new Error("No disk left."); } };`,
      }),
      era,
    );
    expect(await client.callTool({ name: "fails" })).toMatchObject({
      content: [{ type: "text", text: "No disk left." }],
      isError: true,
    });
    expect(await say(client, "greet", { name: 5 })).toMatch(/^The input for "greet" is not valid:\n- \/name: /);
    await expect(client.callTool({ name: "gret" })).rejects.toMatchObject({
      code: -32602,
      message: 'There is no tool "gret". Did you mean "greet"?',
    });
    await expect(client.callTool({ name: "reed" })).rejects.toMatchObject({
      message: 'There is no tool "reed". List the tools to see all names.',
    });
    await expect(client.callTool({ name: "read", arguments: { filePath: "x" } })).rejects.toMatchObject({
      message: 'There is no tool "read". List the tools to see all names.',
    });
  });

  it("[M2] sends images and audio, embeds small files, and links large or external ones", async () => {
    const at = sandbox({ "give.mjs": FILES });
    const { client } = await connect(at, era);
    expect(await call(client, "give_picture")).toMatchObject([
      { type: "text", text: "A dot:" },
      { type: "image", mimeType: "image/png" },
    ]);
    expect((await call(client, "give_sound"))[0]).toEqual({
      type: "audio",
      data: "UklGRg==",
      mimeType: "audio/wav",
    });
    expect((await call(client, "give_small"))[0]).toEqual({
      type: "resource",
      resource: {
        uri: expect.stringMatching(/^toolwright:\/\/files\/.+\/a\.txt$/),
        mimeType: "text/plain",
        text: "small",
      },
    });
    expect((await call(client, "give_binary"))[0]).toMatchObject({ resource: { blob: "AP8=" } });
    expect((await call(client, "give_named"))[0]).toEqual({
      type: "resource_link",
      uri: "https://example.com/b.txt",
      name: "b.txt",
      mimeType: "text/plain",
    });
    expect((await call(client, "give_local"))[0]).toEqual({
      type: "resource_link",
      uri: pathToFileURL(join(at.project, "out/c d.txt")).href,
      name: "out/c d.txt",
      mimeType: "text/plain",
    });
    expect(await say(client, "give_broken")).toBe("[image, image/png: its data is not valid base64]");
    const [link] = await call(client, "give_large");
    expect(link).toMatchObject({ type: "resource_link", name: "a.csv", mimeType: "text/csv", size: 200_000 });
    const { contents } = await client.readResource({ uri: link?.uri ?? "" });
    expect(contents).toEqual([{ uri: link?.uri, mimeType: "text/csv", text: "x".repeat(200_000) }]);
    await sweepOutputs(at.env.TOOLWRIGHT_HOME ?? "", { keepDays: 0, now: Date.now() + 60_000 });
    await expect(client.readResource({ uri: link?.uri ?? "" })).rejects.toThrow("it has been deleted meanwhile");
  });

  it("[M2] [P9] describes images and files of a result without text, and of no other", async () => {
    const at = sandbox({ "give.mjs": FILES });
    const { client } = await connect(at, era);
    const texts = async (name: string): Promise<string[]> =>
      (await call(client, name)).filter(({ type }) => type === "text").map(({ text }) => text);
    expect(await texts("give_picture")).toEqual(["A dot:"]);
    expect(await texts("give_nothing")).toEqual([]);
    expect(await texts("give_pictures")).toEqual([
      "[image, image/png, 70 bytes: attached. If you cannot see it, tell the user.]\n[image, image/png, 70 bytes: attached. If you cannot see it, tell the user.]",
    ]);
    expect(await texts("give_sound")).toEqual([
      "[file, audio/wav, 4 bytes: attached. If you cannot see it, tell the user.]",
    ]);
    expect(await texts("give_small")).toEqual([
      '[file "a.txt", text/plain, 5 bytes: attached. If you cannot see it, tell the user.]',
    ]);
    expect(await texts("give_named")).toEqual(['[file "b.txt", text/plain: https://example.com/b.txt]']);
    const [link] = await call(client, "give_large");
    expect(await texts("give_large")).toEqual([
      expect.stringMatching(/^\[file "a\.csv", text\/csv, 200000 bytes: toolwright:\/\/outputs\/.+\]$/),
    ]);
    expect(link).toMatchObject({ type: "resource_link" });
  });

  it("[M2] [P7] serves the full output of a cut result to its session", async () => {
    const at = sandbox({ "long.mjs": answering('"line\\n".repeat(5000)') });
    const { client } = await connect(at, era);
    const [text, link] = await call(client, "long");
    expect(text?.text).toMatch(/\n\[truncated: \d+ lines omitted; full output: .*\.txt\]$/);
    expect(link).toMatchObject({
      type: "resource_link",
      name: "long: full output",
      mimeType: "text/plain",
      size: 25_000,
    });
    const uri = link?.uri ?? "";
    expect((await client.readResource({ uri })).contents).toEqual([
      { uri, mimeType: "text/plain", text: "line\n".repeat(5000) },
    ]);
    const { client: other } = await connect(at, era);
    await expect(other.readResource({ uri })).rejects.toMatchObject({
      code: -32602,
      message: "There is no such output in this session, or it has been deleted meanwhile.",
    });
    await expect(client.readResource({ uri: "file:///etc/passwd" })).rejects.toMatchObject({
      code: -32602,
      message: "Resource not found: file:///etc/passwd",
    });
  });

  it("[M2] [P6] sends progress if the client asks for it", async () => {
    const { client } = await connect(sandbox({ "steps.mjs": STEPS }), era);
    const told: unknown[] = [];
    await client.callTool({ name: "steps" }, { onprogress: (progress) => told.push(progress) });
    expect(told).toEqual([
      { progress: 10, total: 30, message: "one" },
      { progress: 20, total: 30, message: "two" },
      { progress: 30, total: 30, message: "three" },
    ]);
    expect(await say(client, "steps")).toBe("there");
  });

  it("[M2] [P4] aborts a call that the client cancels, and keeps serving", async () => {
    const at = sandbox({ "waits.mjs": WAITS, "greet.ts": GREET });
    const { client } = await connect(at, era);
    const cancelling = new AbortController();
    const waiting = client.callTool({ name: "waits" }, { signal: cancelling.signal });
    await appears(at, "begun");
    cancelling.abort("enough");
    await expect(waiting).rejects.toThrow("enough");
    await appears(at, "stopped");
    expect(await say(client, "greet", { name: "Ada" })).toBe("Hello, Ada! From tester.");
  });

  it("[M1] [P4] aborts the call of a client that disappears, and ends with all its processes", async () => {
    const at = sandbox({ "waits.mjs": WAITS });
    const { client, pid } = await connect(at, era);
    const waiting = client.callTool({ name: "waits" }).catch(() => "gone");
    await appears(at, "begun");
    await client.close();
    expect(await waiting).toBe("gone");
    await appears(at, "stopped");
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false), PATIENT);
    expect(startedWith(at.home)).toEqual([]);
  });

  it("[M2] [P3] asks the client's user for permission", async () => {
    const asked: unknown[] = [];
    const yes = answers({ action: "accept", content: { answer: "once" } }, asked);
    const at = sandbox({ "asks.mjs": ASKS });
    const { client } = await connect(at, era, yes);
    expect(await say(client, "asks")).toBe("deployed");
    expect(asked).toMatchObject([
      {
        message: [
          '"asks" asks for permission: deploy. (staging)',
          "once: yes, this once",
          "session: yes, until this connection ends",
          `always: adds {"tool":"asks","match":"ask:deploy:staging","agent":"tester","action":"allow"} to ${at.env.TOOLWRIGHT_HOME}/settings.json`,
          "no: the model is told, with your reason if you enter one",
        ].join("\n"),
        requestedSchema: {
          properties: { answer: { enum: ["once", "session", "always", "no"] } },
          required: ["answer"],
        },
      },
    ]);
    expect(await say(client, "asks")).toBe("deployed");
    expect(asked).toHaveLength(2);
  });

  it("[M2] [P3] asks once per session if the user chooses so", async () => {
    const asked: unknown[] = [];
    const always = answers({ action: "accept", content: { answer: "session" } }, asked);
    const { client } = await connect(sandbox({ "asks.mjs": ASKS }), era, always);
    expect([await say(client, "asks"), await say(client, "asks")]).toEqual(["deployed", "deployed"]);
    expect(asked).toHaveLength(1);
  });

  it.each<[string, ElicitResult, string]>([
    ["declines", { action: "decline" }, `"asks" asks for permission: deploy. The user said no. ${TELL}`],
    [
      "closes the question",
      { action: "cancel" },
      `"asks" asks for permission: deploy. The user closed the question without an answer. ${TELL}`,
    ],
    ["says no", { action: "accept", content: { answer: "no" } }, `The user said no. ${TELL}`],
    ["says why not", { action: "accept", content: { answer: "no", reason: "Not today" } }, "The user said: Not today."],
    ["says nothing", { action: "accept", content: {} }, `The user said no. ${TELL}`],
  ])("[M2] [P3] refuses the call if the user %s", async (_what, answer, reason) => {
    const { client } = await connect(sandbox({ "asks.mjs": ASKS }), era, answers(answer));
    expect(await client.callTool({ name: "asks" })).toMatchObject({
      content: [{ type: "text", text: reason }],
      isError: true,
    });
  });

  it("[M2] [P3] refuses the call if the client cannot ask its user", async () => {
    const { client } = await connect(sandbox({ "asks.mjs": ASKS }), era);
    expect(await say(client, "asks")).toBe(
      '"asks" asks for permission: deploy. No person can be asked here, so it was refused. Find another way, or tell the user.',
    );
  });

  it("[M2] [P3] asks about calls with an ask rule, and runs calls without a rule", async () => {
    const at = sandbox({ "greet.ts": GREET, "other.mjs": answering('"ran"') });
    settings(at, { permissions: [{ tool: "greet", action: "ask" }] });
    const { client } = await connect(at, era, answers({ action: "decline" }));
    expect(await say(client, "other")).toBe("ran");
    expect(await say(client, "greet", { name: "Ada" })).toBe(
      `"greet" was not allowed to run. The tool "greet", which does not declare what it touches, needs approval under the user's rule {"tool":"greet","action":"ask"}. The user said no. ${TELL}`,
    );
  });

  it("[M2] [D6] notifies of a changed list when a file is saved", async () => {
    const at = sandbox({ "greet.ts": GREET });
    let changed: (tools: string[]) => void = () => {};
    const { client } = await connect(at, era, {
      client: {
        listChanged: { tools: { onChanged: (_error, tools) => changed((tools ?? []).map(({ name }) => name)) } },
      },
    });
    expect(await names(client)).toEqual(["greet"]);
    const told = new Promise<string[]>((resolve) => {
      changed = resolve;
    });
    writeTool(at, "later.mjs", answering('"came later"'));
    expect(await told).toEqual(["greet", "later"]);
    expect(await say(client, "later")).toBe("came later");
  });

  it("[R4] does not run another tool than the listed one", async () => {
    const at = sandbox({ "same.mjs": answering('"first"') });
    const { client } = await connect(at, era);
    await client.listTools();
    expect(await say(client, "same")).toBe("first");
    rmSync(join(at.tools, "same.mjs"));
    writeTool(at, "same.js", answering('"second"'));
    const refusal = '"same" now means another tool than when the tools were listed. List them again.';
    await vi.waitFor(async () => expect(await say(client, "same").catch(() => "")).toBe(refusal), PATIENT);
    await client.listTools();
    expect(await say(client, "same")).toBe("second");
  });

  it("[M1] keeps the output of tools out of the protocol, and sends it to a client that sets a log level", async () => {
    const logged: unknown[] = [];
    const { client } = await connect(sandbox({ "prints.mjs": PRINTS }), era, {
      prepare: (each) => each.setNotificationHandler("notifications/message", ({ params }) => void logged.push(params)),
    });
    expect(await say(client, "prints")).toBe("quiet");
    expect(logged).toEqual([]);
    if (era === "2025-11-25") await client.setLoggingLevel("info");
    const _meta = { "io.modelcontextprotocol/logLevel": "info" };
    await client.callTool({ name: "prints", ...(era === "2025-11-25" ? {} : { _meta }) });
    await vi.waitFor(() => {
      const text = logged.map((each) => (each as { data: string }).data).join("\n");
      expect(text).toContain("printed by console.log");
      expect(text).toContain("printed by console.error");
      expect(text).toContain("written to stdout");
    }, PATIENT);
    expect(logged[0]).toMatchObject({ level: "info", logger: "tools" });
  });

  it("[M1] serves a thousand tools in pages, sorted", async () => {
    const many = Array.from({ length: 1000 }, (_, index) => `t${String(index).padStart(4, "0")}`);
    const tools = many.map((name) => ({
      name,
      description: `Says ${name}.`,
      inputSchema: { type: "object" },
      handler: { type: "shell", command: `echo ${name}` },
    }));
    const { client } = await connect(sandbox({ "many.json": JSON.stringify({ name: "many", tools }) }), era);
    const first = await client.request({ method: "tools/list" });
    expect(first.tools).toHaveLength(500);
    expect(first.nextCursor).toBeDefined();
    expect(await names(client)).toEqual(many);
    expect(await say(client, "t0777")).toBe("t0777\n");
  });

  it("[D7] omits the tools of an untrusted project, and explains how to trust it", async () => {
    const at = sandbox({ "greet.ts": GREET });
    const { client, stderr } = await connect(at, era, { args: [] });
    expect(client.getInstructions()).toBe(
      `The tools of ${at.project} are not served, because the user has not trusted this project. To serve them, the user must run: toolwright trust --cwd ${at.project}`,
    );
    expect(await names(client)).toEqual(["toolwright-status"]);
    expect(await say(client, "greet")).toBe(
      `"greet" belongs to a project that is not trusted. To allow its tools, run: toolwright trust --cwd ${at.project}`,
    );
    expect(stderr()).toBe(
      `toolwright: ${at.project} is not trusted, so its tools are not served. To serve them, run: toolwright trust --cwd ${at.project}\n`,
    );
    expect(hosts()).toEqual([]);
  });

  it("[B14] serves built-in tools, or fewer tools, on request", async () => {
    const at = sandbox({
      "look.mjs": `export default { description: "Looks.", hints: { readOnly: true }, execute: () => "" };`,
      "deploy_web.mjs": answering('""'),
      "deploy_api.mjs": answering('""'),
    });
    const served = async (...args: string[]): Promise<string[]> => {
      const { client } = await connect(at, era, { args: ["--trust", ...args] });
      return names(client);
    };
    expect(await served("--exclude", "*_api,look")).toEqual(["deploy_web"]);
    expect(await served("--tools", "deploy_*", "--tools", "none")).toEqual(["deploy_api", "deploy_web"]);
    expect(await served("--read-only", "--builtins=todo*,grep")).toEqual(["grep", "look", "todoread"]);
    expect(await served("--builtins", "--tools", "read,bash")).toEqual(["bash", "read"]);
  });

  it("[B14] [K1] serves the tools that the settings choose for a client, unless the command chooses others", async () => {
    const at = sandbox({ "look.mjs": answering('""'), "deploy.mjs": answering('""') });
    mkdirSync(at.env.TOOLWRIGHT_HOME as string, { recursive: true });
    const clients = { "*": { exclude: ["deploy"] }, "someone-else": { tools: [] }, "test*": { builtins: ["todo*"] } };
    writeFileSync(join(at.env.TOOLWRIGHT_HOME as string, "settings.json"), JSON.stringify({ clients }));
    const served = async (...args: string[]): Promise<string[]> => {
      const { client } = await connect(at, era, { args: ["--trust", ...args] });
      return names(client);
    };
    expect(await served()).toEqual(["look", "todoread", "todowrite"]);
    expect(await served("--builtins=read", "--exclude=look")).toEqual(["deploy", "read"]);
  });
});
