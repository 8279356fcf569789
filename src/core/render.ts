import type { Content } from "./result.ts";

/** What a terminal wants drawn: a call, or its result. */
export type RenderView = {
  /** Columns. No line is wider. */
  readonly width: number;
  readonly expanded: boolean;
  readonly isPartial: boolean;
  readonly spinnerFrame?: number;
  /** Whether the terminal takes colours. */
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
