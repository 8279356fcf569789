/** Zod, under the name that tool files of Roo Code import. */
export { z as parametersSchema } from "zod";

/** Returns its argument, as in Roo Code. */
export function defineCustomTool<Definition>(definition: Definition): Definition {
  return definition;
}
