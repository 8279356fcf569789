/** The call that printed a line. */
export interface PrintedBy {
  readonly sessionID: string;
  readonly callID: string;
}

/** Receives the output that tools print. `by` is undefined if the call is not known. */
export type Log = (text: string, by?: PrintedBy) => void;
