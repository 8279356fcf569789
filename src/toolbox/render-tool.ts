import type { RenderView } from "../core/render.ts";
import { untilAborted } from "../core/until-aborted.ts";
import type { Hosts } from "../protocol/hosts.ts";
import type { HostQuery } from "../protocol/messages.ts";
import type { RegistryEntry } from "../registry/registry-entry.ts";

/** The time limit of an author's renderer. */
const RENDER_MS = 200;

/** The lines that the author's renderer draws; undefined if it draws none, or is too slow. Never rejects. */
export async function renderTool(
  hosts: Hosts,
  { manifest, ref }: RegistryEntry,
  view: RenderView,
  importMs: number,
): Promise<readonly string[] | undefined> {
  if (!manifest.renders) return undefined;
  const target = { file: ref.file.file, tool: manifest.name };
  const request: HostQuery<"render"> = { kind: "render", target, view };
  const isLoaded = hosts.loadedFiles().includes(ref.file.file);
  const limit = AbortSignal.timeout(isLoaded ? RENDER_MS : RENDER_MS + importMs);
  // A slow renderer is abandoned, not ended: this signal never fires.
  const { signal } = new AbortController();
  const reply = await untilAborted(limit, () => hosts.query(ref, request, signal));
  return reply?.kind === "rendered" ? reply.lines : undefined;
}
