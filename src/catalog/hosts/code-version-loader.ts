import type { HostKind, ImportOptions } from "../../host/protocol/hosts.ts";
import { type FileManifest, type HostFile, hasNoCode } from "../../host/protocol/manifest.ts";
import type { HostPool } from "./host-pool.ts";
import { type HostedCode, hostKindOf, newHostedCode, retireIfUnused, runsAuthorCode } from "./hosted-code.ts";
import { type HostSource, loadFiles } from "./load-files.ts";

type LoadRequest = ImportOptions & Required<Pick<ImportOptions, "onRead">>;

/** Loads the files of a code version, each kind in hosts of that kind. */
export class CodeVersionLoader {
  readonly #pool: HostPool;
  readonly #permanent: HostedCode;

  /** `permanent` has the hosts that run no author's code. */
  constructor(pool: HostPool, permanent: HostedCode) {
    this.#pool = pool;
    this.#permanent = permanent;
  }

  async load(version: HostedCode, files: readonly HostFile[], request: LoadRequest): Promise<void> {
    const groups = [...Map.groupBy(files, hostKindOf)];
    await Promise.all(groups.map(([kind, group]) => this.#loadKind(version, kind, group, request)));
  }

  /** A file that turns out to need Bun while Node imports it is imported by Bun, if Bun is installed. */
  async #loadKind(
    version: HostedCode,
    kind: HostKind,
    files: readonly HostFile[],
    { verify = false, alone = new Set(), onRead }: LoadRequest,
  ): Promise<void> {
    const moved: Promise<void>[] = [];
    const left = new Set(files.map(({ file }) => file));
    const done = beginReading(version, kind);
    const onLoaded = (manifest: FileManifest): void => {
      // Before the last manifest is reported: calls of these files must go to the host that has loaded them.
      left.delete(manifest.file);
      if (left.size === 0) done();
      const moves = kind === "node" && needsBun(manifest) && this.#pool.canStart("bun");
      const file = moves ? files.find((each) => each.file === manifest.file) : undefined;
      if (file) moved.push(this.#loadKind(version, "bun", [{ ...file, runtime: "bun" }], { verify, alone, onRead }));
      else onRead(manifest);
    };
    const load = { verify, fresh: files.some(hasNoCode) };
    await loadFiles(this.#sourceOf(version, kind, files), { files, alone }, load, onLoaded).finally(done);
    await Promise.all(moved);
  }

  #sourceOf(version: HostedCode, kind: HostKind, files: readonly HostFile[]): HostSource {
    const calling = version.hosts.get(kind);
    const loaded = calling?.open ? new Set(calling.loadedFiles) : undefined;
    const isLoaded = loaded !== undefined && files.every(({ file }) => loaded.has(file));
    const key = runsAuthorCode(kind) && !isLoaded ? readingKey(kind) : kind;
    const hostedBy = (own: HostedCode): HostedCode => (runsAuthorCode(kind) ? own : this.#permanent);
    return {
      shared: () => this.#pool.get(hostedBy(version), kind, key),
      alone: async () => {
        // A code version for this file alone: its host ends when the file has been read.
        const own = newHostedCode(version.id);
        const host = await this.#pool.get(hostedBy(own), kind, kind);
        const release = (): void => {
          own.retired = true;
          retireIfUnused(own);
        };
        return host && { host, release };
      },
    };
  }
}

function needsBun({ problems }: FileManifest): boolean {
  return problems.some(({ code }) => code === "needs_bun");
}

/** The key of the host that only reads files. It is separate from calls, since an import may end or block its process. */
function readingKey(kind: HostKind): string {
  return `${kind} reading`;
}

/** Several loads share the reading host. Returns a function that ends this load; calling it again does nothing. */
function beginReading(version: HostedCode, kind: HostKind): () => void {
  version.loadCounts.set(kind, (version.loadCounts.get(kind) ?? 0) + 1);
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    const left = (version.loadCounts.get(kind) ?? 1) - 1;
    version.loadCounts.set(kind, left);
    if (left === 0) endReading(version, kind);
  };
}

/** Once all loads have ended, the reading host takes the calls: it has the files in memory. The host before it finishes its calls. */
function endReading({ hosts }: HostedCode, kind: HostKind): void {
  const reader = hosts.get(readingKey(kind));
  hosts.delete(readingKey(kind));
  if (!reader?.open) return;
  hosts.get(kind)?.retire();
  hosts.set(kind, reader);
}
