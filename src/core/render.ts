import type { Content } from "./result.ts";

/** A call or its result, to be rendered in a terminal. */
export type RenderView = {
  /** The maximum width of a line, in columns. */
  readonly width: number;
  /** Whether details are shown; false by default. */
  readonly expanded?: boolean;
  /** Whether the call still runs; false by default. */
  readonly isPartial?: boolean;
  readonly spinnerFrame?: number;
  /** Whether the terminal supports colors. */
  readonly color: boolean;
  readonly callID: string;
  readonly cwd: string;
  readonly input: unknown;
} & (
  | { readonly kind: "call" }
  | {
      readonly kind: "result";
      readonly content: readonly Content[];
      readonly data?: unknown;
      readonly isError: boolean;
    }
);
