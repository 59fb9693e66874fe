import { readSteps, type Step } from './read-steps.ts'
import { overlap, stemsOf } from '../term-overlap.ts'
import { agreement, namesIn, systemsIn, type Variants } from './variants.ts'
import type { LibraryPage, OpenPage } from '../library-page.ts'
import type { Library } from '../library.ts'
import type { Passage } from '#search/passage.ts'
import {
  findGuides,
  type Guide,
  type GuideDeps,
  hasName,
  isNamed,
  type WantedGuide,
  worthOfGuide,
} from './find-guides.ts'

/** Guides to open: the best, and those that can fill its gaps. */
const OPENED = 6
/** Maximum steps that another guide adds. */
const FILLED_IN = 2

export type ReadGuide = { page: OpenPage; steps: Step[]; variants: Variants[] }

/**
 * Reads how to begin with a topic: the steps of the best guide in order, each with its page, section and code. If they
 * are not for the platform, those of a guide that is about it. `main` is null if the sources have no guide; `areFor`
 * tells whether the steps are about the topic. `passageOfSection` makes a passage of a step. Searches twice, or not at
 * all if given the passages of a search.
 */
export async function readGuide(
  deps: GuideDeps,
  { topic, platform, scope, passages }: WantedGuide & { platform?: string | undefined },
  signal: AbortSignal | undefined,
): Promise<Awaited<ReturnType<typeof chooseSteps>> & { guides: LibraryPage[] }> {
  const read = async (subject: string | undefined, known?: readonly Passage[]) => {
    const guides = await findGuides(deps, { topic: subject, scope, passages: known }, signal)
    return { guides, ...(await chooseSteps(deps.library, guides, { topic, platform })) }
  }
  const found = await read(topic, passages)
  if (platform === undefined || areForPlatform(platform, found)) return found
  const other = await read(`${topic ?? ''} ${platform}`.trim())
  return other.main !== null && areForPlatform(platform, other) ? other : found
}

/** `main` is the most complete guide to the topic. `steps` are its own, and those of others where it has gaps. */
async function chooseSteps(
  library: Pick<Library, 'open'>,
  guides: readonly Guide[],
  { topic, platform }: { topic?: string | undefined; platform?: string | undefined },
): Promise<{ told: ReadGuide[]; main: OpenPage | null; steps: Step[] }> {
  const wanted = [topic, platform].filter((each) => each !== undefined).join(' ')
  const best = guides.slice(0, OPENED)
  const parts = new Map(best.map(({ url, within }) => [url, within]))
  const isAbout = (page: OpenPage) => parts.get(page.url) !== undefined || isNamed(page, topic)
  const told = (await library.open(best))
    .map((page) => {
      const about = { within: parts.get(page.url), isAbout: isAbout(page), isGuide: worthOfGuide(page) > 0 }
      return { page, ...readSteps(page, { topic: wanted, ...about }) }
    })
    .filter(({ page, steps }) => {
      const isGuide = worthOfGuide(page) > 0 || isAbout(page)
      return steps.length > 0 && (isGuide || (topic !== undefined && steps.some(({ phase }) => phase === 'install')))
    })
  const onTopic = told.filter(({ page }) => isAbout(page))
  const bySynonym = told.filter(({ page }) => hasName(page, topic))
  // A part of the documentation can have a beginning of its own.
  const general = told.filter(({ page }) => worthOfGuide(page) > 0)
  const [main] = ([onTopic, bySynonym, general].find((some) => some.length > 0) ?? told).toSorted(
    (a, b) => fullness(b.steps) - fullness(a.steps) + told.indexOf(a) - told.indexOf(b),
  )
  if (!main) return { told, main: null, steps: [] }
  // With a topic, another guide adds to the steps only if it is about the topic too.
  const others = (topic === undefined || onTopic.length === 0 ? told : onTopic).filter((each) => each !== main)
  return { told, main: main.page, steps: complete(main.steps, others, wanted) }
}

/** Score bonus of a complete guide over a short pointer, in ranks. */
function fullness(steps: readonly Step[]): number {
  const coded = steps.filter(({ code }) => code.length > 0).length
  return Math.min(3, coded) + (steps.some(({ phase }) => phase === 'install') ? 1 : 0)
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
  return [page.title, ...section.path, section.heading]
}

function codeOf({ code }: Step): string[] {
  return code.map(({ text }) => text)
}

/** Titles of pages about installing the product, and not about something else that needs it. */
const INSTALLS =
  /^(?:\d[\d.]* )?(?:building|download\w*|get(?:ting)?|install\w*|prerequisites|quick ?-?start|readme|requirements|set(?:ting)? ?up)\b/i

/** Adds the way to install from a guide in the same folder of the site, but never from one for another platform. */
function complete(steps: Step[], others: readonly ReadGuide[], wanted: string): Step[] {
  const [first] = steps
  if (!first || steps.some(({ phase }) => phase === 'install')) return steps
  const areaOf = ({ sourceId, url }: LibraryPage) => {
    const folder = url.slice(0, url.lastIndexOf('/') + 1)
    return [sourceId, ...folder.split('/').slice(0, 4)].join('/')
  }
  const platforms = firstFilled(systemsIn(wanted), ...steps.map(platformsOf))
  const isFor = (named: Set<string>) => platforms.size === 0 || named.size === 0 || agreement(named, platforms) > 0
  const near = others.filter(({ page }) => areaOf(page) === areaOf(first.page) && INSTALLS.test(page.title))
  const found = near.map((other) => other.steps.filter((step) => step.phase === 'install' && isFor(platformsOf(step))))
  return [...(found.find(({ length }) => length > 0) ?? []).slice(0, FILLED_IN), ...steps]
}

/** Platforms that the heading of a step names, else those in the title of its page. */
function platformsOf({ page, section }: Step): Set<string> {
  return firstFilled(systemsIn(section.heading), systemsIn(page.title))
}

function firstFilled(...sets: Set<string>[]): Set<string> {
  return sets.find(({ size }) => size > 0) ?? new Set()
}
