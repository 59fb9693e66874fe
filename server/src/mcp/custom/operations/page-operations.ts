import { z } from 'zod'
import { findReleases, isBreaking } from '#documents/changelog/find-releases.ts'
import { type Release, versionsOf } from '#documents/changelog/order-releases.ts'
import { partOfRelease, RELEASE_PARTS } from '#documents/changelog/part-of-release.ts'
import { findChecklist, findSteps } from '#documents/entries/read-lists.ts'
import { excerpt } from '#documents/excerpt.ts'
import { summarizeAt } from '#documents/summary/summarize.ts'
import { oneLine } from '../../passages/format-citation.ts'
import { optionalTextArgument, textArgument } from '../../arguments/shared-arguments.ts'
import { ToolError } from '../../definition/tool-result.ts'
import { findPage } from '../../pages/page-answer.ts'
import {
  citedAnswer,
  type CitedPlace,
  defineOperation,
  namesOutput,
  placeOfFound,
  placeNumbers,
} from './cited-answer.ts'
import { placeIn } from '../../results/paged-answer.ts'

const about = optionalTextArgument(500, 'Further words, which count less')

export const checklistOperation = defineOperation({
  name: 'read_checklist',
  input: z.object({ query: textArgument(1_000, 'The subject'), about }),
  output: namesOutput,
  async call({ library, search }, { query, about: further }, signal) {
    const [found] = await findChecklist({ library, search }, { query, about: further, scope: {} }, signal)
    const points = found?.points.map(({ text }) => `- [ ] ${oneLine(text, 400)} [1]`) ?? []
    return citedAnswer({
      lead: points.join('\n'),
      places: found ? [placeOfFound(found)] : [],
      notes: found ? [] : [`The sources have no list on "${oneLine(query, 100)}".`],
      data: { match: found ? 'named' : 'none', names: found?.points.map(({ title }) => title) ?? [] },
    })
  },
})

export const stepsOperation = defineOperation({
  name: 'read_steps',
  input: z.object({ query: textArgument(1_000, 'The task'), about }),
  output: namesOutput,
  async call({ library, search }, { query, about: further }, signal) {
    const [found] = await findSteps({ library, search }, { query, about: further, scope: {} }, signal)
    const points = found?.points ?? []
    return citedAnswer({
      places: points.map(({ title, text, url }, index) => ({
        ...(found ? placeOfFound(found) : { title: '', sourceId: '', heading: '' }),
        url,
        heading: [found?.heading, `Step ${index + 1}${title === '' ? '' : `: ${title}`}`].filter(Boolean).join(' › '),
        text,
      })),
      notes: found ? [] : [`The sources have no steps for "${oneLine(query, 100)}".`],
      data: { match: found ? 'named' : 'none', names: points.map(({ title, text }) => title || oneLine(text, 80)) },
    })
  },
})

const MOST_POINTS = 24

export const pageOperation = defineOperation({
  name: 'summarize_page',
  input: z.object({ page: textArgument(1_000, 'Address, path or title of the page') }),
  output: namesOutput,
  async call(context, { page: asked }) {
    const url = await addressOf(context, asked)
    const page = await findPage(context, url)
    const points = summarizeAt(page, url).slice(0, MOST_POINTS)
    const places = points.map((point) => placeIn(point, point.heading, point.url))
    const numbers = placeNumbers(places)
    const lines = points.flatMap(({ sentences }, at) =>
      sentences.map(
        (sentence) =>
          `- ${oneLine(sentence, 400)} [${numbers.of(places[at] ?? { title: '', heading: '', url: '', sourceId: '' })}]`,
      ),
    )
    return citedAnswer({
      lead: lines.join('\n'),
      places: numbers.places,
      notes: points.length === 0 ? ['The page has no sentences.'] : [],
      data: { match: points.length === 0 ? 'none' : 'named', names: [page.title] },
    })
  },
})

/** The address of a page that is named by its path or title. */
async function addressOf({ library, search }: Parameters<typeof findPage>[0], asked: string): Promise<string> {
  if (/^[a-z]+:\/\//i.test(asked)) return asked
  const pages = await library.all()
  const lower = asked.trim().toLowerCase()
  const path = lower.replace(/(?<!\/)\/+$/, '')
  const pathOf = (url: string) =>
    url
      .replace(/^[a-z]+:\/\/[^/]*/i, '')
      .toLowerCase()
      .replace(/(?<!\/)\/+$/, '')
  const found =
    pages.find(({ url }) => pathOf(url) === path) ??
    pages.find(({ title }) => title.toLowerCase() === lower) ??
    pages.find(({ url }) => path.startsWith('/') && pathOf(url).endsWith(path))
  if (found) return found.url
  // A path names one page or none; other words can mean a page.
  const [best] = path.startsWith('/') ? [] : (await search({ query: asked, limit: 1 })).passages
  if (best) return best.url.replace(/#.*/s, '')
  throw new ToolError('arguments', `No page is called "${oneLine(asked, 100)}".`)
}

/** Characters shown of one release in a list, and of a single one. */
const EACH = 2_000
const ALONE = 6_000

export const releasesOperation = defineOperation({
  name: 'read_releases',
  input: z.object({
    version: optionalTextArgument(60, 'One version or line, or latest'),
    range: optionalTextArgument(200, 'Versions in this range, such as >2.0 <=3'),
    since: optionalTextArgument(10, 'Only what is not older than this day, as 2026-01-31'),
    query: optionalTextArgument(1_000, 'Only releases that speak of this'),
    part: z.enum(RELEASE_PARTS).optional().describe('Only this part of each release'),
    limit: z.int().min(1).max(20).default(8).describe('How many'),
  }),
  output: namesOutput,
  async call({ library }, { part, limit, ...asked }) {
    const releases = await findReleases(library, asked)
    if (typeof releases === 'string')
      throw new ToolError(
        'arguments',
        `"${oneLine(asked[releases] ?? '', 60)}" is no ${releases === 'since' ? 'day' : 'version'}.`,
      )
    const { told, found } = releases
    const read = found.flatMap((release) => {
      const text = part === undefined ? release.text : partOfRelease(release.text, part)
      // A guide to a version is about breaking changes as a whole.
      const whole = part === 'breaking' && release.kind === 'migration' ? release.text : text
      return whole === '' ? [] : [{ release, text: whole }]
    })
    const without = found.length - read.length
    const shown = read.slice(0, limit)
    return citedAnswer({
      places: shown.map(({ release, text }) => ({
        ...placeOfRelease(release),
        text: excerpt(text, shown.length === 1 ? ALONE : EACH),
      })),
      notes: [
        ...(found.length === 0 ? [nothingFits(told)] : []),
        ...(without > 0 && part !== undefined
          ? [`${without} of ${found.length} releases name no ${PART_TITLES[part]}.`]
          : []),
        ...(read.length > shown.length && asked.version !== 'latest'
          ? [`${read.length - shown.length} older releases are not shown.`]
          : []),
      ],
      data: {
        match: shown.length === 0 ? 'none' : 'named',
        names: shown.map(({ release }) => release.version?.text ?? release.date ?? release.heading),
      },
    })
  },
})

const PART_TITLES: Record<(typeof RELEASE_PARTS)[number], string> = {
  breaking: 'breaking changes',
  deprecated: 'deprecations',
  removed: 'removals',
  added: 'additions',
  fixed: 'fixes',
  security: 'security fixes',
}

function placeOfRelease(release: Release): CitedPlace {
  const { page, heading, url, version, date, kind } = release
  const facts = [
    version === null ? '' : `Version ${version.text}`,
    date ?? '',
    isBreaking(release) && kind !== 'migration' ? 'breaking changes' : '',
  ]
  const said = heading !== '' && heading !== page.title ? heading : facts.filter(Boolean).join(', ')
  return placeIn(page, said, url)
}

function nothingFits(releases: Parameters<typeof versionsOf>[0]): string {
  const names = versionsOf(releases).slice(0, 15)
  return names.length === 0
    ? 'The sources describe no releases.'
    : `No release fits. The sources describe ${oneLine(names.join(', '), 300)}.`
}
