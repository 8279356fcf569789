/** The part of highlight.js that is used. */
export interface Highlighter {
  /** Undefined if it does not know the language. */
  getLanguage(name: string): object | undefined;
  /** Returns HTML. */
  highlight(
    code: string,
    options: { readonly language: string; readonly ignoreIllegals: true },
  ): {
    readonly value: string;
  };
}

export function createHighlighter(): Highlighter;
