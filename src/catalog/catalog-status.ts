import { join } from "node:path";
import type { HostCount, Hosts } from "../host/protocol/hosts.ts";
import { nearest } from "../platform/text/nearest.ts";
import type { SettingsWarning } from "../settings/read-settings.ts";
import type { Settings } from "../settings/settings.ts";
import type { FileInfo, ToolboxStatus } from "./catalog.ts";
import type { Blocked } from "./discovery/tool-file.ts";
import type { Shadowed, ToolInfo } from "./registry/registry-entry.ts";
import { nameWarnings } from "./registry/reserved-name.ts";
import type { ToolCatalog } from "./tool-catalog.ts";

/** The status of a toolbox, read from its catalog and its hosts. */
export class CatalogStatus implements ToolboxStatus {
  readonly #catalog: ToolCatalog;
  readonly #hosts: Hosts;

  constructor(catalog: ToolCatalog, hosts: Hosts) {
    this.#catalog = catalog;
    this.#hosts = hosts;
  }

  get folders(): readonly string[] {
    return this.#catalog.inspected.discovered.possible;
  }

  get files(): readonly FileInfo[] {
    return this.#catalog.entries
      .filter(({ file }) => !file.location.builtin)
      .map(({ manifest: { file, tools, about, runtime } }) => ({
        file,
        tools: tools.map(({ name }) => name),
        ...(about ? { about } : {}),
        ...(runtime ? { runtime } : {}),
      }));
  }

  get loading(): readonly string[] {
    return this.#catalog.loading();
  }

  get shadowed(): readonly Shadowed[] {
    return this.#catalog.registry.shadowed;
  }

  get blocked(): readonly Blocked[] {
    return this.#catalog.inspected.discovered.blocked;
  }

  get warnings(): readonly SettingsWarning[] {
    const { inspected, registry } = this.#catalog;
    const file = join(inspected.homes.toolwrightHome, "settings.json");
    return [
      ...inspected.warnings,
      ...limitWarnings(inspected.settings, (name) => registry.get(name), file),
      ...nameWarnings(registry.list()),
    ];
  }

  get hosts(): readonly HostCount[] {
    return this.#hosts.processes();
  }
}

const COMMON_LIMITS = ["timeoutMs", "maxLines", "maxBytes", "keep"];

function limitWarnings(
  { toolLimits }: Pick<Settings, "toolLimits">,
  find: (name: string) => ToolInfo | undefined,
  file: string,
): SettingsWarning[] {
  return Object.entries(toolLimits).flatMap(([name, { own = {} }]) => {
    const tool = find(name);
    if (!tool) return [];
    const known = [...COMMON_LIMITS, ...Object.keys(tool.limits.own ?? {})];
    const unknown = Object.keys(own).filter((key) => !known.includes(key));
    return unknown.map((key) => ({ file, message: `"toolLimits.${name}.${key}" ${hint(key, name, known)}` }));
  });
}

function hint(key: string, tool: string, known: readonly string[]): string {
  const [near] = nearest(key, known);
  const suggestion = near === undefined ? `It has: ${known.join(", ")}.` : `Did you mean "${near}"?`;
  return `is not a limit of "${tool}". ${suggestion} It is ignored.`;
}
