/** A file that receives the whole of an output. Neither function throws. */
export interface FullOutputFile {
  /** The chunk is only valid during the call: copy what is kept. */
  write(chunk: Uint8Array): void;
  /** The path of the file when the whole output is in it; otherwise nothing is left on disk. */
  close(): string | undefined;
}

/** Where the whole of an output goes once it is over its limits; `open` must not throw. */
export interface FullOutputStore {
  open(): FullOutputFile | undefined;
}
