const PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{N}+/gu
/**
 * Matches a capital after a small letter or digit, characters joined by `_`, `$` or a dot, or capitals that end in a
 * word (`XMLParser`).
 */
const COMPOUND = /[\p{Ll}\p{N}]\p{Lu}|[^_$][_$]+[^_$]|\p{Lu}{2}\p{Ll}{2}/u

/** True for an identifier composed of several words. */
export function isCompound(word: string): boolean {
  return COMPOUND.test(word)
}

/** `useRouterContext` → use, Router, Context; `max_body_size` → max, body, size. Omits single characters. */
export function splitIdentifier(word: string): string[] {
  return (word.match(PART) ?? []).filter((part) => part.length > 1)
}
