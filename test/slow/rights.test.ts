import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { outputOf } from "../../src/core/result.ts";
import { createToolbox } from "../../src/index.ts";
import type { Toolbox } from "../../src/toolbox/toolbox.ts";
import { CLI, cli } from "../support/cli.ts";
import { type Sandbox, sandbox } from "../support/fixture.ts";
import { following, readyServe } from "../support/http-command.ts";
import { connect, ERAS } from "../support/mcp-client.ts";
import { put } from "../support/temporary.ts";
import { answering, open } from "../support/toolbox.ts";

/** A look at the files counts for 20 ms. */
const LOOK_MS = 30;

const YES = { permissions: [{ tool: "greet", action: "allow" }] };
const NO = { permissions: [{ tool: "greet", action: "deny" }] };

const stateFolder = (at: Sandbox): string => at.env.TOOLWRIGHT_HOME ?? join(at.home, ".toolwright");
const userFile = (at: Sandbox): string => join(stateFolder(at), "settings.json");
const projectFile = (at: Sandbox): string => join(at.project, ".toolwright", "settings.json");
const save = (file: string, settings: object): string => put(file, JSON.stringify(settings));

function greeting(): Sandbox {
  return sandbox({ "greet.mjs": answering('"hello"') });
}

async function greet(toolbox: Toolbox): Promise<string> {
  const result = await toolbox.call({ name: "greet" }).result;
  return result.ok ? outputOf(result) : result.error.code;
}

/** How a settings file may be stored, and how the user then changes it. `file` is its path for Toolwright. */
const LAYOUTS: Record<string, (at: Sandbox, file: string) => () => void> = {
  "a file that is written again": (_, file) => {
    save(file, YES);
    return () => save(file, NO);
  },
  "a file that is replaced": (at, file) => {
    save(file, YES);
    return () => renameSync(save(join(at.root, "new.json"), NO), file);
  },
  "a file that did not exist": (_, file) => () => save(file, NO),
  "a folder that did not exist": (_, file) => {
    rmSync(join(file, ".."), { recursive: true, force: true });
    return () => save(file, NO);
  },
  "a link to a file that is written again": (at, file) => {
    const target = save(join(at.root, "dotfiles/settings.json"), YES);
    mkdirSync(join(file, ".."), { recursive: true });
    symlinkSync(target, file);
    return () => save(target, NO);
  },
  "a link to a file that is replaced": (at, file) => {
    const target = save(join(at.root, "dotfiles/settings.json"), YES);
    mkdirSync(join(file, ".."), { recursive: true });
    symlinkSync(target, file);
    return () => renameSync(save(join(at.root, "new.json"), NO), target);
  },
  "a link to a link": (at, file) => {
    const target = save(join(at.root, "dotfiles/settings.json"), YES);
    symlinkSync(target, join(at.root, "middle"));
    mkdirSync(join(file, ".."), { recursive: true });
    symlinkSync(join(at.root, "middle"), file);
    return () => save(target, NO);
  },
  "a link that is pointed elsewhere": (at, file) => {
    const other = save(join(at.root, "dotfiles/other.json"), NO);
    mkdirSync(join(file, ".."), { recursive: true });
    symlinkSync(save(join(at.root, "dotfiles/settings.json"), YES), file);
    return () => {
      unlinkSync(file);
      symlinkSync(other, file);
    };
  },
};

describe("[P3] a call is decided by the settings as they are on disk, without watching", () => {
  describe.each(Object.entries(LAYOUTS))("%s", (_, layout) => {
    it.each([
      ["the user's", userFile],
      ["the project's", projectFile],
    ] as const)("%s settings", async (owner, fileOf) => {
      const at = greeting();
      // The tools folder is beside the project's settings.
      if (owner === "the project's" && layout === LAYOUTS["a folder that did not exist"]) return;
      const change = layout(at, fileOf(at));
      const { toolbox } = await open(at);
      expect(await greet(toolbox)).toBe("hello");
      change();
      await sleep(LOOK_MS);
      expect(await greet(toolbox)).toBe("denied");
    });
  });

  it("of the same size, written within a tick of the clock", async () => {
    const at = greeting();
    const file = userFile(at);
    const rule = (action: string): object => ({ permissions: [{ tool: "greet", action }] });
    const { toolbox } = await open(at);
    for (let round = 0; round < 20; round += 1) {
      save(file, { ...rule("allow"), " ": 1 });
      await sleep(LOOK_MS);
      await greet(toolbox);
      save(file, rule("deny"));
      save(file, rule("deny "));
      save(file, rule("deny"));
      await sleep(LOOK_MS);
      expect(await greet(toolbox)).toBe("denied");
    }
  });

  it.each<[string, object]>([
    ["a mode", { mode: "plan" }],
    ["a disabled tool", { tools: { disabled: ["greet"] } }],
    ["a rule that asks, where no person can be asked", { permissions: [{ tool: "greet", action: "ask" }] }],
    ["a hook that refuses", { hooks: { before: [{ tool: "*", command: ["false"] }] } }],
  ])("%s", async (_, settings) => {
    const at = greeting();
    const { toolbox } = await open(at);
    expect(await greet(toolbox)).toBe("hello");
    save(userFile(at), settings);
    await sleep(LOOK_MS);
    expect(await greet(toolbox)).toBe("denied");
  });

  it("a rule that is removed no longer allows", async () => {
    const at = greeting();
    save(userFile(at), { mode: "default", ...YES });
    const { toolbox } = await open(at, { callerIsAsked: false });
    expect(await greet(toolbox)).toBe("hello");
    save(userFile(at), {});
    await sleep(LOOK_MS);
    expect(await greet(toolbox)).toBe("denied");
  });

  it("a rule that denies wins over the answer to an open question", async () => {
    const at = greeting();
    save(userFile(at), { permissions: [{ tool: "greet", action: "ask" }] });
    const { toolbox } = await open(at, {
      approve: async () => {
        save(userFile(at), NO);
        await sleep(LOOK_MS);
        return { allowed: true };
      },
    });
    expect(await greet(toolbox)).toBe("denied");
  });

  it.each<[string, object]>([
    ["disables the tool", { tools: { disabled: ["greet"] }, trust: { parents: ["~/.."] } }],
    ["no longer trusts the project", {}],
  ])("a user who %s wins over the answer to an open question", async (_, settings) => {
    const at = greeting();
    const asking = { permissions: [{ tool: "greet", action: "ask" }] };
    save(userFile(at), { ...asking, trust: { parents: ["~/.."] } });
    const toolbox = await createToolbox({
      cwd: at.project,
      env: at.env,
      builtins: false,
      approve: async () => {
        save(userFile(at), { ...asking, ...settings });
        await sleep(LOOK_MS);
        return { allowed: true };
      },
    });
    expect(await greet(toolbox)).toBe("denied");
    await toolbox.close();
  });

  it("rules of a removed file do not apply to the first call after a pause", async () => {
    const at = greeting();
    save(userFile(at), { mode: "bypass" });
    const { toolbox } = await open(at, { callerIsAsked: false });
    expect(await greet(toolbox)).toBe("hello");
    unlinkSync(userFile(at));
    await sleep(200);
    expect(await greet(toolbox)).toBe("denied");
  });

  it("settings that change while the toolbox is opened", async () => {
    const at = greeting();
    save(userFile(at), YES);
    const opening = open(at);
    save(userFile(at), NO);
    const { toolbox } = await opening;
    await sleep(LOOK_MS);
    expect(await greet(toolbox)).toBe("denied");
  });

  it.each<[string, (file: string) => void]>([
    ["while it is empty", (file) => writeFileSync(file, "")],
    ["while it is missing", (file) => unlinkSync(file)],
    ["when half of it was written", (file) => writeFileSync(file, '{ "permissions": [')],
    ["when it cannot be parsed", (file) => writeFileSync(file, "}{")],
    [
      "when it is no longer a file",
      (file) => {
        unlinkSync(file);
        mkdirSync(file);
      },
    ],
  ])("rules of a file that is being written apply %s", async (_, damage) => {
    const at = greeting();
    save(userFile(at), NO);
    const { toolbox } = await open(at);
    expect(await greet(toolbox)).toBe("denied");
    damage(userFile(at));
    await sleep(LOOK_MS);
    expect(await greet(toolbox)).toBe("denied");
  });

  it.each<[string, (file: string) => string]>([
    ["the file", (file) => file],
    ["its folder", (file) => dirname(file)],
  ])("rules apply as long as a link to nothing is in the place of %s", async (_, placeOf) => {
    const at = greeting();
    save(userFile(at), NO);
    const { toolbox } = await open(at);
    const place = placeOf(userFile(at));
    renameSync(place, `${place}.old`);
    symlinkSync("absent", place);
    await sleep(200);
    expect(await greet(toolbox)).toBe("denied");
    expect(toolbox.status.warnings.map(({ message }) => message)).toEqual([
      "It is not read: it is a link to nothing, or in a folder that is one. Correct the link, or delete it.",
    ]);
    unlinkSync(place);
    await sleep(200);
    expect(await greet(toolbox)).toBe("hello");
  });

  it.each<[string, (file: string) => void]>([
    ["missing, in a folder that changes all the time", (file) => unlinkSync(file)],
    ["empty, and is written all the time", (file) => writeFileSync(file, "")],
  ])("a rule of one file applies although another one is %s", async (_, damage) => {
    const at = greeting();
    save(projectFile(at), { limits: {} });
    const { toolbox } = await open(at);
    expect(await greet(toolbox)).toBe("hello");
    damage(projectFile(at));
    save(userFile(at), NO);
    const busy = setInterval(() => {
      const scratch = join(dirname(projectFile(at)), "scratch");
      writeFileSync(scratch, "");
      unlinkSync(scratch);
      if (existsSync(projectFile(at))) writeFileSync(projectFile(at), "");
    }, 10);
    try {
      await expect.poll(() => greet(toolbox)).toBe("denied");
    } finally {
      clearInterval(busy);
    }
  });

  it("rules end with a file that stays away", async () => {
    const at = greeting();
    save(userFile(at), NO);
    const { toolbox } = await open(at);
    expect(await greet(toolbox)).toBe("denied");
    unlinkSync(userFile(at));
    await expect.poll(() => greet(toolbox)).toBe("hello");
  });
});

describe("[D7] trust that is taken back ends at once, without watching", () => {
  it.each(["a file", "a link"])("trust.json is %s", async (kind) => {
    const at = greeting();
    await cli(at, ["trust"]);
    const file = join(stateFolder(at), "trust.json");
    if (kind === "a link") {
      renameSync(file, join(at.root, "trusted.json"));
      symlinkSync(join(at.root, "trusted.json"), file);
    }
    const toolbox = await createToolbox({ cwd: at.project, env: at.env, builtins: false });
    try {
      expect(await greet(toolbox)).toBe("hello");
      save(kind === "a link" ? join(at.root, "trusted.json") : file, { projects: [] });
      await sleep(LOOK_MS);
      expect(toolbox.list().map(({ name }) => name)).toEqual([]);
      expect(await greet(toolbox)).toBe("denied");
      save(kind === "a link" ? join(at.root, "trusted.json") : file, { projects: [at.project] });
      await expect.poll(() => greet(toolbox)).toBe("hello");
    } finally {
      await toolbox.close();
    }
  });
});

describe("[P3] [D7] rights that are taken back reach", () => {
  async function overRest(server: { url: string; token: string }): Promise<number> {
    const response = await fetch(new URL("/api/tools/greet/run", server.url), {
      method: "POST",
      headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json" },
      body: "{}",
    });
    await response.text();
    return response.status;
  }

  it("serve, with linked settings", async () => {
    const at = greeting();
    const target = save(join(at.root, "dotfiles.json"), YES);
    mkdirSync(stateFolder(at), { recursive: true });
    symlinkSync(target, userFile(at));
    const server = await readyServe(at);
    expect(await overRest(server)).toBe(200);
    save(target, NO);
    await sleep(LOOK_MS);
    expect(await overRest(server)).toBe(403);
  });

  it.each(ERAS)("mcp, before the first list (%s)", async (era) => {
    const at = greeting();
    const { client } = await connect(at, era);
    const call = async (): Promise<string> => {
      const result = (await client.callTool({ name: "greet", arguments: {} })) as { content: { text: string }[] };
      return result.content[0]?.text ?? "";
    };
    expect(await call()).toBe("hello");
    save(userFile(at), NO);
    await sleep(LOOK_MS);
    expect(await call()).toContain("denied by");
  });

  it("chat -p, during its turn", async () => {
    const at = greeting();
    save(userFile(at), YES);
    const turn = cli(at, ["chat", "--trust", "--agent", "demo", "-p", "call greet\nsleep 3000\ncall greet", "--json"]);
    await sleep(1_500);
    save(userFile(at), NO);
    const { stdout } = await turn;
    const ends = stdout.split("\n").filter((line) => /"type":"tool\.(complete|failed)"/.test(line));
    expect(ends.map((line) => line.includes('"code":"denied"'))).toEqual([false, true]);
  });

  /** A user namespace without inotify instances. */
  const NO_WATCHERS = [
    "--user",
    "--map-root-user",
    "sh",
    "-c",
    'echo 0 > /proc/sys/user/max_inotify_instances; exec "$@"',
  ];
  const canUnshare = spawnSync("unshare", [...NO_WATCHERS, "sh", "true"]).status === 0;

  it.skipIf(!canUnshare)("serve without watchers, which says so once (needs unshare)", async () => {
    const at = greeting();
    await cli(at, ["trust"]);
    const args = [...NO_WATCHERS, "sh", process.execPath, CLI, "serve", "--port", "0", "--json"];
    const child = spawn("unshare", args, { cwd: at.project, env: at.env, stdio: ["ignore", "pipe", "pipe"] });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    const command = following(child);
    const server = JSON.parse(await command.until("\n")) as { url: string; token: string };
    await command.untilSaid("Settings and trust are still read before each call.");
    expect(await overRest(server)).toBe(200);
    save(userFile(at), NO);
    await sleep(LOOK_MS);
    expect(await overRest(server)).toBe(403);
    save(userFile(at), {});
    await cli(at, ["trust", "--remove"]);
    await sleep(LOOK_MS);
    expect(await overRest(server)).toBe(403);
    expect(stderr.split("Changes of tool files are therefore noticed only by a reload.")).toHaveLength(2);
  });
});
