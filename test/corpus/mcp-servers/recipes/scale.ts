export function scale(amount: number, from: number, to: number): number {
  return Math.round((amount * to * 100) / from) / 100;
}
