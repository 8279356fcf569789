/** The call during which something was printed. */
export interface PrintedBy {
  readonly sessionID: string;
  readonly callID: string;
}

/** Takes what tools print, and during which call, where that is known. */
export type Log = (text: string, by?: PrintedBy) => void;
