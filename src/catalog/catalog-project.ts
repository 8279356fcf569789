import { hasNoCode } from "../host/protocol/manifest.ts";
import { isEffective } from "../settings/permissions/rule.ts";
import type { SettingsWarning } from "../settings/read-settings.ts";
import type { Settings } from "../settings/settings.ts";
import type { CodeSources } from "./discovery/code-sources.ts";
import type { ToolFile } from "./discovery/tool-file.ts";
import type { Watched } from "./discovery/watch.ts";
import type { ManifestReader } from "./hosts/manifest-reader.ts";
import { type InspectedProject, rightsPaths } from "./inspect-project.ts";

interface ProjectParts {
  readonly manifests: ManifestReader;
  readonly inspect: () => InspectedProject;
  /** Whether only the configured locations are served. */
  readonly onlyGiven: boolean;
}

/** The project of a catalog as it was last inspected, with the rules and warnings that were added since. */
export class CatalogProject {
  readonly #parts: ProjectParts;
  #current: InspectedProject;

  constructor(parts: ProjectParts, inspected: InspectedProject) {
    this.#parts = parts;
    this.#current = this.#withMissingGuards(inspected);
  }

  get current(): InspectedProject {
    return this.#current;
  }

  get files(): readonly ToolFile[] {
    return this.#current.discovered.files;
  }

  inspect(): void {
    this.#current = this.#withMissingGuards(this.#parts.inspect());
  }

  /** A key of the warnings, problems and blocked files. */
  get faults(): string {
    const { warnings, discovered } = this.#current;
    return JSON.stringify([warnings, discovered.problems, discovered.blocked]);
  }

  /** The rules apply at once. The next inspection reads them from the settings file, or the last one has read them already. */
  addRules(rules: Settings["permissions"]["user"]): void {
    const { settings } = this.#current;
    const { permissions } = settings;
    const user = [...permissions.user, ...rules.filter((rule) => !isEffective(rule, permissions.user))];
    this.#current = { ...this.#current, settings: { ...settings, permissions: { ...permissions, user } } };
  }

  /** Adds a warning. One that is repeated by many calls is kept once. */
  warn(warning: SettingsWarning): void {
    const { warnings } = this.#current;
    if (warnings.some(({ file, message }) => file === warning.file && message === warning.message)) return;
    this.#current = { ...this.#current, warnings: [...warnings, warning] };
  }

  /** The files and folders whose changes change the list of tools. */
  watched(): Watched {
    const { possible, watched, project } = this.#current.discovered;
    const rights = rightsPaths(this.#current.homes.toolwrightHome, project.root);
    return { folders: possible, files: [...this.#parts.manifests.dependencies(), ...watched, ...rights] };
  }

  /** The files and commands that run without a permission question, now or after the next inspection. */
  codeSources(): CodeSources {
    const { discovered, settings } = this.#current;
    const { root } = discovered.project;
    const hooks = [...settings.hooks.before, ...settings.hooks.after];
    const servers = discovered.files.flatMap(({ server }) => (server?.type === "stdio" ? [server] : []));
    const watched = this.watched();
    const read = new Set(watched.files);
    const own = discovered.files.filter(({ server }) => !server);
    return {
      ...watched,
      unread: own
        .filter(({ file }) => !read.has(file) || this.#parts.manifests.hasProblems(file))
        .map(({ file }) => file),
      loaded: own.filter((file) => !hasNoCode(file)).map(({ file }) => file),
      declared: own.filter(hasNoCode).map(({ file }) => file),
      commands: [
        ...hooks.map(({ command }) => ({ words: command, folder: root })),
        ...servers.map(({ command, args, env, cwd }) => ({
          words: [command, ...args, ...Object.values(env)],
          folder: cwd ?? root,
        })),
      ],
    };
  }

  /** A guard that discovery misses is read like any other file: if the attempt fails, its last good version stays. */
  #withMissingGuards(inspected: InspectedProject): InspectedProject {
    const { discovered, isPartial } = inspected;
    const { files, project, problems, watched } = discovered;
    const isConfigBroken = isPartial || problems.some(({ file }) => watched.includes(file));
    const isOpen = ({ location: { kind, ofProject } }: ToolFile): boolean =>
      (project.trusted || !ofProject) && (!this.#parts.onlyGiven || kind === "configured");
    const missing = this.#parts.manifests.missingGuards(files, isConfigBroken).filter(isOpen);
    if (missing.length === 0) return inspected;
    return { ...inspected, discovered: { ...discovered, files: [...files, ...missing] } };
  }
}
