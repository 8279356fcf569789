import { expect, it } from "vitest";
import type { RunPort } from "../../host/protocol/hosts.ts";
import type { HostCall, ToHost } from "../../host/protocol/messages.ts";
import { RunningCalls } from "./running-calls.ts";

it("[A3] refuses the requests of a call that has ended", async () => {
  const sent: ToHost[] = [];
  const calls = new RunningCalls({
    send: (message) => void sent.push(message),
    unresponsive: () => {},
    ui: async () => undefined,
    settled: () => {},
  });
  const port: RunPort = {
    started: () => {},
    update: () => {},
    request: async () => ({ ok: true, value: 1 }),
    ui: async () => undefined,
  };
  const outcome = calls.run({ file: "a.ts", tool: "a" } as HostCall, port, new AbortController().signal, true);
  const request = { kind: "get", key: "k" } as const;
  calls.receive({ type: "request", id: 1, requestID: 1, request });
  await Promise.resolve();
  calls.receive({ type: "result", id: 1, result: { ok: true, content: [] } });
  await outcome;
  calls.receive({ type: "request", id: 1, requestID: 2, request });
  expect(sent.slice(1)).toEqual([
    { type: "response", requestID: 1, response: { ok: true, value: 1 } },
    {
      type: "response",
      requestID: 2,
      response: { ok: false, code: "aborted", message: "The call has ended. Await this before the tool returns." },
    },
  ]);
});
