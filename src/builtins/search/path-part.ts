/** A part of a pattern for paths with `/` separators. Only "folders" and "anything" pass a `/` that is not in the text. */
export type PathPart =
  | { readonly kind: "text"; readonly text: string }
  /** One character. The regular expression finds it in a text of one character. */
  | { readonly kind: "one"; readonly set: RegExp }
  /** Any text in one name. */
  | { readonly kind: "star" }
  /** `**` and a slash: any number of folders, including none. Inside a name a star and a slash. */
  | { readonly kind: "folders" }
  /** `**`: one or more names. Inside a name a star. */
  | { readonly kind: "anything" }
  | { readonly kind: "choice"; readonly options: readonly (readonly PathPart[])[] };

export function textPart(text: string): PathPart {
  return { kind: "text", text };
}
