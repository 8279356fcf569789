import { CatalogStatus } from "../catalog/catalog-status.ts";
import { projectInfo } from "../catalog/inspect-project.ts";
import { ToolCatalog } from "../catalog/tool-catalog.ts";
import type { Toolbox, ToolboxOptions } from "./toolbox.ts";
import { prepareParts } from "./toolbox-parts.ts";

/** The tools of a directory. They cannot be called. */
export interface ToolListing extends Pick<Toolbox, "project" | "problems" | "status" | "close"> {
  list(): ReturnType<Toolbox["list"]>;
}

/** Like `openToolbox`, but loads no code of calls and sessions. Cached tools are listed without starting a process. */
export async function openListing(options: ToolboxOptions): Promise<ToolListing> {
  const { parts, inspected } = await prepareParts(options);
  const { hosts, directory } = parts;
  const catalog = new ToolCatalog({ ...parts, onPublish: () => {} }, inspected);
  hosts.listen({
    importsChanged: (file, imports) => catalog.addImports(file, imports),
    manifestChanged: (manifest) => catalog.updateManifest(manifest),
    sessionAction: () => {},
    importLasts: () => {},
    previewsChanged: () => {},
    ui: async () => undefined,
  });
  await catalog.begin({ verify: false });
  return {
    project: projectInfo(directory, catalog.inspected),
    status: new CatalogStatus(catalog, hosts),
    list: () => catalog.registry.list(),
    problems: () => catalog.problems(),
    close: async () => void (await Promise.all([catalog.close(), hosts.close()])),
  };
}
