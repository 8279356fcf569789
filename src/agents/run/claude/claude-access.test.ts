import { expect, it } from "vitest";
import type { Access } from "../../../core/tool.ts";
import { claudeAccess } from "./claude-access.ts";

it.each<[string, Record<string, unknown>, readonly Access[]]>([
  ["Read", { file_path: "/a/b" }, [{ kind: "read", target: "/a/b" }]],
  ["Read", { file_path: "../b" }, [{ kind: "read", target: "/work/b" }]],
  ["Grep", { pattern: "x" }, [{ kind: "read", target: "/work/here" }]],
  ["Glob", { pattern: "*", path: "src" }, [{ kind: "read", target: "/work/here/src" }]],
  ["Write", { file_path: "/a" }, [{ kind: "write", target: "/a" }]],
  ["Edit", { file_path: "/a" }, [{ kind: "write", target: "/a" }]],
  ["NotebookEdit", { notebook_path: "/a" }, [{ kind: "write", target: "/a" }]],
  ["Bash", { command: "ls ../x" }, [{ kind: "execute", target: "ls ../x" }]],
  ["WebFetch", { url: "https://x.test/y" }, [{ kind: "network", target: "https://x.test/y" }]],
  ["Agent", { prompt: "x" }, []],
  ["TodoWrite", { todos: [] }, []],
  ["Write", {}, ["undeclared"]],
  ["Read", {}, ["undeclared"]],
  ["Read", { file_path: "~/.ssh/id_rsa" }, ["undeclared"]],
  ["Read", { file_path: " /etc/passwd" }, ["undeclared"]],
  ["Edit", { file_path: "~/.bashrc" }, ["undeclared"]],
  ["Grep", { pattern: "x", path: "~" }, ["undeclared"]],
  ["Glob", { pattern: "/etc/*" }, ["undeclared"]],
  ["Glob", { pattern: "~/.ssh/*" }, ["undeclared"]],
  ["Glob", { pattern: "src/../../*" }, ["undeclared"]],
  ["Glob", { pattern: "{src,/etc}/*" }, ["undeclared"]],
  ["Glob", { pattern: "src/**/*.{ts,js}" }, [{ kind: "read", target: "/work/here" }]],
  ["Bash", { command: ["ls"] }, ["undeclared"]],
  ["WebSearch", { query: "x" }, ["undeclared"]],
  ["Skill", { skill: "x" }, ["undeclared"]],
  ["mcp__other__tool", {}, ["undeclared"]],
  ["constructor", {}, ["undeclared"]],
])("[G1] [P3] what a tool of Claude touches: %s %j", (tool, input, access) => {
  expect(claudeAccess(tool, input, "/work/here")).toEqual(access);
});
