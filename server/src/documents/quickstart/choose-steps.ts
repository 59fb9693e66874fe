import { type Phase, type Step, readSteps } from './read-steps.ts'
import { hasName, isNamed, worthOfGuide } from './find-guides.ts'
import { overlap, stemsOf } from '../term-overlap.ts'
import { agreement, namesIn, systemsIn } from './variant-names.ts'
import type { Variants } from './variants.ts'
import type { LibraryPage, OpenPage } from '../library-page.ts'
import type { Library } from '../library.ts'

/** Guides to open: the best, and those that can fill its gaps. */
const OPENED = 6
/** Maximum steps of the main guide, and of each supplement. */
const MOST_STEPS = 8
const FILLED_IN = 2

/** A guide with its steps, and the variants of a step that it offers. */
export type ReadGuide = { page: OpenPage; steps: Step[]; variants: Variants[] }

/**
 * Reads the best of the candidates. `main` is the most complete guide to the topic, or null if none has steps. `steps`
 * are those of the main guide, and of others where it has gaps. `platform` selects among the variants of a guide.
 */
export async function chooseSteps(
  library: Pick<Library, 'open'>,
  guides: readonly LibraryPage[],
  { topic, platform }: { topic?: string | undefined; platform?: string | undefined },
): Promise<{ told: ReadGuide[]; main: OpenPage | null; steps: Step[] }> {
  const wanted = [topic, platform].filter((each) => each !== undefined).join(' ')
  const opened = await library.open(guides.slice(0, OPENED))
  const told = opened
    .map((page) => ({ page, ...readSteps(page, wanted) }))
    .filter(
      ({ page, steps }) =>
        steps.length > 0 && (isGuide(page) || isNamed(page, topic) || steps.some(({ phase }) => phase === 'install')),
    )
  const onTopic = told.filter(({ page }) => isNamed(page, topic))
  const bySynonym = told.filter(({ page }) => hasName(page, topic))
  const [main] = ([onTopic, bySynonym].find((some) => some.length > 0) ?? told).toSorted(
    (a, b) => fullness(b.steps) - fullness(a.steps) + told.indexOf(a) - told.indexOf(b),
  )
  if (!main) return { told, main: null, steps: [] }
  const others = told.filter((each) => each !== main)
  return { told, main: main.page, steps: complete(mostWanted(main), others, wanted) }
}

/** The first steps in order. Steps of the variant that the topic names come before others. */
function mostWanted({ steps, variants }: ReadGuide): Step[] {
  const asked = variants.filter(({ isAsked }) => isAsked)
  const isAsked = ({ section }: Step) => asked.some(({ start, end }) => start <= section.start && section.start < end)
  const chosen = new Set([...steps.filter(isAsked), ...steps].slice(0, MOST_STEPS))
  return steps.filter((step) => chosen.has(step)).slice(0, MOST_STEPS)
}

/** Words of a topic that any guide answers. */
const GENERAL = stemsOf(
  'get getting start started quickstart begin install installation setup guide tutorial first steps use',
)

type Told = { told: readonly ReadGuide[]; steps: readonly Step[] }

/** The choices of variants that a step depends on. */
export function variantsAmong({ told, steps }: Told): Variants[] {
  return told.flatMap(({ page, variants }) =>
    variants.filter(({ start, end }) =>
      steps.some((step) => step.page === page && step.section.start >= start && step.section.start < end),
    ),
  )
}

/**
 * True if the steps are for the topic: their titles, headings or texts have its words, or another name for it. Guides
 * mention systems that they are not for, so a system must be in a title, a heading or the code.
 */
export function areFor(topic: string, { told, steps }: Told): boolean {
  const asked = stemsOf(topic).difference(GENERAL)
  if (asked.size === 0 || variantsAmong({ told, steps }).some(({ isAsked }) => isAsked)) return true
  const titles = steps.flatMap(({ page, section }) => [page.title, section.heading])
  if (titles.some((title) => agreement(namesIn(title), namesIn(topic)) > 0)) return true
  const isOfSystem = systemsIn(topic).size > 0
  const texts = steps.flatMap(({ page, text, code }) => [
    page.url,
    ...(isOfSystem ? code.map((each) => each.text) : [text]),
  ])
  return overlap(asked, [...titles, ...texts].join('\n')) === 1
}

/** True if the steps are for the platform: they are of its variant, or name it. */
export function areForPlatform(platform: string, { told, steps }: Told): boolean {
  const wanted = namesIn(platform)
  if (wanted.size === 0 || variantsAmong({ told, steps }).some(({ isAsked }) => isAsked)) return true
  return steps.some(({ page, section, code }) =>
    [page.title, section.heading, ...code.map(({ text }) => text)].some((text) => agreement(namesIn(text), wanted) > 0),
  )
}

/** Score bonus of a complete guide over a short pointer, in ranks. */
function fullness(steps: readonly Step[]): number {
  const coded = steps.filter(({ code }) => code.length > 0).length
  return Math.min(3, coded) + (steps.some(({ phase }) => phase === 'install') ? 1 : 0)
}

function isGuide(page: OpenPage): boolean {
  return worthOfGuide(page) > 0
}

/**
 * The steps of the best guide. Missing parts (installation, usage) come from related guides, but never from one for
 * another platform.
 */
function complete(steps: Step[], others: readonly { page: OpenPage; steps: Step[] }[], wanted: string): Step[] {
  const [first] = steps
  if (!first) return steps
  const isNear = ({ page }: { page: OpenPage }) =>
    page.sourceId === first.page.sourceId && areaOf(page.url) === areaOf(first.page.url)
  const filling = (phase: Phase, platforms: ReadonlySet<string>) =>
    steps.some((step) => step.phase === phase)
      ? []
      : (
          others
            .filter(isNear)
            .map((other) => other.steps.filter((step) => step.phase === phase && isFor(platforms, step)))
            .find((found) => found.length > 0) ?? []
        ).slice(0, FILLED_IN)
  const platforms = firstFilled(systemsIn(wanted), ...steps.map(platformsOf))
  const installing = filling('install', platforms)
  const using = filling('use', firstFilled(platforms, ...installing.map(platformsOf)))
  return [...installing, ...steps, ...using]
}

/** Platforms that the heading of a step names, else those in the title of its page. */
function platformsOf({ page, section }: Step): Set<string> {
  return firstFilled(systemsIn(section.heading), systemsIn(page.title))
}

/** True if neither heading nor title of a step names another platform than the chosen ones. */
function isFor(chosen: ReadonlySet<string>, step: Step): boolean {
  const named = platformsOf(step)
  return chosen.size === 0 || named.size === 0 || agreement(named, chosen) > 0
}

function firstFilled(...sets: Set<string>[]): Set<string> {
  return sets.find(({ size }) => size > 0) ?? new Set()
}

/** The product on a site with several: the first folder. */
function areaOf(url: string): string {
  return url.split('/').slice(0, 4).join('/')
}
