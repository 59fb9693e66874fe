/**
 * Truncates the tokens of a text. Keeps the special tokens at its end, because the tokenizer ends every text with them.
 * `empty` is the tokenized empty text, which has only special tokens.
 */
export function cutTokens(ids: readonly number[], empty: readonly number[], most: number): number[] {
  if (ids.length <= most) return [...ids]
  let closing = 0
  while (closing < Math.min(empty.length, most) && ids.at(-1 - closing) === empty.at(-1 - closing)) closing++
  return [...ids.slice(0, most - closing), ...ids.slice(ids.length - closing)]
}
