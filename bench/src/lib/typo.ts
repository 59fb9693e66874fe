/** Pseudo-random integers below `n`, reproducible by seed (linear congruential generator of Numerical Recipes). */
export type Random = (n: number) => number

export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 4_294_967_296) * n)
  }
}

/** The text with one typo in a word of four letters or more: a letter omitted, replaced, added or swapped. */
export function withTypo(text: string, random: Random): string {
  const words = [...text.matchAll(/[A-Za-z]{4,}/g)]
  const chosen = words[random(words.length)]
  if (chosen === undefined) return text
  const [word] = chosen
  const at = random(word.length)
  const letter = String.fromCharCode(97 + random(26))
  const [before, after] = [word.slice(0, at), word.slice(at + 1)]
  const slips = [
    before + after,
    before + letter + after,
    before + letter + word.slice(at),
    at === 0
      ? word.slice(1, 2) + word.slice(0, 1) + word.slice(2)
      : before.slice(0, -1) + word.slice(at, at + 1) + before.slice(-1) + after,
  ]
  const slip = slips[random(slips.length)] ?? word
  return text.slice(0, chosen.index) + slip + text.slice(chosen.index + word.length)
}
