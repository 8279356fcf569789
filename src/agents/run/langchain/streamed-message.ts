import type { AgentEvent } from "../../../core/coding-agent.ts";
import type { Message } from "./langchain-sdk.ts";
import { type ModelAnswer, streamedText } from "./model-answer.ts";

/** A message while it is streamed. */
export class StreamedMessage {
  readonly id: string = crypto.randomUUID();
  readonly #emit: (event: AgentEvent) => void;
  #hasText = false;
  #ended = false;

  constructor(emit: (event: AgentEvent) => void) {
    this.#emit = emit;
  }

  add(part: Message): void {
    if (this.#ended) return;
    const { text, thinking } = streamedText(part);
    const messageID = this.id;
    this.#hasText ||= text !== "" || thinking !== "";
    if (thinking !== "") this.#emit({ type: "thinking.delta", messageID, text: thinking });
    if (text !== "") this.#emit({ type: "message.delta", messageID, text });
  }

  complete({ text, thinking }: Pick<ModelAnswer, "text" | "thinking">): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#emit({
      type: "message.complete",
      messageID: this.id,
      content: text === "" ? [] : [{ type: "text", text }],
      ...(thinking === "" ? {} : { thinking }),
    });
  }

  /** What was streamed is kept. */
  endEarly(): void {
    if (this.#hasText && !this.#ended) this.#emit({ type: "message.end", messageID: this.id });
    this.#ended = true;
  }
}
