/** The variables of a description. */
interface DescriptionVariables {
  readonly directory: string;
  /** The root of the repository that contains `directory`. */
  readonly workspace: string;
}

/** Replaces `${directory}` and `${workspace}` in a text. `unknown` returns the replacement for any other variable. */
export function expandDescription(
  text: string,
  values: DescriptionVariables,
  unknown: (variable: string, offset: number) => string = (variable) => variable,
): string {
  return text.replace(/\$\{([^}\n]*)\}/g, (variable, name: string, offset: number) => {
    const key = name.trim();
    return key === "directory" || key === "workspace" ? values[key] : unknown(variable, offset);
  });
}
