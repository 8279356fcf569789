import { defineTemplate } from "./define.ts";
import { factoryTemplate } from "./factory.ts";
import { jsonTemplate } from "./json.ts";
import { openCodePluginTemplate } from "./opencode-plugin.ts";
import { piExtensionTemplate } from "./pi-extension.ts";
import { sdkTemplate } from "./sdk.ts";
import type { Template } from "./template.ts";
import { toolTemplate } from "./tool.ts";

/** Every form that a new tool can be written in, by the name that `--format` takes. The first is the usual one. */
export const TEMPLATES: Readonly<Record<string, Template>> = {
  tool: toolTemplate,
  factory: factoryTemplate,
  json: jsonTemplate,
  define: defineTemplate,
  "pi-extension": piExtensionTemplate,
  "opencode-plugin": openCodePluginTemplate,
  sdk: sdkTemplate,
};
