import { termsOf } from '#answer/asked-terms.ts'
import { DEFAULT_LANGUAGE, type WordAnalyser } from '#search/analyse/word-analyser.ts'
import { pinnedPassages, placeOfSection } from '#search/apply-pins.ts'
import { closeFences, type Passage, type PassagePlace, type SearchResult } from '#search/passage.ts'
import type { Retriever, Searched } from '#search/retrieve.ts'
import { findSection, type PlacedSection, type SectionAddress } from '#search/rules/pinned-sections.ts'
import type { ServedServer } from '#store/servers/served.ts'
import { readWebAddress } from '../pages/web-pages.ts'

/** Sections that could answer a question, and what speaks against each of them. */
export type FoundSections = { sections: (PassagePlace & { text: string })[]; missing: string[]; remark: string | null }

const MOST_SECTIONS = 12
/** Bytes of the passages of a search, so that as many are found. */
const BUDGET = 30_000
/** Bytes of the beginning of each section. */
const BEGINNING = 1_200

/** Finds sections by words, whatever rules and pins say, and compares them with the question. */
export async function findSections(
  { retrieve, parts, catalogueOf, texts }: Retriever,
  { sources, accountId = '' }: Searched,
  { question, query, analyse }: { question: string; query: string; analyse: WordAnalyser },
): Promise<FoundSections> {
  const plain = { sources, accountId }
  const { passages } = await retrieve(plain, { query, limit: MOST_SECTIONS, budget: BUDGET })
  const asked = await retrieve(plain, { query: question, limit: MOST_SECTIONS, budget: BUDGET })
  const opened = await parts(plain, {})
  const sections = new Map<string, FoundSections['sections'][number]>()
  for (const { url, heading, sourceId } of passages) {
    const place = (await findSection(opened, { url, heading, sourceId }, catalogueOf)).at(-1)
    if (place === undefined) continue
    const [section] = await pinnedPassages([place], texts, { score: 0, bytes: BEGINNING })
    const found = placeOfSection(place)
    if (section) sections.set(`${found.url}\n${found.heading}`, { ...found, text: closeFences(section) })
  }
  const missing = missingWords(
    asked,
    opened.reduce((sum, { segment }) => sum + segment.pageCount, 0),
  )
  const remark = remarkOn({ words: asked.words, analyse }, missing, [...asked.passages, ...passages])
  return { sections: [...sections.values()], missing, remark }
}

/** Content words that no page has, as given. `share` is smoothed by half a page. */
function missingWords({ words, repaired }: SearchResult, pages: number): string[] {
  const used = new Set(repaired.map(([, word]) => word))
  const none = words.filter(({ word, share }) => !used.has(word) && share * (pages + 1) < 1)
  return [...new Set([...repaired.map(([given]) => given), ...none.map(({ word }) => word)])]
}

/** A section with less of the question, by the rarity of its words, hardly answers it. */
const LEAST_SHARE = 0.5

const NO_HELP =
  'A pin or a rule only chooses among the sections that there are. If none of them answers, add a source that does.'

type Question = { words: SearchResult['words']; analyse: WordAnalyser }

function remarkOn({ words, analyse }: Question, missing: readonly string[], sections: readonly Passage[]) {
  if (sections.length === 0) return `Nothing in the sources has a word of this question. ${NO_HELP}`
  if (missing.length > 0) return `No page has ${missing.map((word) => `“${word}”`).join(', ')}. ${NO_HELP}`
  const asked = words.map(({ word, share }) => ({ terms: termsIn(word, analyse), weight: -Math.log(share) }))
  const total = asked.reduce((sum, { weight }) => sum + weight, 0)
  const shares = sections.map(({ title, heading, passage }) => {
    const terms = new Set(termsIn(`${title} ${heading} ${passage}`, analyse))
    return asked.reduce((sum, word) => sum + (word.terms.every((term) => terms.has(term)) ? word.weight : 0), 0)
  })
  return Math.max(...shares) < LEAST_SHARE * total
    ? `No section has most of the words of this question. ${NO_HELP}`
    : null
}

const termsIn = (text: string, analyse: WordAnalyser) => termsOf(text, DEFAULT_LANGUAGE, analyse)

/** The places that addresses lead to, as cited or on the site, in the same order. Null for a section that is gone. */
export async function findPlaces(
  { parts, catalogueOf }: Pick<Retriever, 'parts' | 'catalogueOf'>,
  server: Searched & Pick<ServedServer, 'pagesAddress'>,
  addresses: readonly SectionAddress[],
): Promise<(PassagePlace | null)[]> {
  const opened = await parts(server, {})
  const places: (PassagePlace | null)[] = []
  for (const address of addresses) {
    let found: PlacedSection | undefined
    for (const url of readWebAddress(address.url, server)?.urls ?? [address.url])
      found ??= (await findSection(opened, { ...address, url }, catalogueOf)).at(-1)
    places.push(found ? placeOfSection(found) : null)
  }
  return places
}
