import { z } from 'zod'
import { addressAt, headingPath, type LibraryPage } from '#documents/library-page.ts'
import { areFor, areForPlatform, readGuide, type ReadGuide, variantsAmong } from '#documents/quickstart/choose-steps.ts'
import { type Step, PHASES } from '#documents/quickstart/read-steps.ts'
import { oneLine } from '../passages/format-citation.ts'
import { type EntryOf, pagedAnswer, pagedOutput, placeIn } from '../results/paged-answer.ts'
import { cursorArgument, optionalTextArgument, sourceArgument } from '../arguments/shared-arguments.ts'
import { defineReader } from '../definition/tool.ts'
import { missingOutput, missingSource, sourceScope } from '../arguments/named-source.ts'
import { codeMember } from '../definition/tool-result.ts'

const BYTES = 14_000
const OTHERS_NAMED = 6
const CHOICES_NAMED = 3

const input = z.object({
  topic: optionalTextArgument(
    500,
    'What to begin with, where the sources have several things: a product, a platform, a language',
  ),
  platform: optionalTextArgument(
    100,
    'Which of several variants to follow: an operating system, package manager or language, such as windows or pnpm',
  ),
  source: sourceArgument,
  limit: z.int().min(1).max(20).default(8).describe('How many steps'),
  cursor: cursorArgument,
})

/** Members of a step in structured content. */
const stepResult = { step: z.int(), phase: z.enum(PHASES), text: z.string(), code: z.array(codeMember) }

const guide = z.object({ title: z.string(), url: z.string() }).nullable()
const output = pagedOutput({ topic: z.string().nullable(), guide, missing: missingOutput }, stepResult)

export const getQuickstart = defineReader('get_quickstart', {
  input,
  output,
  async call(context, { cursor, limit, ...asked }, signal) {
    const scope = sourceScope(context.server, asked.source)
    const { guides, told, main, steps } = await readGuide(context, { ...asked, scope }, signal)
    const about = { topic: asked.topic ?? null, guide: main && { title: main.title, url: main.url } }
    if (!main) {
      return missingSource(context, 'get_quickstart', {
        what: asked.topic === undefined ? 'guide to begin with' : `guide to begin with "${oneLine(asked.topic, 80)}"`,
        add: 'Add the documentation that has one (as its "Getting started" page) or the repository with its README; search_docs finds what else is here.',
        about,
      })
    }
    const paging = { tool: 'get_quickstart', asked, cursor, limit }
    const general = topicNote(asked, told, steps)
    return pagedAnswer(context, paging, {
      bytes: BYTES,
      entries: steps.map(stepEntry),
      notes: [...general, ...variantNotes(told, steps), ...otherGuides(guides, steps)],
      nothing: 'The guide has no steps.',
      isRelated: general.length > 0,
      about,
    })
  },
})

type Asked = Pick<z.output<typeof input>, 'topic' | 'platform'>

function topicNote({ topic, platform }: Asked, told: readonly ReadGuide[], steps: readonly Step[]): string[] {
  if (topic !== undefined && !areFor(topic, { told, steps }))
    return [`No guide of this server is about "${oneLine(topic, 80)}". These steps are from a general one.`]
  if (platform !== undefined && !areForPlatform(platform, { told, steps }))
    return [`The guides have no steps for "${oneLine(platform, 80)}". These are for others.`]
  return []
}

function variantNotes(told: readonly ReadGuide[], steps: readonly Step[]): string[] {
  const choices = new Map<string, { chosen: string; others: Set<string> }>()
  for (const { chosen, others } of variantsAmong({ told, steps })) {
    const choice = choices.get(chosen.toLowerCase()) ?? { chosen, others: new Set<string>() }
    for (const other of others) choice.others.add(other)
    choices.set(chosen.toLowerCase(), choice)
  }
  return [...choices.values()].slice(0, CHOICES_NAMED).map(({ chosen, others }) => {
    const names = [...others].map((other) => `"${oneLine(other, 60)}"`).join(', ')
    return `These steps are for "${oneLine(chosen, 60)}". The guide also has ${names}: give it as "platform" to see that.`
  })
}

function otherGuides(guides: readonly LibraryPage[], steps: readonly Step[]): string[] {
  const used = new Set(steps.map(({ page }) => page.url))
  const others = guides.filter(({ url }) => !used.has(url)).slice(0, OTHERS_NAMED)
  if (others.length === 0) return []
  const names = others.map(({ title, url }) => `${oneLine(title, 60)} (${url})`)
  return [`Other guides: ${names.join('; ')}. Give "topic" for another one.`]
}

function stepEntry({ phase, page, section, text, code }: Step, index: number): EntryOf<typeof stepResult> {
  const isTop = section.heading === '' || section.heading === page.title
  return {
    ...placeIn(page, isTop ? '' : headingPath(page, section), addressAt(page, section)),
    text: `Step ${index + 1}, ${phase}:\n\n${text}`,
    data: { step: index + 1, phase, text, code },
  }
}
