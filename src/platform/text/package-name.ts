/** The package of an import: `@scope/name/path` → `@scope/name`. */
export function packageNameOf(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}
