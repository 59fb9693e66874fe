import { builtInTool, kindsFor } from '@docent/contract/tools'
import { z } from 'zod'
import { isBreaking, type Release, orderReleases } from '#library/changelog/order-releases.ts'
import { type ReleaseNote, readReleases } from '#library/changelog/read-releases.ts'
import { excerpt } from '#library/excerpt.ts'
import type { Library, Scope } from '#library/library.ts'
import { stemsOf } from '#library/term-overlap.ts'
import { compareVersions, isOfLine, parseVersion } from '#lib/text/version.ts'
import { parseRange } from '#lib/text/version-range.ts'
import { oneLine } from '../frame.ts'
import { missingOutput, missingSource } from '../missing-source.ts'
import { sourceScope } from '../named-source.ts'
import { type Entry, offsetOf, pagedAnswer, pagedOutput } from '../paged-answer.ts'
import { cursorArgument, sourceArgument } from '../shared-arguments.ts'
import { defineTool, READ_ONLY } from '../tool.ts'
import type { ToolContext } from '../tool-context.ts'
import { ToolError } from '../tool-error.ts'

/** Maximum pages read per answer. The largest changelogs are one page; releases are one page each. */
const MOST_PAGES = 400
/** Characters shown of one release in a list, and of one requested by version. */
const EACH = 1_500
const ALONE = 6_000
const BYTES_A_RELEASE = 1_800
const NAMED_VERSIONS = 15

const input = z.object({
  version: z.string().trim().max(60).optional().describe('One version or line, such as 2.1.0, v3 or latest'),
  range: z.string().trim().max(200).optional().describe('Versions in this range, such as >=2.0 <3, ^1.4 or 1.2 - 1.5'),
  since: z.string().trim().max(10).optional().describe('Only what is not older than this day, as 2026-01-31'),
  query: z
    .string()
    .trim()
    .max(1_000)
    .optional()
    .describe('Only of this package or product, or only what speaks of this'),
  source: sourceArgument,
  limit: z.int().min(1).max(20).default(5).describe('How many releases'),
  cursor: cursorArgument,
})

type Asked = Omit<z.output<typeof input>, 'cursor' | 'limit'>

const result = {
  kind: z.enum(['release', 'changelog', 'migration']),
  component: z.string().describe('What was released, where a source has several things; else empty'),
  version: z.string().nullable(),
  date: z.string().nullable().describe('As 2026-01-31'),
  breaking: z.boolean(),
  text: z.string(),
  alsoAt: z.array(z.string()),
}
const asked = { version: z.string().nullable(), range: z.string().nullable(), since: z.string().nullable() }
const output = pagedOutput({ ...asked, missing: missingOutput }, result)

export const getChangelog = defineTool<typeof input, typeof output, ToolContext>({
  ...builtInTool('get_changelog'),
  annotations: READ_ONLY,
  input,
  output,
  async call(context, { cursor, limit, ...asked }) {
    const isWanted = testOf(asked)
    const scope = sourceScope(context.server, asked.source)
    const about = { version: asked.version ?? null, range: asked.range ?? null, since: asked.since ?? null }
    const notes = await readAll(context.library, scope)
    if (notes.length === 0) {
      return missingSource(
        context,
        {
          what: 'changelog, release notes or migration guide',
          needs: kindsFor('get_changelog'),
          add: "Add the project's repository (type repo; its changelogs are read, and releases at GitHub), or the site on which its releases are described.",
        },
        about,
      )
    }
    const told = orderReleases(aboutQuery(notes, asked.query))
    const isExact = ({ version }: Release) =>
      version !== null && version.text === asked.version?.replace(/^v(?=\d)/i, '')
    const wanted = newestOnly(told.filter(isWanted), asked.version)
    // `3.2` is both a release and a line.
    const found = [...wanted.filter(isExact), ...wanted.filter((release) => !isExact(release))]
    const paging = { tool: 'get_changelog', asked, cursor, limit }
    return pagedAnswer(context, {
      ...paging,
      bytes: Math.max(8_000, limit * BYTES_A_RELEASE),
      entries: found
        .slice(0, offsetOf(paging) + limit + 1)
        .map((release) => entryOf(release, found.length === 1 || isExact(release) ? ALONE : EACH)),
      notes: undated(told, asked),
      nothing: nothingFits(told, asked),
      about,
    })
  },
})

async function readAll(library: Library, scope: Scope): Promise<ReleaseNote[]> {
  const read = async (kind: ReleaseNote['kind']) => {
    const pages = await library.pagesOf([kind], scope)
    return (await library.open(pages.slice(0, MOST_PAGES))).flatMap((page) => readReleases(page, kind))
  }
  const [releases, changelogs, migrations] = await Promise.all([read('release'), read('changelog'), read('migration')])
  const told = new Set(changelogs.map(({ page }) => page.url))
  // A changelog can also be titled as a guide.
  return [...releases, ...changelogs, ...migrations.filter(({ page }) => !told.has(page.url))]
}

/** Builds the filter. Throws a `ToolError` for an invalid version, range or date. */
function testOf({ version, range, since }: Asked): (release: ReleaseNote) => boolean {
  const isLatest = version !== undefined && LATEST.test(version)
  const wanted = version === undefined || isLatest ? null : parseVersion(version.replace(/^.*@/, ''))
  if (version !== undefined && !isLatest && wanted === null) {
    throw new ToolError('arguments', `"${oneLine(version, 60)}" is no version. Give one such as 2.1.0, v3 or latest.`)
  }
  const isWithin = range === undefined ? null : parseRange(range)
  if (range !== undefined && isWithin === null) {
    throw new ToolError('arguments', `"${oneLine(range, 80)}" is no range of versions. Give one such as >=2.0 <3.`)
  }
  if (since !== undefined && !isDay(since)) {
    throw new ToolError('arguments', `"${oneLine(since, 40)}" is no day. Give one such as 2026-01-31.`)
  }
  return (release) =>
    (wanted === null || (release.version !== null && isOfLine(release.version, wanted))) &&
    (isWithin === null || (release.version !== null && isWithin(release.version))) &&
    (since === undefined || (release.date !== null && release.date >= since))
}

const LATEST = /^(?:latest|newest|current|last)$/i

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
}

/**
 * The latest of each component: its highest release, or pre-release if there is none. If only version guides exist, the
 * guide to the highest version.
 */
function newestOnly(releases: Release[], version: string | undefined): Release[] {
  if (version === undefined || !LATEST.test(version)) return releases
  const hasVersion = (release: Release) => release.version !== null
  const isNumbered = (release: Release) => hasVersion(release) && release.kind !== 'migration'
  const hasNumbers = releases.some(isNumbered)
  const guides = hasNumbers ? [] : releases.filter(hasVersion)
  const told = guides.length > 0 ? guides : releases
  const components = Map.groupBy(told, ({ page, component }) => `${page.sourceId} ${component.toLowerCase()}`)
  return [...components.values()].flatMap((group) => {
    const numbered = group.filter(hasNumbers ? isNumbered : hasVersion)
    if (hasNumbers && numbered.length === 0) return []
    return numbered.find((release) => release.version?.pre === null) ?? numbered[0] ?? group[0] ?? []
  })
}

/**
 * Filters by query. Words that match page or component names select among those. The other words must occur in the
 * text.
 */
function aboutQuery(notes: readonly ReleaseNote[], query: string | undefined): readonly ReleaseNote[] {
  if (query === undefined) return notes
  const names = new Map<ReleaseNote['page'], Set<string>>()
  const nameOf = (each: ReleaseNote) => {
    const known = names.get(each.page)
    if (known) return known
    const words = stemsOf(`${each.page.title} ${each.page.url.replaceAll(/[/_.-]/g, ' ')} ${each.component}`)
    names.set(each.page, words)
    return words
  }
  const asked = [...stemsOf(query)]
  const naming = asked.filter((term) => notes.some((each) => nameOf(each).has(term)))
  const telling = asked.filter((term) => !naming.includes(term))
  const named = notes.filter((each) => naming.every((term) => nameOf(each).has(term)))
  const chosen = named.length > 0 ? named : notes
  if (telling.length === 0) return chosen
  // A stem is usually a prefix of its words. Prefix search is cheaper than stemming every changelog.
  return chosen.filter(({ heading, text }) => {
    const words = `${heading} ${text}`.toLowerCase()
    return telling.every((term) => words.includes(term))
  })
}

function entryOf(release: Release, limit: number): Entry<z.output<z.ZodObject<typeof result>>> {
  const { page, kind, component, version, date, heading, text, alsoAt } = release
  const breaks = isBreaking(release)
  const facts = [
    version === null ? '' : `Version ${version.text}`,
    date ?? '',
    kind === 'migration' ? 'migration guide' : '',
    breaks && kind !== 'migration' ? 'breaking changes' : '',
  ].filter(Boolean)
  const elsewhere =
    alsoAt.length > 0
      ? `Also at: ${alsoAt
          .slice(0, 3)
          .map((other) => other.url())
          .join(', ')}`
      : ''
  const shown = excerpt(text, limit)
  return {
    title: page.title,
    heading: heading === page.title ? '' : heading,
    url: release.url(),
    sourceId: page.sourceId,
    text: [facts.length > 0 ? oneLine(facts.join(', ')) : '', shown, elsewhere].filter(Boolean).join('\n\n'),
    data: {
      kind,
      component,
      version: version?.text ?? null,
      date,
      breaking: breaks,
      text: shown,
      alsoAt: alsoAt.slice(0, 3).map((other) => other.url()),
    },
  }
}

function undated(releases: readonly Release[], { since }: Asked): string[] {
  const count = since === undefined ? 0 : releases.filter(({ date }) => date === null).length
  return count === 0 ? [] : [`${count} releases say no date and are left out. Leave out "since" to see them.`]
}

function nothingFits(releases: readonly Release[], { query }: Asked): string {
  if (releases.length === 0)
    return `No changelog speaks of "${oneLine(query ?? '', 100)}". Leave out "query" to see all.`
  const versions = releases.flatMap(({ version }) => version ?? []).toSorted((a, b) => compareVersions(b, a))
  const names = [...new Set(versions.map(({ text }) => text))].slice(0, NAMED_VERSIONS)
  return names.length > 0
    ? `No release fits. The sources describe these versions: ${oneLine(names.join(', '), 300)}.`
    : 'No release fits. The changelogs here name days and no versions: give "since".'
}
