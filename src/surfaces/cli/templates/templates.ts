import { defineTemplate } from "./define-template.ts";
import { factoryTemplate } from "./factory-template.ts";
import { jsonTemplate } from "./json-template.ts";
import { openCodePluginTemplate } from "./opencode-plugin-template.ts";
import { piExtensionTemplate } from "./pi-extension-template.ts";
import { sdkTemplate } from "./sdk-template.ts";
import type { Template } from "./template.ts";
import { toolTemplate } from "./tool-template.ts";

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
