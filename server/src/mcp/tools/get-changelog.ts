import { z } from 'zod'
import { findReleases, isBreaking } from '#documents/changelog/find-releases.ts'
import { isExactly, type Release, versionsOf } from '#documents/changelog/order-releases.ts'
import type { ReleaseHead } from '#documents/changelog/read-releases.ts'
import type { ReleaseFilters } from '#documents/changelog/release-filters.ts'
import { excerpt } from '#documents/excerpt.ts'
import { oneLine, paragraphs } from '../passages/format-citation.ts'
import { missingOutput, missingSource, sourceScope } from '../arguments/named-source.ts'
import { offsetOf, pagedAnswer, pagedOutput, placeIn, type EntryOf } from '../results/paged-answer.ts'
import { cursorArgument, optionalTextArgument, sourceArgument } from '../arguments/shared-arguments.ts'
import { defineReader } from '../definition/tool.ts'
import { ToolError } from '../definition/tool-result.ts'

/** Characters shown of one release in a list, and of one requested by version. */
const EACH = 1_500
const ALONE = 6_000
const BYTES_A_RELEASE = 1_800

const input = z.object({
  version: optionalTextArgument(60, 'One version or line, such as 2.1.0, v3 or latest'),
  range: optionalTextArgument(200, 'Versions in this range, such as >=2.0 <3, ^1.4 or 1.2 - 1.5'),
  since: optionalTextArgument(10, 'Only what is not older than this day, as 2026-01-31'),
  query: optionalTextArgument(1_000, 'Only of this package or product, or only what speaks of this'),
  source: sourceArgument,
  limit: z.int().min(1).max(20).default(5).describe('How many releases'),
  cursor: cursorArgument,
})

const asked = { version: z.string().nullable(), range: z.string().nullable(), since: z.string().nullable() }

/** Members of a release in structured content. */
const releaseResult = {
  kind: z.enum(['release', 'changelog', 'migration']),
  component: z.string().describe('What was released, where a source has several things; else empty'),
  version: z.string().nullable(),
  date: z.string().nullable().describe('As 2026-01-31'),
  breaking: z.boolean(),
  text: z.string(),
  alsoAt: z.array(z.string()),
  documentation: z.string().optional().describe('Where the pages of this version begin, if the sources have them'),
}

export const getChangelog = defineReader('get_changelog', {
  input,
  output: pagedOutput({ ...asked, missing: missingOutput }, releaseResult),
  async call(context, { cursor, limit, ...asked }) {
    const scope = sourceScope(context.server, asked.source)
    const paging = { tool: 'get_changelog', asked, cursor, limit }
    const upTo = offsetOf(paging) + limit + 1
    const releases = await findReleases(context.library, asked, scope)
    if (typeof releases === 'string') throw new ToolError('arguments', INVALID[releases](asked[releases] ?? ''))
    const about = { version: asked.version ?? null, range: asked.range ?? null, since: asked.since ?? null }
    const { told, found, isEmpty } = releases
    if (isEmpty) {
      return missingSource(context, 'get_changelog', {
        what: 'changelog, release notes or migration guide',
        add: "Add the project's repository (type repo; its changelogs are read, and releases at GitHub), or the site on which its releases are described.",
        about,
      })
    }
    const charactersOf = (release: Release) => (found.length === 1 || isExactly(release, asked.version) ? ALONE : EACH)
    return pagedAnswer(context, paging, {
      bytes: Math.max(8_000, limit * BYTES_A_RELEASE),
      entries: await Promise.all(
        found.slice(0, upTo).map(async (release) => {
          const { version } = release
          const documentation = version === null ? null : await context.library.startOf(version.text, scope)
          return releaseEntry(release, { limit: charactersOf(release), documentation })
        }),
      ),
      notes: undated(told, asked),
      nothing: nothingFits(told, asked),
      about,
    })
  },
})

/** Corrections of filters that cannot be read. */
const INVALID = {
  version: (text: string) => `"${oneLine(text, 60)}" is no version. Give one such as 2.1.0, v3 or latest.`,
  range: (text: string) => `"${oneLine(text, 80)}" is no range of versions. Give one such as >=2.0 <3.`,
  since: (text: string) => `"${oneLine(text, 40)}" is no day. Give one such as 2026-01-31.`,
}

type Shown = { limit: number; documentation: string | null }

/** A release as a result, with at most `limit` characters of its text, and the address of its documentation. */
function releaseEntry(release: Release, { limit, documentation }: Shown): EntryOf<typeof releaseResult> {
  const { page, kind, component, version, date, heading, text, url, alsoAt } = release
  const breaks = isBreaking(release)
  const facts = [
    version === null ? '' : `Version ${version.text}`,
    date ?? '',
    kind === 'migration' ? 'migration guide' : '',
    breaks && kind !== 'migration' ? 'breaking changes' : '',
  ].filter(Boolean)
  const others = alsoAt.slice(0, 3).map((other) => other.url)
  const elsewhere = others.length > 0 ? `Also at: ${others.join(', ')}` : ''
  const pages = documentation === null ? '' : `Documentation of this version: ${documentation}`
  const shown = excerpt(text, limit)
  return {
    ...placeIn(page, heading === page.title ? '' : heading, url),
    text: paragraphs(oneLine(facts.join(', ')), shown, elsewhere, pages),
    data: {
      kind,
      component,
      version: version?.text ?? null,
      date,
      breaking: breaks,
      text: shown,
      alsoAt: others,
      ...(documentation === null ? {} : { documentation }),
    },
  }
}

const NAMED_VERSIONS = 15

/** Notes on releases that a filter by day leaves out because they say no date. */
function undated(releases: readonly ReleaseHead[], { since }: ReleaseFilters): string[] {
  const count = since === undefined ? 0 : releases.filter(({ date }) => date === null).length
  return count === 0 ? [] : [`${count} releases say no date and are left out. Leave out "since" to see them.`]
}

/** Explains an empty answer, with the versions that the sources describe. */
function nothingFits(releases: readonly ReleaseHead[], { query }: ReleaseFilters): string {
  if (releases.length === 0)
    return `No changelog speaks of "${oneLine(query ?? '', 100)}". Leave out "query" to see all.`
  const names = versionsOf(releases).slice(0, NAMED_VERSIONS)
  return names.length > 0
    ? `No release fits. The sources describe these versions: ${oneLine(names.join(', '), 300)}.`
    : 'No release fits. The changelogs here name days and no versions: give "since".'
}
