import { PI_TYPE_NAMES, PI_VALUE_NAMES } from "./pi-type-names.ts";

/** The part of the bundler's plugin interface that is used here. */
interface Plugin {
  readonly name: string;
  generateBundle(options: unknown, bundle: Record<string, { readonly fileName: string; code?: string }>): void;
}

/**
 * The bundler confuses a type with a function of the same name: `Date` is a function of TypeBox and a built-in type. This
 * plugin corrects the emitted types; test/init.test.ts checks them.
 */
export const fixTypes: Plugin = {
  name: "fix-types",
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.code !== undefined) chunk.code = [fixInferred(chunk.code), ...missingTypes(chunk.code)].join("\n");
    }
  },
};

/** Renames `Rest$1` back to `Rest` in lines with `infer Rest`, where a function has the same name. */
function fixInferred(code: string): string {
  return code.replace(/^.*\binfer .*$/gm, (line) =>
    [...line.matchAll(/\binfer (\w+)/g)].reduce(
      (text, [, name = ""]) => text.replace(new RegExp(`\\b${name}\\$\\d+`, "g"), name),
      line,
    ),
  );
}

/** Built-in types whose names TypeBox also gives to functions, with their type parameters. */
const BUILT_IN: Readonly<Record<string, readonly [parameters: string, args: string]>> = {
  Date: ["", ""],
  Omit: ["<T, K extends PropertyKey>", "<T, K>"],
  Pick: ["<T, K extends keyof T>", "<T, K>"],
  Promise: ["<T>", "<T>"],
  Record: ["<K extends PropertyKey, T>", "<K, T>"],
  RegExp: ["", ""],
  Uint8Array: ["", ""],
};

function missingTypes(code: string): string[] {
  const functions = new Set(Array.from(code.matchAll(/^declare function (\w+\$\d+)/gm), ([, name = ""]) => name));
  const types = [...functions].flatMap((name) => {
    const original = name.replace(/\$\d+$/, "");
    const [parameters, args] = BUILT_IN[original] ?? [];
    return parameters === undefined ? [] : [`type ${name}${parameters} = ${original}${args};`];
  });
  const isTypebox = /^declare namespace result_d_exports /m.test(code);
  return isTypebox
    ? [...types, ...["Result", "ExtendsResult"].map((name) => `import ${name} = result_d_exports;`)]
    : types;
}

/** Exports types and values of pi that have no declaration here as `any`, so that an editor accepts files that import them. */
export const completePiTypes: Plugin = {
  name: "complete-pi-types",
  generateBundle(_options, bundle) {
    const chunk = Object.values(bundle).find(({ fileName }) => fileName === "pi.d.mts");
    if (chunk?.code === undefined) throw new Error("The types for pi's packages were not built.");
    const described = new Set(exportedNames(chunk.code));
    const isMissing = (name: string): boolean => !described.has(name);
    const types = new Set([...PI_TYPE_NAMES, ...PI_VALUE_NAMES].filter(isMissing));
    chunk.code = [
      chunk.code,
      ...Array.from(types, (name) => `export type ${name}<A = any, B = any> = any;`),
      ...PI_VALUE_NAMES.filter(isMissing).map((name) => `export declare const ${name}: any;`),
    ].join("\n");
  },
};

function exportedNames(code: string): string[] {
  const lists = Array.from(code.matchAll(/^export \{([^}]*)\}/gm), ([, list = ""]) => list);
  return lists.flatMap((list) => list.split(",").map((item) => item.trim().split(/\s+/).at(-1) ?? ""));
}
