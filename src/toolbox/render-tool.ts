import type { RegistryEntry } from "../catalog/registry/registry-entry.ts";
import type { RenderView } from "../core/render.ts";
import type { Hosts } from "../host/protocol/hosts.ts";
import type { HostQuery } from "../host/protocol/messages.ts";
import { timerDelay } from "../platform/waiting/max-delay.ts";
import { untilAborted } from "../platform/waiting/until-aborted.ts";

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
  const limit = AbortSignal.timeout(isLoaded ? RENDER_MS : timerDelay(RENDER_MS + importMs));
  // A slow renderer is abandoned, not ended: this signal never fires.
  const { signal } = new AbortController();
  const reply = await untilAborted(limit, () => hosts.query(ref, request, signal));
  return reply?.kind === "rendered" ? reply.lines : undefined;
}
