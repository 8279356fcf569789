/** What people and models are told about calls that have no result. */
export function unknownEffect(calls = 1): string {
  const [they, them] = calls === 1 ? ["it", "it"] : ["they", "them"];
  return `It is unknown whether ${they} had an effect: check before you run ${them} again.`;
}
