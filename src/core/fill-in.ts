/** What a description may name: the directory that calls are about, and the root of its repository. */
export interface Surroundings {
  readonly directory: string;
  readonly workspace: string;
}

/** Puts `${directory}` and `${workspace}` into a text. `unknown` is told of any other variable, and where it stands. */
export function fillIn(
  text: string,
  values: Surroundings,
  unknown: (variable: string, offset: number) => string = (variable) => variable,
): string {
  return text.replace(/\$\{([^}\n]*)\}/g, (variable, name: string, offset: number) => {
    const key = name.trim();
    return key === "directory" || key === "workspace" ? values[key] : unknown(variable, offset);
  });
}
