/** A file that `toolwright new` writes. */
export interface TemplateFile {
  /** In the tools folder. */
  readonly file: string;
  readonly text: string;
}

/** A first version of a tool in one form. It greets whoever `--name` names. */
export interface Template {
  /** Who would choose it. */
  readonly about: string;
  /** What there is to know where the file itself cannot say it. */
  readonly notes?: readonly string[];
  /** The file that holds the tool comes first. */
  files(name: string): readonly TemplateFile[];
}
