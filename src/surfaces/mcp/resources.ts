import {
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  type ReadResourceResult,
  ResourceNotFoundError,
  UriTemplate,
} from "@modelcontextprotocol/server";
import type { McpClient } from "./mcp-client.ts";
import { toResourceContent } from "./resource-data.ts";
import type { McpResource, McpResourceTemplate, ResourceData } from "./server-options.ts";

type Resource = McpResource | McpResourceTemplate;

/** The resources and resource templates of a server. */
export class Resources {
  readonly #fixed: readonly McpResource[];
  readonly #templates: readonly { readonly template: McpResourceTemplate; readonly pattern: UriTemplate }[];

  constructor(resources: readonly Resource[]) {
    this.#fixed = resources.filter((each): each is McpResource => !isTemplate(each));
    this.#templates = resources
      .filter(isTemplate)
      .map((template) => ({ template, pattern: new UriTemplate(template.uriTemplate) }));
  }

  list(): ListResourcesResult {
    return { resources: this.#fixed.map(({ read: _, ...resource }) => resource) };
  }

  templates(): ListResourceTemplatesResult {
    return {
      resourceTemplates: this.#templates.map(({ template: { read: _, complete: __, ...template } }) => template),
    };
  }

  template(uriTemplate: string): McpResourceTemplate | undefined {
    return this.#templates.find(({ template }) => template.uriTemplate === uriTemplate)?.template;
  }

  /** Rejects with a protocol error for an unknown URI. */
  async read(uri: string, client: McpClient): Promise<ReadResourceResult> {
    const fixed = this.#fixed.find((each) => each.uri === uri);
    if (fixed) return contents(uri, fixed.mimeType, await fixed.read(uri, client));
    for (const { template, pattern } of this.#templates) {
      const variables = pattern.match(uri);
      if (!variables) continue;
      const single = Object.entries(variables).map(([name, value]) => [name, String(value)] as const);
      return contents(uri, template.mimeType, await template.read(uri, Object.fromEntries(single), client));
    }
    throw new ResourceNotFoundError(uri);
  }
}

function isTemplate(resource: Resource): resource is McpResourceTemplate {
  return resource.uriTemplate !== undefined;
}

function contents(uri: string, mimeType: string | undefined, data: ResourceData): ReadResourceResult {
  const content = typeof data === "string" ? { text: data } : toResourceContent(data, mimeType);
  return { contents: [{ uri, ...(mimeType === undefined ? {} : { mimeType }), ...content }] };
}
