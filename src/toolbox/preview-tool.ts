import type { Generation } from "../protocol/hosts.ts";
import { PENDING_FILE, RESOLVE } from "../protocol/manifest.ts";
import type { Entry } from "../registry/entry.ts";

/** The tool that resolves previews: there from the beginning, and shown while one waits. */
export function previewToolEntry(generation: Generation): Entry {
  const file = {
    file: PENDING_FILE,
    name: RESOLVE.name,
    source: "builtin",
    place: "code",
    system: "toolwright",
  } as const;
  const ref = { file, generation, imports: [] };
  return { manifest: RESOLVE, source: "builtin", place: "code", ref, enabled: true };
}
