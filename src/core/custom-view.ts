/**
 * A component of a tool file (`ui.custom()`) that a user interface draws. The component runs in a host process. Its lines may
 * contain any escape sequence, colors included: remove those that the terminal must not get.
 */
export interface CustomView {
  readonly title?: string;
  /** Whether the author wants it above the other content. */
  readonly overlay: boolean;
  /**
   * The lines for this width, and for a terminal with so many rows (24 by default). Resolves to no lines if the component has
   * ended, throws or takes over 200 ms. Never rejects.
   */
  render(width: number, rows?: number): Promise<readonly string[]>;
  /** Passes one key sequence to the component, as the terminal sent it. */
  input(data: string): void;
  /** Calls the listener when the component must be drawn again, and when it has ended. Returns a function that removes it. */
  onChange(listener: () => void): () => void;
  /** Resolves when the component has ended: by itself, by `close`, with its call or command, or with its host. */
  readonly closed: Promise<void>;
  /** The user closes the component: `ui.custom()` resolves to undefined. */
  close(): void;
}
