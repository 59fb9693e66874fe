import { readSteps, type Step } from './read-steps.ts'
import { createStemmer, overlap, stemsOf } from '../term-overlap.ts'
import { agreement, namesIn, systemsIn, type Variants } from './variants.ts'
import { isOfApi, type LibraryPage, type OpenPage, pageRanks } from '../library-page.ts'
import type { Library, Scope, Search } from '../library.ts'
import { sourceKind } from '@docent/contract/values/source-kinds'
import { addressPath } from '#lib/addresses/page-address.ts'
import type { WordAnalyser } from '#search/analyse/word-analyser.ts'

/** Guides to open: the best, and those that can fill its gaps. */
const OPENED = 6
/** Maximum steps of the main guide, and of each supplement. */
const MOST_STEPS = 8
const FILLED_IN = 2

/** A guide with its steps, and the variants of a step that it offers. */
export type ReadGuide = { page: OpenPage; steps: Step[]; variants: Variants[] }

type Asked = { topic?: string | undefined; platform?: string | undefined }

/** `main` is the most complete guide to the topic. `steps` are its own, and those of others where it has gaps. */
export async function chooseSteps(
  library: Pick<Library, 'open'>,
  guides: readonly LibraryPage[],
  { topic, platform }: Asked,
): Promise<{ told: ReadGuide[]; main: OpenPage | null; steps: Step[] }> {
  const wanted = [topic, platform].filter((each) => each !== undefined).join(' ')
  const told = (await library.open(guides.slice(0, OPENED)))
    .map((page) => ({ page, ...readSteps(page, wanted) }))
    .filter(({ page, steps }) => {
      const isGuide = worthOfGuide(page) > 0 || isNamed(page, topic)
      return steps.length > 0 && (isGuide || steps.some(({ phase }) => phase === 'install'))
    })
  const onTopic = told.filter(({ page }) => isNamed(page, topic))
  const bySynonym = told.filter(({ page }) => hasName(page, topic))
  const [main] = ([onTopic, bySynonym].find((some) => some.length > 0) ?? told).toSorted(
    (a, b) => fullness(b.steps) - fullness(a.steps) + told.indexOf(a) - told.indexOf(b),
  )
  if (!main) return { told, main: null, steps: [] }
  const others = told.filter((each) => each !== main)
  return { told, main: main.page, steps: complete(mostWanted(main), others, wanted) }
}

/** Score bonus of a complete guide over a short pointer, in ranks. */
function fullness(steps: readonly Step[]): number {
  const coded = steps.filter(({ code }) => code.length > 0).length
  return Math.min(3, coded) + (steps.some(({ phase }) => phase === 'install') ? 1 : 0)
}

/** The first steps in order. Steps of the variant that the topic names come before others. */
function mostWanted({ steps, variants }: ReadGuide): Step[] {
  const asked = variants.filter(({ isAsked }) => isAsked)
  const chosen = new Set([...steps.filter((step) => asked.some(has(step))), ...steps].slice(0, MOST_STEPS))
  return steps.filter((step) => chosen.has(step))
}

/** A test for variants on whose choice a step depends. */
function has({ section }: Step): (variants: Variants) => boolean {
  return ({ start, end }) => start <= section.start && section.start < end
}

/** Words of a topic that any guide answers. */
const GENERAL = stemsOf(
  'get getting start started quickstart begin install installation setup guide tutorial first steps use',
)

type Told = { told: readonly ReadGuide[]; steps: readonly Step[] }

/** The choices of variants that a step depends on. */
export function variantsAmong({ told, steps }: Told): Variants[] {
  return told.flatMap(({ page, variants }) =>
    variants.filter((each) => steps.some((step) => step.page === page && has(step)(each))),
  )
}

/** True if the steps have the words of the topic. Only titles, headings and code show that one is for a system. */
export function areFor(topic: string, given: Told): boolean {
  const asked = stemsOf(topic).difference(GENERAL)
  if (asked.size === 0 || isAskedAmong(given)) return true
  const titles = given.steps.flatMap(titlesOf)
  if (titles.some((title) => agreement(namesIn(title), namesIn(topic)) > 0)) return true
  const isOfSystem = systemsIn(topic).size > 0
  const texts = given.steps.flatMap((step) => [step.page.url, ...(isOfSystem ? codeOf(step) : [step.text])])
  return overlap(asked, [...titles, ...texts].join('\n')) === 1
}

/** True if the steps are for the platform: they are of its variant, or name it. */
export function areForPlatform(platform: string, given: Told): boolean {
  const wanted = namesIn(platform)
  if (wanted.size === 0 || isAskedAmong(given)) return true
  const texts = given.steps.flatMap((step) => [...titlesOf(step), ...codeOf(step)])
  return texts.some((text) => agreement(namesIn(text), wanted) > 0)
}

function isAskedAmong(given: Told): boolean {
  return variantsAmong(given).some(({ isAsked }) => isAsked)
}

function titlesOf({ page, section }: Step): string[] {
  return [page.title, section.heading]
}

function codeOf({ code }: Step): string[] {
  return code.map(({ text }) => text)
}

/** Adds missing phases from guides in the same folder of the site, but never from one for another platform. */
function complete(steps: Step[], others: readonly ReadGuide[], wanted: string): Step[] {
  const [first] = steps
  if (!first) return steps
  const areaOf = ({ sourceId, url }: LibraryPage) => [sourceId, ...url.split('/').slice(0, 4)].join('/')
  const near = others.filter(({ page }) => areaOf(page) === areaOf(first.page))
  const filling = (phase: 'install' | 'use', platforms: ReadonlySet<string>) => {
    const isFor = (named: Set<string>) => platforms.size === 0 || named.size === 0 || agreement(named, platforms) > 0
    const found = near.map((other) => other.steps.filter((step) => step.phase === phase && isFor(platformsOf(step))))
    const isFilled = steps.some((step) => step.phase === phase)
    return isFilled ? [] : (found.find(({ length }) => length > 0) ?? []).slice(0, FILLED_IN)
  }
  const platforms = firstFilled(systemsIn(wanted), ...steps.map(platformsOf))
  const installing = filling('install', platforms)
  const using = filling('use', firstFilled(platforms, ...installing.map(platformsOf)))
  return [...installing, ...steps, ...using]
}

/** Platforms that the heading of a step names, else those in the title of its page. */
function platformsOf({ page, section }: Step): Set<string> {
  return firstFilled(systemsIn(section.heading), systemsIn(page.title))
}

function firstFilled(...sets: Set<string>[]): Set<string> {
  return sets.find(({ size }) => size > 0) ?? new Set()
}

/** Pages rated by title and address, besides search results. */
const MOST_GUIDES = 1_000
const PASSAGES = 20
const PASSAGE_BYTES = 100_000
/** Score bonus of a guide that is named like the topic, and of one that the search finds. */
const NAMED = 8
const FOUND = 3
/** Share of the topic that another name for it counts as: a guide to Expo is for React Native. */
const SYNONYM = 0.9

type Deps = { library: Library; search: Search }
type Wanted = { topic: string | undefined; scope: Scope }

/** Candidate start pages, best first. */
export async function findGuides(
  { library, search }: Deps,
  { topic, scope }: Wanted,
  signal: AbortSignal | undefined,
): Promise<LibraryPage[]> {
  const pages = (await library.pagesOf(['start'], scope)).slice(0, MOST_GUIDES)
  const query = `${topic ?? ''} getting started quickstart installation`.trim()
  const budget = { limit: PASSAGES, budget: PASSAGE_BYTES, ...scope }
  const { passages } = await search(
    pages.length > 0 ? { query, kinds: ['start'], ...budget } : { query: `${query} usage`, ...budget },
    signal,
  )
  // A page whose title begins with the topic need not be called a guide.
  const onTopic = topic === undefined ? [] : (await search({ query: `${topic} usage`, ...budget }, signal)).passages
  const ranks = pageRanks(passages, onTopic)
  const found = await library.pagesAt([...ranks.keys()], scope)
  const guides = new Map([...pages, ...found].filter((page) => !isOfApi(page)).map((page) => [page.url, page]))
  const asked = topic === undefined ? null : stemsOf(topic, library.analyserOf('en'))
  const rated = [...guides.values()].map((page) => {
    const share =
      asked === null ? 0 : named(page, asked, library.analyserOf('en')) || (hasName(page, topic) ? SYNONYM : 0)
    return { page, share, worth: worthOfGuide(page) + FOUND * (ranks.get(page.url) ?? 0) + NAMED * share }
  })
  // A guide to another topic never qualifies, however good it is.
  const isWhole = ({ share }: (typeof rated)[number]) => Number(share === 1)
  return rated.toSorted((a, b) => isWhole(b) - isWhole(a) || b.worth - a.worth).map(({ page }) => page)
}

/** Share of the topic's words in title and address. */
function named({ title, url }: LibraryPage, asked: ReadonlySet<string>, analyse: WordAnalyser): number {
  const path = url.replace(/^[a-z]+:\/\/[^/]*/i, '').replaceAll(/[/_.-]/g, ' ')
  const words = stemsOf(`${title} ${path}`, analyse)
  return asked.size === 0 ? 0 : asked.intersection(words).size / asked.size
}

/** True if the title has a name of the topic, or a synonym of it: `Red Hat` for `RHEL`. */
function hasName({ title }: LibraryPage, topic = ''): boolean {
  return agreement(namesIn(title), namesIn(topic)) > 0
}

/** True if title and address contain the whole topic. */
function isNamed(page: LibraryPage, topic: string | undefined): boolean {
  if (topic === undefined) return false
  const analyse = createStemmer()
  return named(page, stemsOf(topic, analyse), analyse) === 1
}

const WORTH: readonly [RegExp, number][] = [
  [/quick[\s_-]?start/i, 10],
  [/get(?:ting)?[\s_-]?started/i, 9],
  [/first[\s_-]steps|hello[\s_,-]*world/i, 7],
  [/install(?:ation|ing)?\b|set[\s_-]?up/i, 6],
  // `TLS_README` is one part of many.
  [/^readme/i, 8],
  [/basic[\s_-](?:configuration|setup|usage)/i, 9],
  [/\btutorial introduction\b|\bintroductory tutorial\b|\bbeginner/i, 7],
  [/tutorial/i, 3],
  [/introduction|usage/i, 3],
]
/** Poor starting points: parts of a product, old versions, blog posts. */
const ASIDE =
  /\/(?:blog|news|reference|api|examples?|recipes|migrat\w*|upgrade\w*|contributing|internals?|legacy|[0-3]x)\b|uninstall|editor|troubleshoot/i
const DEPTH = 0.8

/** Score of a page as a starting guide, from its title and URL alone. */
function worthOfGuide({ title, url, type }: Pick<LibraryPage, 'title' | 'url' | 'type'>): number {
  const path = addressPath(url)
  const parts = path.split('/').filter(Boolean)
  const file = parts.at(-1) ?? ''
  const best = Math.max(
    0,
    ...WORTH.map(([words, worth]) =>
      words.test(title) ? worth : words.test(file) ? worth - 1 : words.test(path) ? worth - 4 : 0,
    ),
  )
  // Paths of a repository begin with its owner and name, mostly followed by a tree marker and a branch.
  const above = url.includes('?') ? 2 : 4
  const depth = sourceKind(type).isRepository ? parts.length - above : parts.length
  return best - DEPTH * Math.max(0, depth) - (ASIDE.test(path) ? 5 : 0)
}
