import type { OpenFile } from "../../files/open-file.ts";

/** What is to be seen of a file. */
export interface FileView {
  /** The path as the model wrote it. */
  readonly displayName: string;
  /** The first line, counted from 1. */
  readonly first: number;
  readonly lines: number;
  readonly limits: ViewLimits;
  show(number: number, text: string): string;
  /** Says how to call the tool for what follows. */
  next(line: number): string;
}

/** The numbers that the settings may change. */
export interface ViewLimits {
  /** Longer lines are cut. */
  readonly lineCharacters: number;
  /** Larger files are read only as far as needed; how many lines they have is then not known. */
  readonly wholeBytes: number;
  /** Larger images are refused. */
  readonly imageBytes: number;
  /** Larger PDF files are refused. */
  readonly pdfBytes: number;
}

/** A view of a file that is open. */
export interface OpenFileView extends FileView {
  readonly file: OpenFile;
  /** What a person calls the file. */
  readonly title: string;
}
