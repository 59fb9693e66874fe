import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Facts ("nuggets") that a right answer contains. */
export type GoldAnswer = {
  _id: string
  nuggets: string[]
  /** Maximum nuggets found together in one right page. No answer in the words of the page can contain more. */
  grounded?: string[]
  /** Wordings of a single fact. */
  any?: string[]
}

/** With fewer grounded facts, chance decides. */
const LEAST_GROUNDED = 3

/** Reads `SET/answers.jsonl` of a folder. Omits answers with too few facts. */
export function readGoldAnswers(folder: string, set: string): Map<string, GoldAnswer> {
  const file = join(folder, set, 'answers.jsonl')
  if (!existsSync(file)) return new Map()
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  const answers = lines.map((line) => JSON.parse(line) as GoldAnswer)
  const scored = answers.filter(({ grounded }) => grounded === undefined || grounded.length >= LEAST_GROUNDED)
  return new Map(scored.map((answer) => [answer._id, answer]))
}

/** True if a text contains at least half of the facts. */
export function isUseful({ nuggets, grounded, any }: GoldAnswer, text: string): boolean {
  const has = factReader(text)
  if (grounded === undefined && any !== undefined) return any.some(has)
  const facts = grounded ?? nuggets
  return facts.filter(has).length >= facts.length / 2
}

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** Tests whether a fact occurs in a text: its words in sequence or, without spaces between words, its characters. */
function factReader(text: string): (fact: string) => boolean {
  const words = ` ${wordsOf(text)} `
  const run = withoutPunctuation(text)
  const hasCjk = CJK.test(text)
  return (fact) => {
    if (hasCjk || CJK.test(fact)) return occurs(withoutPunctuation(fact), run)
    const key = wordsOf(fact)
    return key !== '' && words.includes(` ${key} `)
  }
}

/** A number must not occur as a part of a longer one. */
function occurs(fact: string, text: string): boolean {
  if (fact === '') return false
  for (let at = text.indexOf(fact); at >= 0; at = text.indexOf(fact, at + 1)) {
    const goesOnBefore = /^\d/.test(fact) && /\d/.test(text[at - 1] ?? '')
    const goesOnAfter = /\d$/.test(fact) && /\d/.test(text[at + fact.length] ?? '')
    if (!goesOnBefore && !goesOnAfter) return true
  }
  return false
}

function wordsOf(text: string): string {
  return (lower(text).match(/[\p{L}\p{N}_]+/gu) ?? []).map(stem).join(' ')
}

function withoutPunctuation(text: string): string {
  return lower(text).replaceAll(/[\s\p{P}\p{S}]+/gu, '')
}

function lower(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

/** Removes English endings from words of letters. */
function stem(word: string): string {
  if (!/^\p{L}+$/u.test(word)) return word
  const base = word.length > 4 && word.endsWith('ies') ? `${word.slice(0, -3)}y` : word
  for (const ending of ['ing', 'ed', 'es', 's'])
    if (base.endsWith(ending) && base.length - ending.length >= 4 && !base.endsWith('ss'))
      return withoutE(base.slice(0, -ending.length))
  return base.length > 4 ? withoutE(base) : base
}

function withoutE(word: string): string {
  return word.replace(/(?<!e)e+$/, '')
}
