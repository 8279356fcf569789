import { isObject } from "../../platform/values/is-object.ts";

type Parsed =
  | { readonly success: true; readonly data?: unknown }
  | {
      readonly success: false;
      readonly error: { readonly issues: readonly { readonly path: readonly never[]; readonly message: string }[] };
    };

/** The schema of a plugin's configuration. OpenClaw checks configurations with it, Toolwright does not. */
export interface PluginConfigSchema {
  safeParse?(value: unknown): Parsed;
  readonly jsonSchema?: unknown;
  readonly uiHints?: unknown;
}

/** The schema of a plugin without configuration. */
export function emptyPluginConfigSchema(): PluginConfigSchema {
  return {
    safeParse: (value) => {
      const isEmpty = value === undefined || (isObject(value) && Object.keys(value).length === 0);
      if (isEmpty) return { success: true, data: value };
      return { success: false, error: { issues: [{ path: [], message: "expected an empty object" }] } };
    },
    jsonSchema: { type: "object", additionalProperties: false, properties: {} },
  };
}

export function buildJsonPluginConfigSchema(
  jsonSchema: unknown,
  options: { readonly uiHints?: unknown } = {},
): PluginConfigSchema {
  return { ...options, jsonSchema, safeParse: (value) => ({ success: true, data: value }) };
}

/** From a schema of Zod. */
export function buildPluginConfigSchema(
  schema: { safeParse?(value: unknown): unknown },
  options: { readonly uiHints?: unknown } = {},
): PluginConfigSchema {
  return { ...options, safeParse: (value) => schema.safeParse?.(value) as Parsed };
}
