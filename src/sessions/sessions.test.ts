import { describe, expect, it } from "vitest";
import type { Call, Run } from "../calls/call.ts";
import type { ToolResult } from "../core/result.ts";
import type { SessionStore } from "../core/session-store.ts";
import { Sessions } from "./sessions.ts";
import { createMemoryStore } from "./store/memory-store.ts";

/** Sessions of a store in memory. */
function create(): { sessions: Sessions; store: SessionStore } {
  const store = createMemoryStore({ project: "/p" });
  const openStore = () => Promise.resolve(store);
  const sessions = new Sessions({ directory: "/p", openStore, closesStore: true, answered: () => {}, warn: () => {} });
  return { sessions, store };
}

describe("[S2] opening a session", () => {
  it("keeps its running calls until they end, and the call that waits for it", async () => {
    const { sessions } = create();
    const { promise: result, resolve } = Promise.withResolvers<ToolResult>();
    sessions.track("s", { callID: "c", result } as Run);
    const waitingCall = {} as Call;
    sessions.get("s").waitingCall = waitingCall;
    await sessions.open("s");
    expect([...sessions.get("s").runs]).toMatchObject([{ callID: "c" }]);
    expect(sessions.get("s").waitingCall).toBe(waitingCall);
    sessions.get("s").waitingCall = undefined;
    resolve({} as ToolResult);
    await result;
    expect(sessions.get("s").isInUse).toBe(false);
  });

  it("that was removed and created again begins with its new state", async () => {
    const { sessions, store } = create();
    await sessions.open("s");
    await sessions.get("s").grant([{ tool: "bash", action: "allow" }]);
    await sessions.get("s").setValue("key", 1);
    await store.remove("s");
    await new Promise((resolve) => setTimeout(resolve, 2));
    await store.create({ id: "s", directory: "/p" });
    await store.append("s", [{ type: "state.set", of: "tools", key: "other", value: 2 }]);
    await sessions.open("s");
    const { state } = sessions.get("s");
    expect([state.grants, state.value("key"), state.value("other")]).toEqual([[], undefined, 2]);
  });

  it("again changes only the options that are given", async () => {
    const { sessions } = create();
    await sessions.open("s", { callerIsAsked: false, answerable: true });
    await sessions.open("s");
    expect(sessions.get("s")).toMatchObject({ callerIsAsked: false, answerable: true });
    await sessions.open("s", { answerable: false });
    expect(sessions.get("s")).toMatchObject({ callerIsAsked: false, answerable: false });
    await sessions.open("s", { callerIsAsked: true });
    expect(sessions.get("s")).toMatchObject({ callerIsAsked: true, answerable: false });
  });
});
