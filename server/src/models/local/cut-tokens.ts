/**
 * The first tokens of a text that is too long, and its end: where the tokenizer closes every text with special tokens,
 * a text that is cut must be closed as well. `empty` are the tokens of an empty text, which are the special ones.
 */
export function cutTokens(ids: readonly number[], empty: readonly number[], most: number): number[] {
  if (ids.length <= most) return [...ids]
  let closing = 0
  while (closing < Math.min(empty.length, most) && ids.at(-1 - closing) === empty.at(-1 - closing)) closing++
  return [...ids.slice(0, most - closing), ...ids.slice(ids.length - closing)]
}
