import { Tokenizer, TokenizerMode } from "parse5";

/** Receives the tags and the text of a page in document order. */
interface HtmlHandler {
  open(name: string): void;
  /** Returns false to stop the tokenizer. */
  close(name: string): boolean;
  text(text: string): void;
}

/** How the content of elements that contain text instead of markup is read. */
const TEXT_MODES: ReadonlyMap<string, Tokenizer["state"]> = new Map([
  ["title", TokenizerMode.RCDATA],
  ["textarea", TokenizerMode.RCDATA],
  ["script", TokenizerMode.SCRIPT_DATA],
  ["style", TokenizerMode.RAWTEXT],
  ["iframe", TokenizerMode.RAWTEXT],
  ["xmp", TokenizerMode.RAWTEXT],
  ["noembed", TokenizerMode.RAWTEXT],
  ["noframes", TokenizerMode.RAWTEXT],
]);

/** Builds no tree: a tree makes deeply nested pages cost time with the square of their length. */
export function tokenizeHtml(html: string, handler: HtmlHandler): void {
  const ignore = (): void => {};
  const onText = ({ chars }: { chars: string }): void => handler.text(chars);
  const tokenizer = new Tokenizer(
    {},
    {
      onStartTag({ tagName, selfClosing }) {
        handler.open(tagName);
        if (!selfClosing) tokenizer.state = TEXT_MODES.get(tagName) ?? tokenizer.state;
        else if (!handler.close(tagName)) tokenizer.pause();
      },
      onEndTag({ tagName }) {
        if (!handler.close(tagName)) tokenizer.pause();
      },
      onCharacter: onText,
      onWhitespaceCharacter: onText,
      onNullCharacter: ignore,
      onComment: ignore,
      onDoctype: ignore,
      onEof: ignore,
    },
  );
  tokenizer.write(html, true);
}
