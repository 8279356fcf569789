import { createMemoryStore } from "../../src/sessions/store/memory-store.ts";
import { ROUNDS } from "../support/rounds.ts";
import { describeInterleavings, describeSharedInterleavings } from "../support/session-store-model.ts";
import { temporarySqliteStore } from "../support/temporary-sqlite-store.ts";

describeInterleavings(
  "memory",
  async () => {
    const store = createMemoryStore({ project: "/p" });
    return { store, dispose: () => store.close() };
  },
  ROUNDS * 50,
);

describeInterleavings("sqlite", temporarySqliteStore, ROUNDS * 5);

describeSharedInterleavings("sqlite", temporarySqliteStore, ROUNDS * 2);
