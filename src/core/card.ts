/**
 * What a call does, for the card that people are shown of it. Each other field is the name of a field of the input. Advice: it has
 * no effect on the call.
 */
export type Card = CommandCard | FileCard | DiffCard | ListCard | TodosCard;

/** Runs a command. Its output is the result. */
export interface CommandCard {
  readonly kind: "command";
  /** A text, or the list of a program and its arguments. */
  readonly command: string;
  readonly directory?: string;
}

/** Reads a file, or some of its lines. */
export interface FileCard {
  readonly kind: "file";
  readonly path: string;
  /** The number of the first line, counted from 1. */
  readonly first?: string;
  /** How many lines. */
  readonly count?: string;
  /** The number of the last line. */
  readonly last?: string;
  /** The list of the first and the last line. */
  readonly range?: string;
}

/** Changes files. The first of these that a call has is shown: `diff`, `changes`, `patch`, `edits`, `before` and `after`. */
export interface DiffCard {
  readonly kind: "diff";
  readonly path?: string;
  /** The text that is replaced. Without it, `after` is the whole content of the file. */
  readonly before?: string;
  readonly after?: string;
  /** A list of objects with the fields `before` and `after`. */
  readonly edits?: string;
  /** A patch of one or several files. */
  readonly patch?: string;
  /** A field of the data of the result: a unified diff. */
  readonly diff?: string;
  /** A field of the data of the result: a list of `{ path, before?, after }`. */
  readonly changes?: string;
}

/** Finds files, lines or entries. They are the result. */
export interface ListCard {
  readonly kind: "list";
  readonly pattern?: string;
  readonly path?: string;
}

/** Writes a to-do list, or reads one. */
export interface TodosCard {
  readonly kind: "todos";
  /** A list of objects, in the input or else in the data of the result; or a list in Markdown. */
  readonly items: string;
  /** The field of an item that holds its text; "content" by default. */
  readonly text?: string;
}
