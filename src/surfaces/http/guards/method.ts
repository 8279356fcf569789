import type { Refusal } from "../refusal.ts";
import type { Guard } from "./guard.ts";

const METHODS = new Set(["GET", "HEAD", "POST", "DELETE"]);

/** Of methods that are served nowhere nothing reaches the routes: what is there instead is said by `nothingAt`. */
export function methodGuard(nothingAt: (method: string, path: string) => Refusal): Guard {
  return ({ method = "", url = "" }) => {
    if (METHODS.has(method)) return undefined;
    const [path = ""] = url.split("?");
    return nothingAt(method, path);
  };
}
