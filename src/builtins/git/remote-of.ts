import { type GitCall, runGit } from "./run-git.ts";
import { withoutCredentials } from "./without-credentials.ts";

const WANTED = String.raw`^(remote\..*\.url|branch\..*\.remote)$`;

/** The address of the remote that a branch follows, else of "origin", else of the first there is; null without any. */
export async function remoteOf(branch: string | null, call: GitCall): Promise<string | null> {
  const { code, stdout } = await runGit(["config", "--null", "--get-regexp", WANTED], call);
  if (code !== 0) return null;
  const settings = settingsIn(stdout);
  const followed = settings.get(`branch.${branch}.remote`);
  const names = [...settings.keys()].filter((name) => name.startsWith("remote."));
  const [name] = [`remote.${followed}.url`, "remote.origin.url", ...names].filter((each) => settings.has(each));
  const address = name === undefined ? undefined : settings.get(name);
  return address === undefined ? null : withoutCredentials(address);
}

/** By name. Of several addresses of one remote the first counts: it is the one that is fetched from. */
function settingsIn(listing: string): Map<string, string> {
  const settings = new Map<string, string>();
  for (const entry of listing.split("\0")) {
    const at = entry.indexOf("\n");
    const name = entry.slice(0, Math.max(0, at));
    if (at >= 0 && !settings.has(name)) settings.set(name, entry.slice(at + 1));
  }
  return settings;
}
