import { describe, expect, it } from "vitest";
import { editorUrl, relativePath } from "./editor-url.ts";

describe("links to an editor", () => {
  it.each([
    ["vscode", "/p/a b.ts", 3, "vscode://file/p/a%20b.ts:3"],
    ["cursor", "/p/a.ts", undefined, "cursor://file/p/a.ts:1"],
    ["zed", "/p/ü#?.ts", 2, "zed://file/p/%C3%BC%23%3F.ts:2"],
    ["windsurf", "C:\\p\\a.ts", 2, "windsurf://file/C:/p/a.ts:2"],
    ["idea", "/p/a&b.ts", 2, "idea://open?file=%2Fp%2Fa%26b.ts&line=2"],
    ["none", "/p/a.ts", 2, undefined],
    ["vscode", "a.ts", 2, undefined],
    ["vscode", "", 2, undefined],
    ["vscode", "https://example.com", 2, undefined],
  ] as const)("%s opens %s", (editor, file, line, url) => expect(editorUrl(editor, file, line)).toBe(url));

  it.each([
    ["/p/a.ts", "/p", "a.ts"],
    ["/p/a.ts", "/p/", "a.ts"],
    ["/pq/a.ts", "/p", "/pq/a.ts"],
    ["/a.ts", "/", "/a.ts"],
    ["C:\\p\\a.ts", "C:\\p", "a.ts"],
  ])("shortens %s in %s", (file, directory, shown) => expect(relativePath(file, directory)).toBe(shown));
});
