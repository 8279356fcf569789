import { describe, expect, it } from "vitest";
import type { Call } from "../calls/call.ts";
import { Sessions } from "../sessions/sessions.ts";
import { Delegations } from "./sub-agents.ts";

describe("[B9] [P3] many sub-agents", () => {
  it("each running sub-agent stays known, with the agents it works for", async () => {
    const done = Promise.withResolvers<void>();
    const sessions: string[] = [];
    const all = new Sessions({
      directory: "/",
      openStore: () => Promise.reject(new Error("No session is recorded.")),
      closesStore: true,
      answered: () => {},
      warn: () => {},
    });
    const delegations = new Delegations({
      session: (id) => all.get(id),
      settings: () => ({ mode: { user: "default" }, permissions: { user: [], project: [] } }) as never,
      namedMode: undefined,
      agents: {
        run: async ({ sessionID, prompt }) => {
          sessions.push(sessionID);
          if (prompt === "wait") await done.promise;
          return { output: "" };
        },
      },
      call: () => {
        throw new Error("Nothing is called here.");
      },
      shown: () => [],
    });
    const context = { sessionID: "above", messageID: "", callID: "", agent: "main", directory: "/", worktree: "/" };
    const { signal } = new AbortController();
    const call = {
      context,
      signal,
      scope: { agents: { names: ["main"], denials: () => [] } },
      update: () => {},
    } as unknown as Call;
    const work = { description: "", prompt: "", agent: "helper" };
    const waiting = delegations.delegate(call, { ...work, prompt: "wait" });
    for (let at = 0; at < 10_001; at += 1) await delegations.delegate(call, work);
    const [atWork = "", oldest = ""] = sessions;
    expect(delegations.agentsOf(all.get(atWork), "helper")).toEqual(["helper", "main"]);
    expect(delegations.agentsOf(all.get(oldest), "helper")).toEqual(["helper"]);
    done.resolve();
    await waiting;
  });
});
