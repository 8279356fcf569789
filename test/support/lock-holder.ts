/** A program that holds the write lock of a database until it is killed: `node lock-holder.ts '{"file": …}'`. */
import { writeSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

const { file } = JSON.parse(process.argv[2] ?? "") as { readonly file: string };
const database = new DatabaseSync(file);
database.exec("BEGIN IMMEDIATE; UPDATE sessions SET updated = updated;");
writeSync(1, '{"locked":true}\n');
setInterval(() => database.isOpen, 60_000);
