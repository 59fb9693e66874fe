import { withoutSection } from '#lib/addresses/page-address.ts'
import { builtInTool, kindsFor } from '@docent/contract/tools'
import { z } from 'zod'
import { addressAt, headingPath, isOfApi, type LibraryPage, type OpenPage } from '#library/library-page.ts'
import type { Scope } from '#library/library.ts'
import { type Phase, PHASES } from '#library/quickstart/classify-step.ts'
import { worthOfGuide } from '#library/quickstart/rank-guides.ts'
import type { Variants } from '#library/quickstart/variants.ts'
import { readSteps, type Step } from '#library/quickstart/read-steps.ts'
import { stemsOf } from '#library/term-overlap.ts'
import { oneLine } from '../frame.ts'
import { missingOutput, missingSource } from '../missing-source.ts'
import { sourceScope } from '../named-source.ts'
import { codeMember } from '../output-members.ts'
import { type Entry, pagedAnswer, pagedOutput } from '../paged-answer.ts'
import { cursorArgument, sourceArgument } from '../shared-arguments.ts'
import { defineTool, READ_ONLY } from '../tool.ts'
import type { ToolContext } from '../tool-context.ts'

/** Guides to open: the best, and those that can fill its gaps. */
const OPENED = 6
/** Pages rated by title and address, besides search results. */
const MOST_GUIDES = 1_000
/** Maximum steps of the main guide, and of each supplement. */
const MOST_STEPS = 8
const FILLED_IN = 2
const PASSAGES = 20
const PASSAGE_BYTES = 100_000
const BYTES = 14_000
const OTHERS_NAMED = 6
const CHOICES_NAMED = 3
/** Score bonus of a guide that is named like the topic, and of one that the search finds. */
const NAMED = 8
const FOUND = 3

const input = z.object({
  topic: z
    .string()
    .trim()
    .max(500)
    .optional()
    .describe('What to begin with, where the sources have several things: a product, a platform, a language'),
  source: sourceArgument,
  limit: z.int().min(1).max(20).default(8).describe('How many steps'),
  cursor: cursorArgument,
})

const result = { step: z.int(), phase: z.enum(PHASES), text: z.string(), code: z.array(codeMember) }
const guide = z.object({ title: z.string(), url: z.string() })
const output = pagedOutput({ topic: z.string().nullable(), guide: guide.nullable(), missing: missingOutput }, result)

export const getQuickstart = defineTool<typeof input, typeof output, ToolContext>({
  ...builtInTool('get_quickstart'),
  annotations: READ_ONLY,
  input,
  output,
  async call(context, { cursor, limit, ...asked }, signal) {
    const scope = sourceScope(context.server, asked.source)
    const guides = await findGuides(context, { topic: asked.topic, scope }, signal)
    const opened = await context.library.open(guides.slice(0, OPENED))
    const told = opened
      .map((page) => ({ page, ...readSteps(page, asked.topic) }))
      .filter(
        ({ page, steps }) =>
          steps.length > 0 &&
          (isGuide(page) || isNamed(page, asked.topic) || steps.some(({ phase }) => phase === 'install')),
      )
    const onTopic = told.filter(({ page }) => isNamed(page, asked.topic))
    const [main] = (onTopic.length > 0 ? onTopic : told).toSorted(
      (a, b) => fullness(b.steps) - fullness(a.steps) + told.indexOf(a) - told.indexOf(b),
    )
    const about = {
      topic: asked.topic ?? null,
      guide: main ? { title: main.page.title, url: main.page.url } : null,
    }
    if (!main) {
      return missingSource(
        context,
        {
          what: asked.topic === undefined ? 'guide to begin with' : `guide to begin with "${oneLine(asked.topic, 80)}"`,
          needs: kindsFor('get_quickstart'),
          add: 'Add the documentation that has one (as its "Getting started" page) or the repository with its README; search_docs finds what else is here.',
        },
        about,
      )
    }
    const steps = complete(
      main.steps.slice(0, MOST_STEPS),
      told.filter((each) => each !== main),
    )
    return pagedAnswer(context, {
      tool: 'get_quickstart',
      asked,
      cursor,
      limit,
      bytes: BYTES,
      entries: steps.map(entryOf),
      notes: [...variantNotes(told, steps), ...otherGuides(guides, steps)],
      nothing: 'The guide has no steps.',
      about,
    })
  },
})

/** Score bonus of a complete guide over a short pointer, in ranks. */
function fullness(steps: readonly Step[]): number {
  const coded = steps.filter(({ code }) => code.length > 0).length
  return Math.min(3, coded) + (steps.some(({ phase }) => phase === 'install') ? 1 : 0)
}

function isGuide(page: OpenPage): boolean {
  return worthOfGuide(page) > 0
}

/** True if title and address contain the whole topic. */
function isNamed(page: LibraryPage, topic: string | undefined): boolean {
  return topic !== undefined && named(page, stemsOf(topic)) === 1
}

type Wanted = { topic: string | undefined; scope: Scope }

/** Candidate start pages, best first. */
async function findGuides(
  context: ToolContext,
  { topic, scope }: Wanted,
  signal: AbortSignal | undefined,
): Promise<LibraryPage[]> {
  const { library } = context
  const pages = (await library.pagesOf(['start'], scope)).slice(0, MOST_GUIDES)
  const query = `${topic ?? ''} getting started quickstart installation`.trim()
  const budget = { limit: PASSAGES, budget: PASSAGE_BYTES, ...scope }
  const { passages } = await context.search(
    pages.length > 0 ? { query, kinds: ['start'], ...budget } : { query: `${query} usage`, ...budget },
    signal,
  )
  // A page whose title begins with the topic need not be called a guide.
  const onTopic =
    topic === undefined ? [] : (await context.search({ query: `${topic} usage`, ...budget }, signal)).passages
  const ranks = new Map<string, number>()
  for (const list of [passages, onTopic]) {
    for (const [rank, { url }] of list.entries()) {
      const address = withoutSection(url)
      if (!ranks.has(address)) ranks.set(address, 1 - rank / list.length)
    }
  }
  const found = await Promise.all([...ranks.keys()].map((address) => library.pageAt(address, scope)))
  const guides = [...pages, ...found.filter((page) => page !== null)].filter((page) => !isOfApi(page))
  const all = new Map(guides.map((page) => [page.url, page]))
  const asked = topic === undefined ? null : stemsOf(topic)
  return (
    [...all.values()]
      .map((page) => {
        const share = asked === null ? 0 : named(page, asked)
        return { page, share, worth: worthOfGuide(page) + FOUND * (ranks.get(page.url) ?? 0) + NAMED * share }
      })
      // A guide to another topic never qualifies, however good it is.
      .toSorted((a, b) => Number(b.share === 1) - Number(a.share === 1) || b.worth - a.worth)
      .map(({ page }) => page)
  )
}

/** Share of the topic's words in title and address. */
function named({ title, url }: LibraryPage, asked: ReadonlySet<string>): number {
  const words = stemsOf(`${title} ${url.replace(/^[a-z]+:\/\/[^/]*/i, '').replaceAll(/[/_.-]/g, ' ')}`)
  return asked.size === 0 ? 0 : asked.intersection(words).size / asked.size
}

/** The steps of the best guide. Missing parts (installation, configuration, usage) come from related guides. */
function complete(steps: Step[], others: readonly { page: OpenPage; steps: Step[] }[]): Step[] {
  const [first] = steps
  if (!first) return steps
  const isNear = ({ page }: { page: OpenPage }) =>
    page.sourceId === first.page.sourceId && areaOf(page.url) === areaOf(first.page.url)
  const has = (phase: Phase) => steps.some((step) => step.phase === phase)
  const filling = (phase: Phase) =>
    has(phase) || phase === 'configure'
      ? []
      : (
          others
            .filter(isNear)
            .map((other) => other.steps.filter((step) => step.phase === phase))
            .find((found) => found.length > 0) ?? []
        ).slice(0, FILLED_IN)
  const installing = filling('install')
  const using = filling('use')
  return [...installing, ...steps, ...using]
}

/** The product on a site with several: the first folder. */
function areaOf(url: string): string {
  return url.split('/').slice(0, 4).join('/')
}

function entryOf(
  { phase, page, section, text, code }: Step,
  index: number,
): Entry<z.output<z.ZodObject<typeof result>>> {
  const isTop = section.heading === '' || section.heading === page.title
  return {
    title: page.title,
    heading: isTop ? '' : headingPath(page, section),
    url: addressAt(page, section),
    sourceId: page.sourceId,
    text: `Step ${index + 1}, ${LABELS[phase]}:\n\n${text}`,
    data: { step: index + 1, phase, text, code },
  }
}

const LABELS: Record<Phase, string> = { install: 'install', configure: 'configure', use: 'use' }

/** Notes which variant the steps are for, once per choice. */
function variantNotes(told: readonly { page: OpenPage; variants: Variants[] }[], steps: readonly Step[]): string[] {
  const shown = new Set(steps.map(({ page }) => page))
  const choices = new Map(
    told
      .filter(({ page }) => shown.has(page))
      .flatMap(({ variants }) => variants)
      .map(({ chosen, others }) => [`${chosen} ${others.join(' ')}`.toLowerCase(), { chosen, others }]),
  )
  return [...choices.values()].slice(0, CHOICES_NAMED).map(({ chosen, others }) => {
    const names = [...new Set(others)].map((other) => `"${oneLine(other, 60)}"`).join(', ')
    return `These steps are for "${oneLine(chosen, 60)}". The guide also has ${names}: name it in "topic" to see that.`
  })
}

function otherGuides(guides: readonly LibraryPage[], steps: readonly Step[]): string[] {
  const used = new Set(steps.map(({ page }) => page.url))
  const others = guides.filter(({ url }) => !used.has(url)).slice(0, OTHERS_NAMED)
  if (others.length === 0) return []
  const names = others.map(({ title, url }) => `${oneLine(title, 60)} (${url})`)
  return [`Other guides: ${names.join('; ')}. Give "topic" for another one.`]
}
