/** The part of the global `Bun` that loading files needs. */
export interface BunGlobal {
  /** Rejects what it cannot find by throwing. Built-in modules come out as names, not as paths. */
  resolveSync(specifier: string, folder: string): string;
  plugin(plugin: { name: string; setup(build: PluginBuilder): void }): void;
  readonly Transpiler: new (options: { loader: "ts" | "js" }) => Transpiler;
}

interface PluginBuilder {
  onLoad(options: { filter: RegExp }, load: () => object): void;
  /** A module that is in no file. */
  module(specifier: string, load: () => object): void;
}

interface Transpiler {
  scan(source: string): { readonly exports: readonly string[] };
  /** Unlike `scan`, it names what is required as well. */
  scanImports(source: string): readonly { readonly kind: string; readonly path: string }[];
}
