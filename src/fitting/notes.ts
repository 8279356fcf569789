const MOST_PLACES = 3;

/** What was changed, said once for all the places where it was. */
export class Notes {
  readonly #places = new Map<string, Set<string>>();

  /** `place` is the path to a field; "" is the whole input. */
  add(what: string, place: string): void {
    const places = this.#places.get(what) ?? new Set();
    this.#places.set(what, places.add(place));
  }

  lines(): string[] {
    return [...this.#places].map(([what, places]) => `${placesText([...places])}: ${what}`);
  }
}

function placesText(places: readonly string[]): string {
  const named = places.slice(0, MOST_PLACES).map((place) => place || "the input");
  const more = places.length - named.length;
  return more > 0 ? `${named.join(", ")} and ${more} more` : named.join(", ");
}
