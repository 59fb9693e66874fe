import { type ReleaseFilters, versionsOf } from '#library/changelog/find-releases.ts'
import { z } from 'zod'
import { isBreaking, type Release } from '#library/changelog/order-releases.ts'
import { excerpt } from '#library/excerpt.ts'
import { oneLine } from '#mcp/passages/frame.ts'
import type { Entry } from './paged-answer.ts'

/** Members of a release in structured content. */
export const releaseResult = {
  kind: z.enum(['release', 'changelog', 'migration']),
  component: z.string().describe('What was released, where a source has several things; else empty'),
  version: z.string().nullable(),
  date: z.string().nullable().describe('As 2026-01-31'),
  breaking: z.boolean(),
  text: z.string(),
  alsoAt: z.array(z.string()),
}

/** A release as a result, with at most `limit` characters of its text. */
export function releaseEntry(release: Release, limit: number): Entry<z.output<z.ZodObject<typeof releaseResult>>> {
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

const NAMED_VERSIONS = 15

/** Notes on releases that a filter by day leaves out because they say no date. */
export function undated(releases: readonly Release[], { since }: ReleaseFilters): string[] {
  const count = since === undefined ? 0 : releases.filter(({ date }) => date === null).length
  return count === 0 ? [] : [`${count} releases say no date and are left out. Leave out "since" to see them.`]
}

/** Explains an empty answer, with the versions that the sources describe. */
export function nothingFits(releases: readonly Release[], { query }: ReleaseFilters): string {
  if (releases.length === 0)
    return `No changelog speaks of "${oneLine(query ?? '', 100)}". Leave out "query" to see all.`
  const names = versionsOf(releases).slice(0, NAMED_VERSIONS)
  return names.length > 0
    ? `No release fits. The sources describe these versions: ${oneLine(names.join(', '), 300)}.`
    : 'No release fits. The changelogs here name days and no versions: give "since".'
}
