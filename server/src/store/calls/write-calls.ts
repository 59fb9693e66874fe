import { type Selectable, sql } from 'kysely'
import type { Db } from '#store/db.ts'
import { insertMany, presentIds } from '#store/engine/prepared.ts'
import { laterOf, sumsOf } from '#store/rows.ts'
import type { Schema } from '#store/schema.ts'
import { elementAt } from '#lib/arrays.ts'
import { type CountCalls, createCallCounter } from './count-calls.ts'

export type LoggedCitation = { sourceId: string; url: string; title: string; rank: number; score: number }

/** A row of the request log with the citations in it. `isUnknown`: the server has no tool of this name. */
export type LoggedRow = Omit<Selectable<Schema['calls']>, 'seq'> & {
  cited: readonly LoggedCitation[]
  isUnknown?: true
}

const WHO = ['serverId', 'clientName', 'clientVersion', 'configurationId', 'endUserId'] as const
const ASKED = ['id', 'at', 'day', 'tool', 'arguments', 'query'] as const
const ANSWERED = ['outcome', 'durationMs', 'error', 'confidence', 'segments', 'citations'] as const
const insertCalls = insertMany('calls', [...WHO, ...ASKED, ...ANSWERED])

const addSourceUses = insertMany('sourceUses', ['sourceId', 'calls', 'citations', 'lastCitedAt'], (insert) =>
  insert.onConflict((conflict) =>
    conflict.column('sourceId').doUpdateSet({
      ...sumsOf('sourceUses', 'calls', 'citations'),
      lastCitedAt: laterOf('sourceUses', 'lastCitedAt'),
    }),
  ),
)
const presentServers = presentIds('servers')
/** Locked until the transaction ends, so that the deletion of a source finds all of its citations. */
const presentSources = presentIds('sources', 'locked')
const presentCalls = presentIds('calls')

/** Writes calls of existing servers to the log and counts them, in a fixed order, so that nodes do not deadlock. */
export async function writeCalls(tx: Db, given: readonly LoggedRow[], countCalls: CountCalls = createCallCounter()) {
  const servers = await presentServers(tx, new Set(given.map(({ serverId }) => serverId)))
  const cited = given.flatMap((call) => call.cited.map(({ sourceId }) => sourceId))
  const sources = await presentSources(tx, new Set(cited))
  const rows = given.filter(({ serverId }) => servers.has(serverId)).map((row) => citingOnly(sources, row))
  await insertCalls(tx, rows)
  await countCalls(tx, rows)
  await addSourceUses(tx, countSources(rows))
}

function citingOnly(sources: ReadonlySet<string>, row: LoggedRow): LoggedRow {
  if (row.cited.every(({ sourceId }) => sources.has(sourceId))) return row
  const cited = row.cited.filter(({ sourceId }) => sources.has(sourceId))
  return { ...row, cited, citations: writeCitations(cited) }
}

/** True if any of these calls is in the request log. If they were written in one transaction, then all are. */
export async function areWritten(tx: Db, calls: readonly { id: string }[]): Promise<boolean> {
  return (await presentCalls(tx, new Set(calls.map(({ id }) => id)))).size > 0
}

type Uses = Schema['sourceUses']

function countSources(rows: readonly LoggedRow[]): Uses[] {
  const uses = new Map<string, Uses>()
  for (const { at, cited } of rows) {
    const counted = new Set<string>()
    for (const { sourceId } of cited) {
      const count = uses.get(sourceId) ?? { sourceId, calls: 0, citations: 0, lastCitedAt: 0 }
      count.citations += 1
      if (!counted.has(sourceId)) count.calls += 1
      count.lastCitedAt = Math.max(count.lastCitedAt, at)
      counted.add(sourceId)
      uses.set(sourceId, count)
    }
  }
  return [...uses.values()].toSorted((a, b) => (a.sourceId < b.sourceId ? -1 : 1))
}

/**
 * In JSON: the folder that all addresses share, the ids of the sources, and then for each citation five values: place of
 * the source in that list, rest of the address, title, rank and score. A flat array is written twice as fast.
 */
type Short = [folder: string, sourceIds: string[], ...values: (string | number)[]]
const VALUES = 5
type Values = [source: number, end: string, title: string, rank: number, score: number]

/** Calls of earlier versions repeat the source and the whole address. */
type Long = [sourceId: string, url: string, title: string, rank: number, score: number]

/** The citations of a call as stored in its row. Null for none. What citations share is most of a row's length. */
export function writeCitations(citations: readonly LoggedCitation[]): string | null {
  if (citations.length === 0) return null
  const folder = sharedFolder(citations)
  const sourceIds: string[] = []
  const stored: Short = [folder, sourceIds]
  for (const { sourceId, url, title, rank, score } of citations) {
    const known = sourceIds.indexOf(sourceId)
    stored.push(known >= 0 ? known : sourceIds.push(sourceId) - 1, url.slice(folder.length), title, rank, score)
  }
  return JSON.stringify(stored)
}

/** The citations of a stored call, in the order of the answer. */
export function readCitations(stored: string | null): LoggedCitation[] {
  if (stored === null) return []
  const read = JSON.parse(stored) as Short | Long[]
  if (!isShort(read)) return read.map(([sourceId, url, title, rank, score]) => ({ sourceId, url, title, rank, score }))
  const [folder, sourceIds, ...values] = read
  return Array.from({ length: values.length / VALUES }, (_, n) => {
    const [source, end, title, rank, score] = values.slice(n * VALUES, (n + 1) * VALUES) as Values
    return { sourceId: elementAt(sourceIds, source), url: folder + end, title, rank, score }
  })
}

const isShort = (read: Short | Long[]): read is Short => typeof read[0] === 'string'

/** The beginning of all addresses, up to a slash. `startsWith` would take three times as long for parts of texts. */
function sharedFolder(citations: readonly LoggedCitation[]): string {
  let folder = folderOf(elementAt(citations, 0).url)
  for (const { url } of citations) {
    while (url.slice(0, folder.length) !== folder) folder = folderOf(folder.slice(0, -1))
  }
  return folder
}

const folderOf = (url: string): string => url.slice(0, url.lastIndexOf('/') + 1)

/** Place of a call in a server's request log, which is ordered by time. */
export type LogPlace = { at: number; seq: number }

/** The next calls of a server after a place, oldest first, with their citations. */
export function citingCallsAfter(db: Db, serverId: string, { at, seq }: LogPlace, limit: number) {
  // The first condition is a range of the index. The second alone would not be one.
  const isAfter = sql<boolean>`at >= ${at} and (at > ${at} or seq > ${seq})`
  const calls = db.selectFrom('calls').select(['seq', 'at', 'day', 'citations']).where('serverId', '=', serverId)
  return calls.where(isAfter).orderBy('at').orderBy('seq').limit(limit).execute()
}
