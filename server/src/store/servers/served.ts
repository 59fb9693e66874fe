import { type CallerLimits, CallerLimitsSchema } from '@docent/contract/values/caller-limits'
import { type CustomToolPlan, CustomToolPlanSchema } from '@docent/contract/values/custom-tool-plan'
import type { RuleEffect } from '@docent/contract/values/rule-effects'
import { type Redaction, NO_REDACTION, RedactionSchema } from '@docent/contract/values/redaction'
import { MAX_TOOLS } from '@docent/contract/values/tools'
import { type Selectable, sql } from 'kysely'
import type { Db, Store } from '#store/db.ts'
import { LAST_KNOWN_MS, StoreUnavailableError } from '#store/engine/outages.ts'
import { rememberRecent } from '#lib/objects.ts'
import { shareReads } from '#lib/share-reads.ts'
import { prepared } from '#store/engine/prepared.ts'
import type { Schema } from '#store/schema.ts'
import { listPinRows, type PinRow } from './pins.ts'
import type { ServerRow } from './servers.ts'

/** A live server for the MCP endpoint and search: one row and its sources, read on every request. */
export type ServedServer = Pick<ServerRow, 'id' | 'accountId' | 'slug' | 'name' | 'description' | 'visibility'> & {
  /** Name of its account's plan. */
  plan: string
  /** What its account limits for callers without a credential. Absent: nothing. */
  callerLimits?: CallerLimits
  /** Names of the exposed tools, in order. */
  tools: string[]
  /** Adds structured content to the results of its tools. */
  structuredOutput: boolean
  sources: ServedSource[]
  /** Enabled retrieval rules, in the order in which they run, without those about removed sources. Absent: none. */
  rules?: ServedRule[]
  /** Pins, oldest first. The same list until a pin changes. Absent: none. */
  pins?: readonly ServedPin[]
  /** What is removed from the texts of its calls before they are stored. Absent: nothing. */
  redaction?: Redaction
  /** Who may find its pages over HTTP. Absent: there are none. */
  webPages?: 'unlisted' | 'listed'
  /** Address below which its pages are, for tools. Absent: citations name the sources only. */
  pagesAddress?: string
  /** The ready custom tools among `tools`, there named `custom:<id>`. Absent: none. */
  customTools?: readonly { selected: string; plan: CustomToolPlan }[]
}

/** A retrieval rule as the server's row keeps it. `sourceId` is the source that it is about, or null. */
export type ServedRule = { id: string; sourceId: string | null; effects: RuleEffect[] }

/** A section that is shown first for some questions, or never. `url` and `heading` name it in its source. */
export type ServedPin = Pick<PinRow, 'id' | 'sourceId' | 'effect' | 'url' | 'heading'> & { questions: string[] }

type SourceColumn = 'id' | 'url' | 'type' | 'label' | 'crawlStatus' | 'pagesFound' | 'pagesIndexed'
export type ServedSource = Pick<Selectable<Schema['sources']>, SourceColumn> & {
  /** Ids of the published segments, which form the source's current version. Empty before the first publication. */
  segments: string[]
  /** Remote tools that the owner allows although they are not declared read-only. Absent: none. */
  allowedTools?: readonly string[]
}

const serverAndSources = prepared(
  ['', ''],
  (db, [id, slug]) =>
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
      ])
      .select([
        'accounts.callerLimits',
        'servers.visibility',
        'servers.tools',
        'servers.structuredOutput',
        'servers.redaction',
        'servers.pins',
        'servers.webPages',
      ])
      .select([
        // Only in the first row: a server can have many sources.
        sql<string>`case when row_number() over (order by sources.created_at, sources.id) = 1 then servers.rules else '[]' end`.as(
          'rules',
        ),
      ])
      .select(['sources.id as sourceId', 'sources.url as sourceUrl', 'sources.type as sourceType'])
      .select(['sources.label as sourceLabel', 'sources.segments', 'sources.allowedTools'])
      .select(['sources.crawlStatus', 'sources.pagesFound', 'sources.pagesIndexed'])
      .where((is) => is.or([is('servers.id', '=', id), is('servers.slug', '=', slug)]))
      .where('servers.deletedAt', 'is', null)
      .where('accounts.disabledAt', 'is', null)
      .orderBy('sources.createdAt')
      .orderBy('sources.id'),
  true,
)

const NO_IDS: readonly string[] = Array(MAX_TOOLS).fill('')
const customToolPlans = prepared(['', ...NO_IDS], (db, [accountId, ...ids]) =>
  db
    .selectFrom('customTools')
    .select(['id', 'plan', 'status'])
    .where('accountId', '=', accountId)
    .where('id', 'in', ids),
)

const CUSTOM = 'custom:'

type Rows = {
  rows: Awaited<ReturnType<typeof serverAndSources>>
  plans: Awaited<ReturnType<typeof customToolPlans>>
}

/** One compiled query, because it runs on every MCP request, and a second one for servers with custom tools. */
async function readRows(db: Db, idOrSlug: string): Promise<Rows> {
  const rows = await serverAndSources(db, [idOrSlug, idOrSlug])
  const [first] = rows
  const named = first?.tools.includes(`"${CUSTOM}`) ? (JSON.parse(first.tools) as string[]) : []
  const ids = named.filter((name) => name.startsWith(CUSTOM)).map((name) => name.slice(CUSTOM.length))
  if (first === undefined || ids.length === 0) return { rows, plans: [] }
  const padded = [...ids, ...NO_IDS].slice(0, MAX_TOOLS)
  return { rows, plans: await customToolPlans(db, [first.accountId, ...padded]) }
}

async function readPins(db: Db, { rows: [first] }: Rows): Promise<readonly ServedPin[]> {
  if (first === undefined || first.pins === 0) return []
  const pins = await listPinRows(db, first.id)
  return pins.map(({ id, sourceId, effect, url, heading, questions }) => {
    return { id, sourceId, effect, url, heading, questions: JSON.parse(questions) as string[] }
  })
}

/** Finds the live server with this id or slug. */
export async function findServedServer(db: Db, idOrSlug: string): Promise<ServedServer | undefined> {
  const rows = await readRows(db, idOrSlug)
  return serverOf(rows, await readPins(db, rows))
}

function serverOf({ rows, plans }: Rows, pins: readonly ServedPin[]): ServedServer | undefined {
  const [first] = rows
  if (!first) return undefined
  const sources = rows.flatMap((row) => sourceOf(row) ?? [])
  const rules = rulesOf(first.rules, sources)
  const customTools = plans.flatMap(({ id, plan, status }) => {
    if (status !== 'ready') return []
    const parsed = CustomToolPlanSchema.safeParse(JSON.parse(plan ?? 'null'))
    return parsed.success ? [{ selected: `${CUSTOM}${id}`, plan: parsed.data }] : []
  })
  const { id, accountId, plan, callerLimits, slug, name, description, visibility } = first
  const server = { id, accountId, plan, slug, name, description, visibility }
  return {
    ...server,
    tools: JSON.parse(first.tools) as string[],
    structuredOutput: first.structuredOutput === 1,
    sources,
    ...(rules.length > 0 ? { rules } : {}),
    ...(pins.length > 0 ? { pins } : {}),
    ...(callerLimits === null ? {} : { callerLimits: CallerLimitsSchema.parse(JSON.parse(callerLimits)) }),
    ...(first.redaction === '[]' ? {} : { redaction: readRedaction(first.redaction) }),
    ...(first.webPages === 'off' ? {} : { webPages: first.webPages }),
    ...(customTools.length > 0 ? { customTools } : {}),
  }
}

/** Leaves out effects on sources that have been removed: `only_source` would otherwise leave nothing to search. */
function rulesOf(json: string, sources: readonly ServedSource[]): ServedRule[] {
  if (json === '[]') return []
  const ids = new Set(sources.map(({ id }) => id))
  const isThere = (sourceId: string | null | undefined) =>
    sourceId === null || sourceId === undefined || ids.has(sourceId)
  return (JSON.parse(json) as ServedRule[]).flatMap(({ effects, ...rule }) => {
    const left = effects.filter((effect) => isThere('sourceId' in effect ? effect.sourceId : null))
    return left.length > 0 && isThere(rule.sourceId) ? [{ ...rule, effects: left }] : []
  })
}

/** Cached rows, about 2 kB each. */
const KEPT = 2_000

type Kept = { server: ServedServer; changes: number | null; rows: string; at: number; pins: PinVersion }

/** Pins with the number of changes before them. They are read after it, so they are not older. */
type PinVersion = { version: number | undefined; list: readonly ServedPin[] }

/** Finds live servers, with a cache of rows that shows any change to the next request, and outlasts outages. */
export function createServedServers(
  store: Pick<Store, 'read' | 'servedChanges'>,
  now: () => number = performance.now.bind(performance),
): (idOrSlug: string) => Promise<ServedServer | undefined> {
  const kept = new Map<string, Kept>()
  const read = shareReads(async (idOrSlug: string) => {
    const changes = store.servedChanges()
    const rows = await readRows(store.read, idOrSlug)
    const text = JSON.stringify(rows)
    const known = kept.get(idOrSlug)
    if (known?.rows === text) {
      known.changes = changes
      known.at = now()
      return known.server
    }
    const version = rows.rows[0]?.pins
    const isSame = known !== undefined && known.pins.version === version
    const pins = isSame ? known.pins : { version, list: await readPins(store.read, rows) }
    const server = serverOf(rows, pins.list)
    if (server) rememberRecent(kept, idOrSlug, { server, changes, rows: text, at: now(), pins }, KEPT)
    else kept.delete(idOrSlug)
    return server
  })
  return async (idOrSlug) => {
    const known = kept.get(idOrSlug)
    try {
      const changes = store.servedChanges()
      if (!known || changes === null || known.changes !== changes) return await read(idOrSlug)
      known.at = now()
      return known.server
    } catch (error) {
      if (!(error instanceof StoreUnavailableError) || !known || now() - known.at > LAST_KNOWN_MS) throw error
      return known.server
    }
  }
}

type Row = Awaited<ReturnType<typeof serverAndSources>>[number]

function sourceOf({ sourceId, sourceUrl, sourceType, crawlStatus, ...row }: Row): ServedSource | undefined {
  if (!sourceId || !sourceUrl || !sourceType || !crawlStatus) return undefined
  return {
    id: sourceId,
    url: sourceUrl,
    type: sourceType,
    label: row.sourceLabel,
    crawlStatus,
    pagesFound: row.pagesFound ?? 0,
    pagesIndexed: row.pagesIndexed ?? 0,
    segments: JSON.parse(row.segments ?? '[]') as string[],
    allowedTools: JSON.parse(row.allowedTools ?? '[]') as string[],
  }
}

/** Reads the redaction of a server's row. A row of an earlier version has none. */
export function readRedaction(stored: string): Redaction {
  const value: unknown = JSON.parse(stored)
  return Array.isArray(value) ? NO_REDACTION : RedactionSchema.parse(value)
}

export type CatalogueServer = Pick<ServerRow, 'slug' | 'name' | 'description' | 'visibility'>

/** Servers that a catalogue names: more would not be read. */
const MOST_LISTED = 1_000

/** Public servers whose owner lists them, in the order of their slugs. */
export const listListed = (db: Db): Promise<CatalogueServer[]> =>
  db
    .selectFrom('servers')
    .innerJoin('accounts', 'accounts.id', 'servers.accountId')
    .select(['slug', 'servers.name', 'description', 'visibility'])
    .where('webPages', '=', 'listed')
    .where('visibility', '=', 'public')
    .where('servers.deletedAt', 'is', null)
    .where('accounts.disabledAt', 'is', null)
    .orderBy('slug')
    .limit(MOST_LISTED)
    .execute()
