import type { LoadedSource } from "./contributions.ts";

/** A rule that recognizes the form of an exported object. */
export interface FormRule<Form extends string> {
  readonly form: Form;
  /** Completes a sentence that begins with "because". */
  readonly why: string;
  /** Runs no code of the author except getters. */
  fits(value: Readonly<Record<string, unknown>>, at: RuleContext): boolean;
}

/** Where an object was found. */
export interface RuleContext {
  /** Whether the file is written for pi or oh-my-pi. */
  readonly isPi: boolean;
  readonly from: LoadedSource;
}
