import type { SourceType } from '@docent/contract/sources'
import type { Db } from './db.ts'
import { prepared } from './prepared.ts'

/** A live server as the MCP endpoint and the search see it: one row and its sources, read at every request. */
export type ServedServer = {
  id: string
  accountId: string
  /** Name of its account's plan. */
  plan: string
  slug: string
  name: string
  description: string | null
  visibility: 'public' | 'private'
  /** Names of the tools it exposes, in order. */
  tools: string[]
  sources: ServedSource[]
}

export type ServedSource = {
  id: string
  url: string
  type: SourceType
  label: string | null
  crawlStatus: 'pending' | 'crawling' | 'complete' | 'error'
  pagesFound: number
  pagesIndexed: number
  /** Ids of the published segments; together they are the source's current version. Empty before the first publish. */
  segments: string[]
}

const serverAndSources = prepared(['', ''], (db, [id, slug]) =>
  db
    .selectFrom('servers')
    .innerJoin('accounts', 'accounts.id', 'servers.accountId')
    .leftJoin('sources', 'sources.serverId', 'servers.id')
    .select([
      'servers.id',
      'servers.accountId',
      'accounts.plan',
      'servers.slug',
      'servers.name',
      'servers.description',
      'servers.visibility',
      'servers.tools',
      'sources.id as sourceId',
      'sources.url as sourceUrl',
      'sources.type as sourceType',
      'sources.label as sourceLabel',
      'sources.crawlStatus',
      'sources.pagesFound',
      'sources.pagesIndexed',
      'sources.segments',
    ])
    .where((is) => is.or([is('servers.id', '=', id), is('servers.slug', '=', slug)]))
    .where('servers.deletedAt', 'is', null)
    .orderBy('sources.createdAt')
    .orderBy('sources.id'),
)

/** The live server with this id or slug. One query, compiled once: this runs at every MCP request. */
export async function findServedServer(db: Db, idOrSlug: string): Promise<ServedServer | undefined> {
  const rows = await serverAndSources(db, [idOrSlug, idOrSlug])
  const [first] = rows
  if (!first) return undefined
  return {
    id: first.id,
    accountId: first.accountId,
    plan: first.plan,
    slug: first.slug,
    name: first.name,
    description: first.description,
    visibility: first.visibility,
    tools: JSON.parse(first.tools) as string[],
    sources: rows.flatMap((row) => sourceOf(row) ?? []),
  }
}

type Row = Awaited<ReturnType<typeof serverAndSources>>[number]

function sourceOf(row: Row): ServedSource | undefined {
  const { sourceId, sourceUrl, sourceType, sourceLabel, crawlStatus, pagesFound, pagesIndexed, segments } = row
  if (!sourceId || !sourceUrl || !sourceType || !crawlStatus) return undefined
  return {
    id: sourceId,
    url: sourceUrl,
    type: sourceType,
    label: sourceLabel,
    crawlStatus,
    pagesFound: pagesFound ?? 0,
    pagesIndexed: pagesIndexed ?? 0,
    segments: JSON.parse(segments ?? '[]') as string[],
  }
}
