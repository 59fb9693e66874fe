import type { Db } from '#store/db.ts'
import type { ServedSource } from '#store/servers/served.ts'
import { type ClaimedBuild, sourcesForBuild } from '#store/servers/custom-tools.ts'

/** Sources read for one build, as many as a request can name. */
const MOST_SOURCES = 8

export type FoundSources = {
  sources: ServedSource[]
  /** Addresses of the request that are not indexed. */
  missing: string[]
}

/**
 * Finds the indexed content for a build among the servers that its key may see. A source that the request names is
 * found by its address. Without names, the sources indexed last are used.
 */
export async function findSources(
  db: Db,
  build: ClaimedBuild,
  named: readonly { url: string }[],
): Promise<FoundSources> {
  const scope = build.serverIds === null ? null : (JSON.parse(build.serverIds) as string[])
  const rows = await sourcesForBuild(db, build.accountId, scope)
  const indexed = rows
    .map((row): ServedSource => ({ ...row, segments: JSON.parse(row.segments) as string[] }))
    .filter(({ segments }) => segments.length > 0)
  const byAddress = new Map(indexed.toReversed().map((source) => [plain(source.url), source]))
  const chosen =
    named.length === 0
      ? [...byAddress.values()].toReversed()
      : named.flatMap(({ url }) => byAddress.get(plain(url)) ?? [])
  return {
    sources: [...new Set(chosen)].slice(0, MOST_SOURCES),
    missing: named.map(({ url }) => url).filter((url) => !byAddress.has(plain(url))),
  }
}

/** An address without the parts that people leave out. */
function plain(url: string): string {
  const text = url
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')
  return text.endsWith('/') ? text.slice(0, -1) : text
}
