import { scanWords } from '#search/analyse/scan-words.ts'
import { isEverydayWord } from '#search/analyse/word-analyser.ts'

/** A source, as a question can name its product. */
type Product = { id: string; url: string; label: string | null }

/** Labels of hosts that name no product. */
const COMMON =
  /^(?:www|com|org|net|io|dev|app|ai|co|de|uk|eu|gov|edu|github|gitlab|bitbucket|codeberg|readthedocs|gitbook|pages|docs?|documentation|developers?|help|learn|support|guides?|manual|reference|api|wiki|blog|the|and|of|for|\d+)$/
const SHARED = /^(?:www\.)?(?:github|gitlab|bitbucket|codeberg)\.(?:com|org)$/
/** `getbootstrap.com`, `tailwindcss.com`, `djangoproject.com`: what a host adds to the name of its product. */
const AROUND_NAME = /^(?:get|use|try)?(.{3,}?)(?:css|docs|hq|js|lang|project|py|q|sql)?$/
/** Words before the name of a product that is also an everyday word: `state in React`. */
const BEFORE_NAME = /^(?:for|from|in|of|on|using|via|with)$/i

/**
 * The sources whose product is not the one that a question names. Empty if it names none, or those of all sources. A
 * product is named by its label, its host or its repository. An everyday word names one only with a capital or after a
 * preposition: `next` is more often a word than a product.
 */
export function otherProducts(question: string, sources: readonly Product[]): ReadonlySet<string> {
  if (sources.length < 2) return new Set()
  const asked = namesIn(question)
  const named = new Set(sources.filter((source) => namesOf(source).some((name) => asked.has(name))).map(({ id }) => id))
  return new Set(named.size === 0 ? [] : sources.map(({ id }) => id).filter((id) => !named.has(id)))
}

function namesIn(question: string): Set<string> {
  const names = new Set<string>()
  let before = ''
  scanWords(question, 0, question.length, (start, end) => {
    const word = question.slice(start, end)
    const isName = (start > 0 && /^\p{Lu}/u.test(word)) || BEFORE_NAME.test(before) || !isEverydayWord(word)
    if (isName) names.add(word.toLowerCase())
    before = word
  })
  return names
}

function namesOf({ url, label }: Product): string[] {
  const { host = '', pathname = '' } = URL.parse(url) ?? {}
  const path = SHARED.test(host) ? pathname.split('/').slice(1, 3) : []
  const words = [label ?? '', ...host.split('.'), ...path].flatMap((part) =>
    part.toLowerCase().split(/[^\p{L}\p{N}]+/u),
  )
  return words
    .filter((word) => word.length > 1 && !COMMON.test(word))
    .flatMap((word) => [word, AROUND_NAME.exec(word)?.[1] ?? word])
}
