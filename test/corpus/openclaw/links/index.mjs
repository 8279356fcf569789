import { defineToolPlugin } from "openclaw/plugin-sdk/tool-plugin";
import { Type } from "typebox";

export default defineToolPlugin({
  id: "links",
  name: "Links",
  description: "Tools for links.",
  configSchema: Type.Object({ base: Type.Optional(Type.String()) }),
  tools: (tool) => [
    tool({
      name: "link_host",
      description: "Returns the host of a link.",
      parameters: Type.Object({ url: Type.String({ description: "A URL" }) }),
      execute: ({ url }, config) => new URL(url, config.base ?? "https://example.com").host,
    }),
    tool({
      name: "link_query",
      description: "Returns the query of a link as an object.",
      parameters: Type.Object({ url: Type.String({ description: "A URL" }) }),
      execute: async ({ url }) => Object.fromEntries(new URL(url).searchParams),
      optional: true,
    }),
    tool({
      name: "link_join",
      description: "Joins a base and a path.",
      parameters: Type.Object({ base: Type.String({ description: "A URL" }), path: Type.String({ description: "A path" }) }),
      factory: () => ({
        name: "link_join",
        description: "Joins a base and a path.",
        parameters: Type.Object({ base: Type.String({ description: "A URL" }), path: Type.String({ description: "A path" }) }),
        execute: async (_id, { base, path }) => ({
          content: [{ type: "text", text: new URL(path, base).href }],
          details: { base },
        }),
      }),
    }),
  ],
});
