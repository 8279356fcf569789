/** A time, with its day if the span has more than one. */
export function timeLabel(at: number, span: number): string {
  const date = new Date(at);
  const time = date.toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit", hour12: false });
  const day = date.toLocaleDateString("en", { month: "short", day: "numeric" });
  return span > 2 * 86_400_000 ? day : span > 43_200_000 ? `${day}, ${time}` : time;
}
