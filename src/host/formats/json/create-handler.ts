import { fileReadHandler } from "./file-read-handler.ts";
import type { Handler, HandlerSetup } from "./handler.ts";
import { httpHandler } from "./http-handler.ts";
import type { HandlerConfig } from "./plugin-file.ts";
import { shellHandler } from "./shell-handler.ts";

/** Throws a `PluginProblem` if the handler does not fit the input schema. */
export function createHandler(config: HandlerConfig, setup: HandlerSetup): Handler {
  switch (config.type) {
    case "shell":
      return shellHandler(config, setup);
    case "http":
      return httpHandler(config, setup);
    case "file-read":
      return fileReadHandler(config, setup);
  }
}
