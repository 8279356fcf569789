import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { thirdPartyLicenses } from "../build/third-party-licenses.ts";

/** Builds the page into `dist/web`, from where `toolwright serve` serves it. Its policy allows no inline script, style or font. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  logLevel: "error",
  plugins: [thirdPartyLicenses()],
  build: {
    outDir: fileURLToPath(new URL("../dist/web", import.meta.url)),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    // One file for all views: a style sheet that could not be loaded is not requested again.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    target: "es2022",
    // Their first versions with `light-dark()`, which would otherwise be replaced by a copy of each color.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
  },
});
