import { Database } from "bun:sqlite";
import { tool } from "@opencode-ai/plugin";
import { slug } from "./lib/slug";

const db = new Database(":memory:");
db.run("create table tags (name text primary key, uses integer not null default 0)");

const bump = db.query<{ uses: number }, [string]>(
  "insert into tags (name, uses) values (?1, 1) on conflict (name) do update set uses = uses + 1 returning uses",
);
const top = db.query<{ name: string; uses: number }, [number]>(
  "select name, uses from tags order by uses desc, name limit ?1",
);

export const use = tool({
  description: "Count one more use of a tag",
  args: { tag: tool.schema.string().min(1) },
  async execute({ tag }) {
    return String(bump.get(slug(tag))?.uses ?? 0);
  },
});

export const popular = tool({
  description: "The most used tags",
  args: { limit: tool.schema.number().int().positive().default(5) },
  async execute({ limit }) {
    return JSON.stringify(top.all(limit));
  },
});
