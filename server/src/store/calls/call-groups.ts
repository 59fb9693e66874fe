import { compactSketch } from '#lib/duration-sketch.ts'
import type { Db } from '#store/db.ts'
import { insertMany } from '#store/engine/insert-many.ts'
import type { Schema } from '#store/schema.ts'
import { added } from './count-calls.ts'

type Day = Schema['callDays']
type Group = Schema['callGroups']

const KEY = ['serverId', 'dimension', 'day', 'name', 'version', 'status'] as const

const insertGroups = insertMany('callGroups', [...KEY, 'calls', 'durationMs', 'durations', 'lastAt'], (insert) =>
  insert.onConflict((conflict) => conflict.columns([...KEY]).doUpdateSet(added('call_groups'))),
)

/** Adds counts of days to the sums of all dimensions. In a fixed order, so that concurrent nodes do not deadlock. */
export async function addGroups(tx: Db, days: readonly Day[]): Promise<void> {
  const groups = new Map<string, Group[]>()
  for (const group of days.flatMap(groupsOf)) {
    const key = KEY.map((column) => group[column]).join('\n')
    const same = groups.get(key)
    if (same) same.push(group)
    else groups.set(key, [group])
  }
  const sorted = [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1))
  await insertGroups(
    tx,
    sorted.map(([, same]) => sumOf(same)),
  )
}

/** The groups that a count belongs to. Calls by MCP clients have no configuration. */
function groupsOf(count: Day): Group[] {
  const { serverId, day, status, calls, durationMs, durations, lastAt } = count
  const group = (dimension: Group['dimension'], name: string, version = ''): Group => ({
    serverId,
    dimension,
    day,
    name,
    version,
    status,
    calls,
    durationMs,
    durations,
    lastAt,
  })
  return [
    group('all', ''),
    group('tool', count.tool),
    group('client', count.clientName, count.clientVersion),
    ...(count.configurationId === '' ? [] : [group('configuration', count.configurationId)]),
  ]
}

function sumOf(groups: readonly Group[]): Group {
  return groups.reduce((sum, { calls, durationMs, durations, lastAt }, at) => ({
    ...sum,
    calls: sum.calls + calls,
    durationMs: sum.durationMs + durationMs,
    durations: at === groups.length - 1 ? compactSketch(sum.durations + durations) : sum.durations + durations,
    lastAt: Math.max(sum.lastAt, lastAt),
  }))
}
