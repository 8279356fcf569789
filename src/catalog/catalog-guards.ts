import { resolve } from "node:path";
import { filesBeingRead } from "../host/protocol/files-being-read.ts";
import { isInside } from "../platform/files/inside.ts";
import { realPath } from "../platform/files/real-path.ts";
import { type Environment, expandHome } from "../settings/defaults.ts";
import { BUILTIN_NAMES } from "./builtin-tools.ts";
import type { CatalogProject } from "./catalog-project.ts";
import type { ToolFile } from "./discovery/tool-file.ts";
import type { LoadedFile } from "./hosts/loaded-file.ts";
import type { ManifestReader } from "./hosts/manifest-reader.ts";
import { settingsPaths } from "./inspect-project.ts";
import { isDisabled } from "./registry/resolve-names.ts";

/** Decides which files are not imported, and why calls are refused while the hooks of a file are not known. */
export class CatalogGuards {
  readonly #project: CatalogProject;
  readonly #manifests: ManifestReader;
  readonly #env: Environment;
  #refusal: { readonly of: readonly LoadedFile[]; readonly text: string | undefined } | undefined;

  constructor(project: CatalogProject, manifests: ManifestReader, env: Environment) {
    this.#project = project;
    this.#manifests = manifests;
    this.#env = env;
  }

  /** Why calls are refused: the hooks of a file could not be read. */
  refusal(entries: readonly LoadedFile[]): string | undefined {
    if (this.#refusal?.of !== entries || this.#manifests.isReading) {
      this.#refusal = { of: entries, text: this.#explainUnread(entries) };
    }
    return this.#refusal.text;
  }

  /** Tests whether a file is disabled, and so not imported; undefined if none is. A project cannot disable guards of the user. */
  get isOff(): ((file: ToolFile) => boolean) | undefined {
    const { disabled, disabledByUser } = this.#project.current.settings.tools;
    const callers = this.#callers;
    if (disabled.length + callers.length === 0) return undefined;
    const isIn = (list: readonly string[], file: ToolFile): boolean =>
      isDisabled(file.name, { file }, list, BUILTIN_NAMES);
    const mayBeOff = (file: ToolFile): boolean =>
      (file.location.ofProject && !file.isOfUser) ||
      isIn(disabledByUser, file) ||
      !this.#manifests.guards.isGuard(file);
    return (file) => callers.includes(file.file) || (isIn(disabled, file) && mayBeOff(file));
  }

  /** The guards that started this process while they were read. They would wait for themselves, so they are not read here. */
  get #callers(): readonly string[] {
    const started = filesBeingRead(this.#env);
    if (started.length === 0) return started;
    const isCaller = (file: ToolFile): boolean => started.includes(file.file) && this.#manifests.guards.isGuard(file);
    return this.#project.files.filter(isCaller).map(({ file }) => file);
  }

  #explainUnread(entries: readonly LoadedFile[]): string | undefined {
    const [caller] = this.#callers;
    if (caller !== undefined) {
      return `${caller} makes the call while it is being read, and its hooks are not known before that has ended. Make the call later, for example in a handler.`;
    }
    const { settings, discovered, homes } = this.#project.current;
    const optional = settings.hooks.optional.map((path) =>
      resolve(discovered.project.root, expandHome(path, homes.home)),
    );
    const unread = this.#manifests.guards.unread(entries).find(({ file }) => !isNamed(file, optional));
    if (!unread) return undefined;
    const { file, reason } = unread;
    const { user } = settingsPaths(this.#project.current);
    return `The hooks in ${file} may have to see the call, and that file could not be read: ${reason}. Until that is corrected, no call is made. To make calls without its hooks, the user can add ${JSON.stringify(file)} to "hooks.optional" in ${user}.`;
  }
}

/** Whether one of the paths is the file or a folder above it. Links are resolved on both sides. */
export function isNamed(file: string, paths: readonly string[]): boolean {
  return paths.some((path) => isInside(realPath(path) ?? path, realPath(file) ?? file));
}
