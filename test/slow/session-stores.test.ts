import { createMemoryStore } from "../../src/session-store/memory-store.ts";
import { ROUNDS } from "../support/rounds.ts";
import { describeInterleavings } from "../support/session-store-model.ts";

describeInterleavings(
  "memory",
  async () => {
    const store = createMemoryStore({ project: "/p" });
    return { store, dispose: () => store.close() };
  },
  ROUNDS * 50,
);
