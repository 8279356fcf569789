/** The result of one check of `doctor`. */
export interface Finding {
  readonly name: string;
  readonly status: "ok" | "warn" | "fail";
  readonly message: string;
  /** How to fix it. */
  readonly fix?: string;
}
