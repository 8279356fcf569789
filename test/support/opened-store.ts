import type { SessionStore } from "../../src/core/session-store.ts";

/** A session store with its own data, for tests. */
export interface OpenedStore {
  /** Its project is "/p". */
  readonly store: SessionStore;
  /** Opens a second store on the same data, as another process would. Left out if the data are in the first one. */
  readonly openAnother?: (project?: string) => Promise<SessionStore>;
  /** Closes all stores and removes the data. */
  dispose(): Promise<void>;
}

export type OpenStore = () => Promise<OpenedStore>;
