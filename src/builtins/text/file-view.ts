import type { OpenFile } from "../../platform/files/open-file.ts";

/** The lines of a file to show. */
export interface FileView {
  /** The path as the model wrote it. */
  readonly displayName: string;
  /** The first line, counted from 1. */
  readonly first: number;
  readonly lines: number;
  readonly limits: ViewLimits;
  show(number: number, text: string): string;
  /** Set if the text is returned exactly, with a notice only where a limit has left something out. */
  readonly exact?: { /** Whether `lines` is the caller's choice, and not a limit. */ readonly isRange: boolean };
  /** Says how to call the tool for the following lines. */
  next(line: number): string;
}

/** Limits that settings may change. */
export interface ViewLimits {
  /** Longer lines are cut. */
  readonly lineCharacters: number;
  /** Larger files are read only as far as needed, and their number of lines is unknown. */
  readonly wholeBytes: number;
  /** Larger images are refused. */
  readonly imageBytes: number;
  /** Larger PDF files are refused. */
  readonly pdfBytes: number;
}

export interface OpenFileView extends FileView {
  readonly file: OpenFile;
  /** The name of the file for people. */
  readonly title: string;
}
