/** A no for which no reason was given, as the model reads it. */
export const SAID_NO = "The user said no. Find another way, or tell the user.";

/** What a person said to a question. */
export type Answer =
  | {
      readonly allowed: true;
      /** For how long it holds; only this once when left out. "always" is written into the user's settings. */
      readonly remember?: "session" | "always";
    }
  | { readonly allowed: false; readonly reason: string };
