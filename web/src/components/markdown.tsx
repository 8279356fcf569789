import { lazy, memo, type ReactElement, Suspense, useEffect, useEffectEvent, useRef, useState } from "react";
import {
  type MarkdownBlock,
  type SplitText,
  splitMarkdown,
  toRender,
} from "../../../src/platform/text/markdown-blocks.ts";
import { CodeBlock } from "./code-block.tsx";
import { LongText } from "./long-text.tsx";

const ParsedMarkdown = lazy(async () => ({ default: (await loadParser()).ParsedMarkdown }));

const LOAD_ATTEMPTS = 200;
const RETRY_MS = 3_000;

/** Loads the parser. A server that is down does not break the page: the text is shown as it was written until it is back. */
export async function loadParser(): Promise<typeof import("./parsed-markdown.tsx")> {
  for (let attempt = 1; attempt < LOAD_ATTEMPTS; attempt += 1) {
    const loaded = await import("./parsed-markdown.tsx").catch(() => undefined);
    if (loaded) return loaded;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  return import("./parsed-markdown.tsx");
}

/** Markdown of an untrusted author. While the text grows, only its last blocks are rendered again. */
export function Markdown({ text }: { readonly text: string }): ReactElement {
  const before = useRef<SplitText>(undefined);
  const shown = useSteadyText(text, before.current?.blocks.at(-1)?.text.length ?? 0);
  const split = before.current?.text === shown ? before.current : splitMarkdown(shown, before.current);
  before.current = split;
  return (
    <div className="markdown">
      {toRender(split).map(({ start, kind, text, language }) => (
        <Block key={start} kind={kind} text={text} language={language} />
      ))}
    </div>
  );
}

/** A last block of this size is parsed quickly enough for every frame. */
const SMALL_BLOCK = 2_000;
const LARGE_BLOCK_MS = 250;

/** The text, but while a large last block grows, a little later: each change parses the whole block again. */
function useSteadyText(text: string, lastBlock: number): string {
  const [shown, setShown] = useState(text);
  const isSteady = lastBlock > SMALL_BLOCK && text !== shown && text.startsWith(shown);
  const latest = useEffectEvent(() => setShown(text));
  useEffect(() => {
    if (!isSteady) return undefined;
    const timer = setTimeout(latest, LARGE_BLOCK_MS);
    return () => clearTimeout(timer);
  }, [isSteady]);
  if (isSteady || text === shown) return shown;
  setShown(text);
  return text;
}

type BlockProps = Pick<MarkdownBlock, "kind" | "text" | "language">;

const Block = memo(function Block({ kind, text, language }: BlockProps): ReactElement {
  if (kind === "code") return <CodeBlock text={text} language={language} />;
  const plain = <LongText text={text} />;
  if (kind === "plain") return plain;
  return (
    <Suspense fallback={plain}>
      <ParsedMarkdown text={text} />
    </Suspense>
  );
});
