import { existsSync, readFileSync } from "node:fs";
import { SourceMap, type SourceMapPayload } from "node:module";
import { dirname, isAbsolute, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { packageFile } from "../../platform/files/package-files.ts";
import { stampOf } from "../../platform/files/stamp.ts";
import type { Position } from "../../platform/text/code-frame.ts";
import { sourceMapOf } from "./transform.ts";
import { usesDecorators } from "./uses-decorators.ts";

/** A position in an author's file, as the author wrote it. */
export interface SourcePlace extends Position {
  readonly file: string;
}

/** Where authors' code threw an error. */
export interface ThrownPlaces {
  /** The topmost stack frame in an author's file. */
  readonly place: SourcePlace;
  /** Whether the error was thrown there, and not in code that was called from there. */
  readonly isTop: boolean;
  /** The topmost frame in the tool file itself. */
  readonly inEntry?: SourcePlace;
}

const IN_BUN: boolean = process.versions.bun !== undefined;

/** The places in the stack of an error; undefined if no author's file is in it. Never throws. `entry` is a real path. */
export function placesOf(thrown: unknown, entry: string): ThrownPlaces | undefined {
  try {
    const frames = framesOf(thrown);
    const first = frames.findIndex(({ file }) => isAuthors(file, entry));
    const frame = frames[first];
    if (!frame) return undefined;
    const inEntry = frames.find(({ file }) => file === entry);
    const place = toSource(frame);
    return {
      place,
      isTop: first === 0,
      ...(inEntry ? { inEntry: inEntry === frame ? place : toSource(inEntry) } : {}),
    };
  } catch {
    return undefined;
  }
}

/** `at name (file:///a.ts:1:2)`, `at /a.cjs:1:2`. Frames of Node itself have names such as `node:fs`. */
const FRAME = /^\s*at (?:.*? \()?((?:file:\/\/|node:|[A-Za-z]:\\|\/)?[^()\n]*?):(\d+):(\d+)\)?$/gm;

function framesOf(thrown: unknown): SourcePlace[] {
  if (!(thrown instanceof Error) || typeof thrown.stack !== "string") return [];
  return [...thrown.stack.matchAll(FRAME)].map(([, where = "", line, column]) => ({
    file: where.startsWith("file://") ? fileURLToPath(where.replace(/\?.*$/, "")) : where,
    line: Number(line),
    column: Number(column),
  }));
}

/** The file of the topmost stack frame, whether it is the author's or of a package. */
export function throwingFile(thrown: unknown): string | undefined {
  const path = framesOf(thrown).find(({ file }) => isAbsolute(file))?.file;
  return path !== undefined && existsSync(path) ? path : undefined;
}

function isAuthors(file: string, entry: string): boolean {
  if (file === entry) return true;
  if (!isAbsolute(file)) return false;
  if (file.startsWith(dirname(packageFile("index")) + sep)) return false;
  const modules = `${sep}node_modules${sep}`;
  return !file.includes(modules) || (entry.includes(modules) && file.startsWith(dirname(entry) + sep));
}

/** The source maps of the last files that threw, by path. They are created only for these, to keep imports fast. */
const maps = new Map<string, { readonly stamp: string; readonly map: SourceMap | undefined }>();
const MAX_MAPS = 20;

function toSource(place: SourcePlace): SourcePlace {
  const entry = mapOf(place.file)?.findEntry(place.line - 1, place.column - 1);
  if (!entry || !("originalLine" in entry)) return place;
  return { file: place.file, line: entry.originalLine + 1, column: entry.originalColumn + 1 };
}

function mapOf(file: string): SourceMap | undefined {
  const stamp = stampOf(file);
  const known = maps.get(file);
  if (known?.stamp === stamp) return known.map;
  const source = readFileSync(file, "utf8");
  // Bun maps the lines itself, except of files that we compile for it.
  const map = IN_BUN && !usesDecorators(source) ? undefined : sourceMapOf(file, source);
  const made = map ? new SourceMap(map as unknown as SourceMapPayload) : undefined;
  if (maps.size >= MAX_MAPS) maps.clear();
  maps.set(file, { stamp, map: made });
  return made;
}
