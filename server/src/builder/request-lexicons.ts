import { createLexicon, type Lexicons } from '#grammar/lexicon.ts'

/** The vocabularies of the rules' grammar, built on first use: few services build tools. */
export const requestLexicons = (() => {
  let made: Lexicons | null = null
  return (): Lexicons => (made ??= createLexicon())
})()
