import { createMemoryStore } from "../src/sessions/store/memory-store.ts";
import { describeSessionStore } from "./support/session-store-suite.ts";
import { temporarySqliteStore } from "./support/temporary-sqlite-store.ts";

describeSessionStore("memory", async () => {
  const store = createMemoryStore({ project: "/p" });
  return { store, dispose: () => store.close() };
});

describeSessionStore("sqlite", temporarySqliteStore, { runs: 5 });
