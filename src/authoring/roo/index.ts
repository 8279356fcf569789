/** Zod, under the names that tool files of Roo Code import. */
export { z, z as parametersSchema } from "zod";

/** Returns its argument, as in Roo Code. */
export function defineCustomTool<Definition>(definition: Definition): Definition {
  return definition;
}
