import { defineConfig } from "tsdown";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    cli: "src/surfaces/cli/main.ts",
    host: "src/host/child.ts",
  },
  format: "esm",
  platform: "node",
  target: "node22.18",
  dts: { oxc: true },
  clean: true,
});
