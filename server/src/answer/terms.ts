import { functionWordsOf } from '#search/analyse/function-words.ts'
import { scanWords } from '#search/analyse/scan-words.ts'
import { isStopWord } from '#search/analyse/stop-words.ts'
import { createWordAnalyser, ANSWER_WORDS, type WordAnalyser } from '#search/analyse/word-analyser.ts'

const analysers = new Map<string, WordAnalyser>()

function analyserFor(language: string): WordAnalyser {
  const known = analysers.get(language) ?? createWordAnalyser(language, ANSWER_WORDS)
  analysers.set(language, known)
  return known
}

/**
 * Words of a text as in the search index: stemmed, identifiers whole and in parts. Terms are compared within one answer
 * only, so question and passages must be read in the same language.
 */
export function termsOf(text: string, language = 'en'): string[] {
  const terms: string[] = []
  scanTerms(text, language, (term) => terms.push(term))
  return terms
}

/** Calls `onTerm` with each term of `termsOf`. */
export function scanTerms(text: string, language: string, onTerm: (term: string) => void): void {
  const wordOf = analyserFor(language)
  scanWords(text, 0, text.length, (start, end) => {
    const { term, joined, parts } = wordOf(text.slice(start, end))
    if (term === '') return
    onTerm(term)
    for (const one of joined) onTerm(one)
    for (const one of parts) onTerm(one)
  })
}

/** Question phrases without content. */
const HOW_MUCH = /\bhow\s+(?:often|many|much|long|far|soon|big|large)\b/gi

const HOW_MUCH_ELSEWHERE =
  /\bwie (?:viele?n?|oft|lange?|weit|groß|hoch|schnell)\b|\bcombien\b|\bcu[aá]nt[oa]s?\b|何(?:人|年|回|個|日|時間|分|秒|種類|歳|倍|%)|いくつ|いくら|ど(?:の|れ)くらい/i

/** True if a question asks for a number, a duration or a size. */
export function asksHowMuch(question: string): boolean {
  return question.search(HOW_MUCH) >= 0 || HOW_MUCH_ELSEWHERE.test(question)
}

/** Requests for a definition: `define x`, `what is the meaning of x`, `what is meant by the term x`. */
const DEFINE =
  /^\s{0,20}(?:please )?(?:define|explain|describe)\b|\b(?:definition|meaning) of\b|\bmeant by\b|\bthe (?:term|word|acronym|abbreviation)\b/gi
/** Words that ask for a comparison. The sides are its content. */
const COMPARE = /\b(?:differences? (?:between|of|in)|compared? (?:to|with)|vs\.?|versus)(?=\s)/gi
/** `What does the x command do?` */
const DOES =
  /^(\s{0,20}what (?:do|does)) (?:the )?(\S{1,80}) (?:class|command|directive|function|hook|method|module|option|package|parameter|program|setting|tool|utility) do[\s?.!]{0,10}$/i
/** `What does x mean?` */
const MEANS = /^(\s{0,20}what (?:do|does)\b.{1,300})\b(?:mean|stand for)[\s?.!]{0,10}$/i

/** Distinct terms of a question without stop words and question phrases, or all terms if nothing else remains. */
export function questionTerms(given: string, language = 'en'): string[] {
  const wordOf = analyserFor(language)
  const question = given
    .replace(MEANS, '$1')
    .replace(DOES, '$1 $2')
    .replaceAll(DEFINE, ' ')
    .replaceAll(COMPARE, ' ')
    .replaceAll(HOW_MUCH, ' ')
  const words: string[] = []
  scanWords(question, 0, question.length, (start, end) => words.push(question.slice(start, end)))
  const foreign = functionWordsOf(words)
  const all = new Set<string>()
  const content = new Set<string>()
  for (const raw of words) {
    const { term } = wordOf(raw)
    if (term === '') continue
    all.add(term)
    if (!isStopWord(raw) && !foreign.has(raw.toLowerCase())) content.add(term)
  }
  return [...(content.size > 0 ? content : all)]
}
