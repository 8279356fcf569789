import { describe, expect, it } from "vitest";
import { callContext, exportAt, FILE, formatHost } from "../../../../test/support/forms.ts";
import { put, temporary } from "../../../../test/support/temporary.ts";
import type { HookedCall, ShapedResult } from "../contributions.ts";
import { isPluginResult, pluginInput, readPluginHooks } from "./plugin.ts";

const CALL: HookedCall = {
  tool: "read",
  input: { path: ".env" },
  callID: "c1",
  session: { id: "s1" },
  directory: "/p",
};
const RESULT: ShapedResult = {
  content: [
    { type: "text", text: "secret" },
    { type: "image", data: "AA", mimeType: "image/png" },
  ],
  data: { n: 1 },
  isError: false,
};

describe("the input of a plugin", () => {
  it("[A13] is the project, a shell and a client", async () => {
    const worktree = temporary();
    put(`${worktree}/.git/HEAD`);
    const input = await pluginInput(formatHost({ cwd: `${worktree}/app`, worktree }));
    expect(input).toMatchObject({ directory: `${worktree}/app`, worktree, project: { worktree, vcs: "git" } });
    expect(input.serverUrl).toBeInstanceOf(URL);
    expect(input.$).toBeTypeOf("function");
  });

  it("[A13] has a client that logs and rejects other requests with the reason", async () => {
    const host = formatHost();
    const { client } = (await pluginInput(host)) as { client: Client };
    await client.app.log({ body: { service: "notify", level: "warn", message: "careful", extra: { a: 1 } } });
    expect(host.logged).toEqual([["warn", "notify: careful", { a: 1 }]]);
    const message =
      "client.session.prompt() is not available: Toolwright does not run the OpenCode server. Tools and tool hooks of the plugin work without it.";
    expect(await client.session.prompt({ path: { id: "x" } })).toEqual({ data: undefined, error: { message } });
    await expect(client.session.prompt({ throwOnError: true })).rejects.toThrow(message);
    expect(await client).toBe(client);
    const { stream } = await client.event.subscribe();
    for await (const event of stream) expect.fail(String(event));
  });

  it("[A13] passes notifications to the user interface", async () => {
    const said: unknown[] = [];
    const host = formatHost({ hasUI: true, ui: async (...call) => void said.push(call) });
    const { client } = (await pluginInput(host)) as { client: Client };
    expect(await client.tui.showToast({ body: { message: "done", variant: "success" } })).toEqual({ data: true });
    expect(said).toEqual([["notify", ["done", "info"]]]);
  });
});

interface Client {
  app: { log(request: object): Promise<unknown> };
  tui: { showToast(request: object): Promise<unknown> };
  session: { prompt(request: object): Promise<unknown> };
  event: { subscribe(): Promise<{ stream: AsyncIterable<unknown> }> };
}

describe("the hooks of a plugin", () => {
  it.each([
    [{ tool: {} }, true],
    [{ event() {} }, true],
    [{ "chat.params"() {} }, true],
    [{ "tool.execute.before"() {} }, true],
    [{ auth: { provider: "x" } }, true],
    [{}, false],
    [{ name: "x", execute() {} }, false],
    [{ event: "x" }, false],
    [[], false],
    [undefined, false],
  ])("[A13] %o: %s", (returned, expected) => {
    expect(isPluginResult(returned)).toBe(expected);
  });

  it("[A13] tools are named by their key", async () => {
    const tool = {
      greet: {
        description: "Greets",
        args: {},
        execute: (_: unknown, { sessionID }: { sessionID: string }) => sessionID,
      },
      "bad name": { description: "d", execute() {} },
    };
    const { tools, problems, about, dependsOnHost } = await readPluginHooks(
      { tool, name: "greetings", auth: {}, "chat.params"() {} },
      exportAt(),
    );
    expect(tools).toMatchObject([
      { name: "greet", origin: { format: "opencode-plugin", exportName: "default.greet" } },
    ]);
    expect(await tools[0]?.run({}, callContext())).toBe("s1");
    expect(problems).toEqual([
      {
        file: FILE.path,
        tool: "bad name",
        exportName: "default",
        code: "bad_name",
        message:
          '"bad name" is not a valid tool name: a name has 1 to 64 letters, digits, "_" and "-". Rename "bad name".',
      },
    ]);
    expect(about).toEqual({
      format: "opencode-plugin",
      why: "its function returned hooks, the shape of an OpenCode plugin",
      unsupportedFeatures: [
        'Its hook "auth" is never called by Toolwright.',
        'Its hook "chat.params" is never called by Toolwright.',
      ],
    });
    expect(dependsOnHost).toBe(true);
  });

  it("[D5] an invalid tool is reported with what to write", async () => {
    const { problems } = await readPluginHooks({ tool: { a: null, b: { description: "d" } } }, exportAt());
    expect(problems.map(({ message }) => message)).toEqual([
      '"a" is not a tool. Write tool({ description: "…", args: { … }, async execute(args, context) { … } }).',
      '"b" is not a tool. Write tool({ description: "…", args: { … }, async execute(args, context) { … } }).',
    ]);
  });

  it("[P1] the before hook changes the input, refuses the call, or does nothing", async () => {
    const seen: unknown[] = [];
    const before = (input: unknown, output: { args: { path: string } }): void => {
      seen.push(input);
      if (output.args.path === "no") throw new Error("Do not read that");
      if (output.args.path === ".env") output.args.path = "README.md";
    };
    const { hooks } = await readPluginHooks({ "tool.execute.before": before }, exportAt());
    expect(await hooks?.before?.(CALL)).toEqual({ input: { path: "README.md" } });
    expect(CALL.input).toEqual({ path: ".env" });
    expect(await hooks?.before?.({ ...CALL, input: { path: "no" } })).toEqual({ refuse: "Do not read that" });
    expect(await hooks?.before?.({ ...CALL, input: { path: "a" } })).toBeUndefined();
    expect(seen[0]).toEqual({ tool: "read", sessionID: "s1", callID: "c1" });
    expect(hooks?.after).toBeUndefined();
  });

  it("[P1] the after hook changes title, text and metadata only", async () => {
    const seen: unknown[] = [];
    const after = (
      input: unknown,
      output: { title: string; output: string; metadata: Record<string, unknown> },
    ): void => {
      seen.push([input, { ...output }]);
      output.title = "Read";
      output.output = output.output.replace("secret", "***");
      output.metadata.seen = true;
    };
    const { hooks } = await readPluginHooks({ "tool.execute.after": after }, exportAt());
    expect(await hooks?.after?.(CALL, RESULT)).toEqual({
      title: "Read",
      content: [{ type: "text", text: "***" }, RESULT.content[1]],
      data: { n: 1, seen: true },
    });
    expect(seen[0]).toMatchObject([
      { tool: "read", sessionID: "s1", callID: "c1", args: { path: ".env" } },
      { title: "", output: "secret" },
    ]);
    expect(await hooks?.after?.(CALL, { ...RESULT, isError: true })).toBeUndefined();
    const idle = await readPluginHooks({ "tool.execute.after"() {} }, exportAt());
    expect(await idle.hooks?.after?.(CALL, RESULT)).toEqual({});
  });

  it("[A13] session events are emitted, and dispose is called when the process ends", async () => {
    const heard: unknown[] = [];
    const plugin = {
      event: ({ event }: { event: { type: string } }) => void heard.push(event.type),
      dispose: () => void heard.push("disposed"),
    };
    const { onSession, close } = await readPluginHooks(plugin, exportAt());
    await onSession?.({ reason: "start" }, { id: "a" });
    await onSession?.({ reason: "start", resumed: true }, { id: "b" });
    await onSession?.({ reason: "auto_compaction_end", result: {}, aborted: false, willRetry: false }, { id: "b" });
    await onSession?.({ reason: "auto_compaction_start", trigger: "threshold" }, { id: "b" });
    await onSession?.({ reason: "shutdown" }, { id: "a" });
    await onSession?.({ reason: "shutdown" }, { id: "b" });
    expect(heard).toEqual(["session.created", "session.updated", "session.compacted"]);
    await close?.();
    expect(heard.slice(3)).toEqual(["server.instance.disposed", "disposed"]);
  });
});
