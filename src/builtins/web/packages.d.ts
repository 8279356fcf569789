/** Types for the used parts of packages without suitable types. */

declare module "html-encoding-sniffer" {
  /** The encoding for `TextDecoder`, from the byte order mark, the label, or the text. */
  function sniff(
    bytes: Uint8Array,
    options?: { xml?: boolean; transportLayerEncodingLabel?: string; defaultEncoding?: string },
  ): string;
  export = sniff;
}

declare module "@joplin/turndown-plugin-gfm" {
  import type TurndownService from "turndown";
  export const gfm: TurndownService.Plugin;
}

declare module "@mixmark-io/domino" {
  export interface Element {
    readonly nodeName: string;
    readonly className: string;
    readonly parentNode: Element | null;
    readonly textContent: string;
    getAttribute(name: string): string | null;
    setAttribute(name: string, value: string): void;
    removeAttribute(name: string): void;
    querySelector(selector: string): Element | null;
    querySelectorAll(selector: string): ArrayLike<Element>;
    remove(): void;
  }
  export interface Document extends Element {
    readonly body: Element;
  }
  export function createDocument(html: string, force: boolean): Document;
}
