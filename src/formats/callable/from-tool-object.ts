import type { ExportAt } from "../export-at.ts";
import type { FromFile } from "../module.ts";
import { type Definition, toTool } from "./definition-to-tool.ts";
import { createScope } from "./scope.ts";

/** A tool of pi or oh-my-pi that is exported as it is, with no function around it. Rejects when it cannot be served. */
export async function fromToolObject(value: Definition, at: ExportAt): Promise<FromFile> {
  const scope = createScope(at.file, at.source, at.host);
  const tool = await toTool(value, { given: "exported", at, scope });
  // No function made it, but it asks for what those are given.
  return {
    tools: [tool],
    problems: [],
    about: { format: "factory", why: at.why, unsupportedFeatures: [] },
    made: true,
  };
}
