import { homedir } from "node:os";
import { join } from "node:path";

export const CONFIG_DIR_NAME = ".pi";

/** Where pi keeps what belongs to the user. */
export function getAgentDir(): string {
  const set = process.env.PI_CODING_AGENT_DIR;
  if (!set) return join(homedir(), CONFIG_DIR_NAME, "agent");
  return set === "~" || set.startsWith("~/") ? join(homedir(), set.slice(1)) : set;
}
