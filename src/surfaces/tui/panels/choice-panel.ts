import { fuzzyFilter, Input, matchesKey, type SelectItem, SelectList } from "@earendil-works/pi-tui";
import type { ChatTheme } from "../chat-theme.ts";
import { footLines, headLines, type Panel, type PanelText } from "./panel.ts";

interface ChoiceOptions extends PanelText {
  readonly items: readonly SelectItem[];
  /** Values that a single key chooses. */
  readonly keys?: Readonly<Record<string, string>>;
  /** Whether typing filters the list. */
  readonly filter?: boolean;
  readonly maxVisible?: number;
}

/** A list to choose one item from. `onDone` gets undefined if the user closes it. */
export class ChoicePanel implements Panel {
  readonly #options: ChoiceOptions;
  readonly #theme: ChatTheme;
  readonly #onDone: (item: SelectItem | undefined) => void;
  readonly #input = new Input();
  #list: SelectList;

  constructor(options: ChoiceOptions, theme: ChatTheme, onDone: (item: SelectItem | undefined) => void) {
    this.#options = options;
    this.#theme = theme;
    this.#onDone = onDone;
    this.#list = this.#listOf(options.items);
  }

  get focused(): boolean {
    return this.#input.focused;
  }

  set focused(focused: boolean) {
    this.#input.focused = focused && this.#options.filter === true;
  }

  invalidate(): void {}

  render(width: number): string[] {
    const { filter } = this.#options;
    return [
      ...headLines(this.#options, this.#theme, width),
      ...(filter ? this.#input.render(width) : []),
      ...(this.#found.length === 0 ? [this.#theme.dim("  No match")] : this.#list.render(width)),
      ...footLines(this.#options, this.#theme, width),
    ];
  }

  handleInput(data: string): void {
    const { keys = {}, filter, items } = this.#options;
    const chosen = items.find(({ value }) => value === keys[data.toLowerCase()]);
    if (chosen && !filter) return this.#onDone(chosen);
    if (matchesKey(data, "escape")) return this.#onDone(undefined);
    if (isListKey(data) || !filter) return this.#found.length === 0 ? undefined : this.#list.handleInput(data);
    this.#input.handleInput(data);
    this.#list = this.#listOf(this.#found);
  }

  get #found(): readonly SelectItem[] {
    const { items } = this.#options;
    const text = ({ label, value, description = "" }: SelectItem): string => `${label} ${value} ${description}`;
    return fuzzyFilter([...items], this.#input.getValue(), text);
  }

  #listOf(items: readonly SelectItem[]): SelectList {
    const list = new SelectList([...items], this.#options.maxVisible ?? 8, this.#theme.select);
    list.onSelect = (item) => this.#onDone(item);
    return list;
  }
}

function isListKey(data: string): boolean {
  return (["up", "down", "pageUp", "pageDown", "enter"] as const).some((key) => matchesKey(data, key));
}
