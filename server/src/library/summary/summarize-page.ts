import { elementAt } from '#lib/element-at.ts'
import { withoutSection } from '#lib/addresses/page-address.ts'
import { addressOfText, headingPath, type OpenPage } from '../library-page.ts'
import { byAddress, keySentences, wordWeights } from './key-sentences.ts'

/** One point of a summary: its location and its sentences. */
export type Point = { title: string; heading: string; url: string; sourceId: string; sentences: string[] }

/** Sentences taken from the start of a page, and from each section. */
const OF_LEAD = 2
const OF_SECTION = 1
/** Maximum points of a page. */
const MOST_POINTS = 60
/** Characters used for word weights: the start of a book indicates its topic. */
const WEIGHED = 60_000

/** Characters at the start of a page that introduce it. */
const BEGINNING = 3_000

/** The best sentences of a page's introduction, in order; may be empty. */
export function leadOf({ markdown }: Pick<OpenPage, 'markdown'>): string[] {
  const beginning = markdown.slice(0, BEGINNING)
  return keySentences(beginning, wordWeights(beginning))
    .toSorted((a, b) => a.index - b.index)
    .slice(0, OF_LEAD)
    .map(({ text }) => text)
}

/**
 * Summarises a page in points, in reading order: its introduction, then the best sentence of each section. If there are
 * more sections than points, prefers the top levels.
 */
function summarizePage(page: OpenPage, most: number): Point[] {
  const { markdown, title, sourceId } = page
  const weights = wordWeights(markdown.slice(0, WEIGHED))
  const points = page.sections.flatMap((section, index) => {
    const isLead = index === 0
    const best = keySentences(markdown.slice(section.body, section.end), weights)
      .slice(0, isLead ? OF_LEAD : OF_SECTION)
      .toSorted((a, b) => a.index - b.index)
    const isTop = section.level <= 1 && (section.heading === '' || section.heading === title)
    const heading = isTop ? '' : headingPath(page, section)
    return byAddress(best, ({ start }) => addressOfText(page, section, section.body + start)).map((part) => ({
      level: isLead ? 0 : section.level,
      point: { title, heading, sourceId, ...part },
    }))
  })
  if (points.length <= most) return points.map(({ point }) => point)
  const levels = points.map(({ level }) => level).toSorted((a, b) => a - b)
  const deepest = elementAt(levels, most - 1)
  return points
    .filter(({ level }) => level <= deepest)
    .slice(0, most)
    .map(({ point }) => point)
}

/** Summarises the page at an address, or one section and its subsections if the address has a fragment. */
export function summarizeAt(page: OpenPage, url: string): Point[] {
  const section = sectionOf(url)
  const points = summarizePage(page, MOST_POINTS)
  const [first] = section === '' ? [] : points.filter((point) => sectionOf(point.url) === section)
  return first ? points.filter(({ heading }) => `${heading} › `.startsWith(`${first.heading} › `)) : points
}

/** The part of an address after its page. */
const sectionOf = (url: string): string => url.slice(withoutSection(url).length)
