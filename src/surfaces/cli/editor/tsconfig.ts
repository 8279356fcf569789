/** The packages that tool files can import without installing them, and the type file of each. */
const PATHS: Readonly<Record<string, string>> = {
  toolwright: "toolwright",
  "toolwright/builtins": "builtins",
  "@atomic/plugin": "toolwright",
  "@opencode-ai/plugin": "opencode-plugin",
  "@opencode-ai/plugin/tool": "opencode-plugin",
  zod: "zod",
  "zod/v4": "zod",
  typebox: "typebox",
  "@sinclair/typebox": "sinclair-typebox",
  "@oh-my-pi/*": "pi",
  "@mariozechner/*": "pi",
  "@earendil-works/*": "pi",
  "@bastani/atomic": "pi",
  "@bastani/atomic/*": "pi",
};

/** The `tsconfig.json` of a tools folder. `runtimes` are those with installed types: TypeScript fails if it cannot find one. */
export function tsconfigText(runtimes: readonly string[]): string {
  const paths = Object.entries(PATHS).map(([name, types]) => `      "${name}": ["./types/${types}.d.mts"]`);
  return `// Written by \`toolwright init\` so that editors know what tool files import. It is yours to change.
{
  "compilerOptions": {
    "target": "es2023",
    "lib": ["es2023", "esnext.disposable", "dom", "dom.iterable", "dom.asynciterable"],
    "module": "esnext",
    "moduleResolution": "bundler",
    "resolveJsonModule": true,
    "allowImportingTsExtensions": true,
    "noEmit": true,
    "strict": true,
    // Files written for other systems count on types that only these have.
    "noImplicitAny": false,
    "skipLibCheck": true,
    "types": ${JSON.stringify(runtimes)},
    "paths": {
${paths.join(",\n")}
    }
  },
  "include": ["tools", "types/ambient.d.ts"]
}
`;
}
