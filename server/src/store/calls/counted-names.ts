import type { Db } from '#store/db.ts'
import { prepared } from '#store/engine/prepared.ts'

/**
 * Distinct tool names counted per server, and clients (name and version) per server and day. Beyond that, unknown tools
 * and further clients are counted together as {@link OTHER}: counts are permanent, and callers can invent names.
 */
const MAX_TOOLS = 40
const MAX_CLIENTS = 200
/** Not a valid tool name: those are lower-case words. */
const OTHER = '(other)'

/** Servers whose names are kept in memory, at most 30 kB each. More than a batch of calls can have. */
const KEPT_SERVERS = 1_000

const HOURS_PER_DAY = 24

/** The fields that decide under which names a call is counted. `isUnknown`: the server has no tool of this name. */
type Named = {
  serverId: string
  day: number
  tool: string
  clientName: string | null
  clientVersion: string | null
  isUnknown?: true
}
export type CountedName = { tool: string; clientName: string; clientVersion: string }

/** `tools` has all counted names only after the first call of an unknown tool. */
type Names = { day: number; clients: Set<string>; tools: Set<string>; hasAllTools: boolean }

/** Finds the names under which a call is counted. */
export type NameCall = (call: Named) => CountedName

/**
 * Keeps the counted names of recently called servers in memory. Reads those of other servers of a batch of calls, and
 * returns a function for these calls. On PostgreSQL, the limit of clients applies to each node, so that no call waits
 * for another.
 */
export function createCountedNames(): (tx: Db, calls: readonly Named[]) => Promise<NameCall> {
  const known = new Map<string, Names>()
  return async (tx, calls) => {
    for (const { serverId, day, isUnknown } of calls) {
      let names = known.get(serverId)
      if (names?.day !== day) {
        names = { day, clients: await countedClients(tx, serverId, day), tools: new Set(), hasAllTools: false }
        remember(known, serverId, names)
      }
      if (isUnknown && !names.hasAllTools) {
        for (const name of await countedTools(tx, serverId)) names.tools.add(name)
        names.hasAllTools = true
      }
    }
    return (call) => nameWithin(known.get(call.serverId), call)
  }
}

function remember(known: Map<string, Names>, serverId: string, names: Names): void {
  known.delete(serverId)
  known.set(serverId, names)
  for (const oldest of known.keys()) {
    if (known.size <= KEPT_SERVERS) break
    known.delete(oldest)
  }
}

function nameWithin(names: Names | undefined, { serverId, tool, clientName, clientVersion, isUnknown }: Named) {
  if (!names) throw new Error(`The names of ${serverId} were not read.`)
  const client = countedClient(names, clientName ?? '', clientVersion ?? '')
  if (isUnknown) return { tool: withinLimit(names.tools, tool, MAX_TOOLS) ? tool : OTHER, ...client }
  names.tools.add(tool)
  return { tool, ...client }
}

function countedClient({ clients }: Names, clientName: string, clientVersion: string) {
  const isCounted = withinLimit(clients, clientKey(clientName, clientVersion), MAX_CLIENTS)
  return isCounted ? { clientName, clientVersion } : { clientName: OTHER, clientVersion: '' }
}

/** Names have no control characters. */
const clientKey = (name: string, version: string): string => `${name}\n${version}`

/** Adds the name if there is room. Returns false if it is neither present nor added. */
function withinLimit(names: Set<string>, name: string, most: number): boolean {
  if (names.has(name)) return true
  if (names.size >= most) return false
  names.add(name)
  return true
}

const clientsSince = prepared(['', 0], (db, [serverId, hour]) =>
  db
    .selectFrom('callHours')
    .select(['clientName', 'clientVersion'])
    .distinct()
    .where('serverId', '=', serverId)
    .where('hour', '>=', hour),
)

async function countedClients(tx: Db, serverId: string, day: number): Promise<Set<string>> {
  const rows = await clientsSince(tx, [serverId, day * HOURS_PER_DAY])
  return new Set(rows.map(({ clientName, clientVersion }) => clientKey(clientName, clientVersion)))
}

async function countedTools(tx: Db, serverId: string): Promise<string[]> {
  const hours = tx.selectFrom('callHours').select('tool').where('serverId', '=', serverId)
  const days = tx
    .selectFrom('callGroups')
    .select('name as tool')
    .where('serverId', '=', serverId)
    .where('dimension', '=', 'tool')
  return (await hours.union(days).execute()).map(({ tool }) => tool)
}
