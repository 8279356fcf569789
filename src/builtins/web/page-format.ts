/** What a page is turned into. */
export type PageFormat = "text" | "markdown" | "html";
