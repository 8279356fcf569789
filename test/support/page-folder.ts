import { put, temporary } from "./temporary.ts";

/** The script of the page. Long enough to be worth compressing. */
export const SCRIPT: string = `console.log("page");\n`.repeat(500);
export const SCRIPT_PATH = "/assets/index-AbCd1234.js";

/** A folder like that of a built page. */
export function pageFolderForTest(): string {
  const folder = temporary();
  put(`${folder}/index.html`, "<!doctype html><title>The page</title>");
  put(`${folder}${SCRIPT_PATH}`, SCRIPT);
  put(`${folder}/icon.svg`, "<svg/>");
  put(`${folder}/assets/secret.key`, "not a type that is served");
  return folder;
}
