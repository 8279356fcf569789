/** Sets an entry and moves it to the end. If the map then has more than `most` entries, the first is dropped. */
export function setNewest<V>(map: Map<string, V>, key: string, value: V, most: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
