import { scanWords } from '#search/analyse/scan-words.ts'
import { isStopWord } from '#search/analyse/stop-words.ts'
import { nameSymbols } from '#search/analyse/symbol-names.ts'
import type { Word, WordAnalyser } from '#search/analyse/word-analyser.ts'

/** A word of a question: its analysis in each language that the server's pages are written in. */
export type QueryWord = {
  raw: string
  analyses: Word[]
  /** Not in the question as it was given; nothing is missing when no page has it. */
  added?: true
}

/** People paste whole issues; what says most stands at the beginning. */
const MAX_CHARS = 2_000
/** Beyond some forty different words further ones only cost time. */
const MAX_WORDS = 48
/** Questions as short as this are names, and keep every word. */
const SHORT = 2

/** A word that is quoted is meant as it stands, `'this'` and `if` too. */
const QUOTED = /['"`\u2018\u201C]([\w$.]+)['"`\u2019\u201D]/g

/**
 * The words of a question in order, each once, without those that say nothing about its subject; behind them the names
 * of the signs that it asks about.
 */
export function analyseQuery(query: string, analysers: readonly WordAnalyser[]): QueryWord[] {
  const text = query.slice(0, MAX_CHARS)
  const words = new Map<string, QueryWord>()
  scanWords(text, 0, text.length, (start, end) => {
    const raw = text.slice(start, end)
    const analyses = analysers.map((analyse) => analyse(raw)).filter(({ term }) => term !== '')
    const term = analyses[0]?.term
    if (term !== undefined && !words.has(term)) words.set(term, { raw, analyses })
  })
  const all = [...words.values()]
  const quoted = new Set([...text.matchAll(QUOTED)].map(([, word]) => word))
  const telling = all.filter(({ raw }) => !isStopWord(raw) || quoted.has(raw))
  const kept = all.length <= SHORT || telling.length === 0 ? all : telling
  const signs = nameSymbols(text).flatMap((raw): QueryWord[] => {
    const analyses = analysers.map((analyse) => analyse(raw))
    return words.has(analyses[0]?.term ?? '') ? [] : [{ raw, analyses, added: true }]
  })
  return [...kept, ...signs].slice(0, MAX_WORDS)
}
