import { zstdCompressSync } from 'node:zlib'
import type { ServerFileLine } from '@docent/contract/values/server-file'
import { BUILT_IN_NAMES, MAX_TOOLS, MIN_TOOLS } from '@docent/contract/values/tools'
import { isInjection } from '#answer/injections.ts'
import { planOf } from '#auth/plans.ts'
import { DocentError } from '#errors.ts'
import { enqueueStored } from '#jobs/enqueue-ingest.ts'
import { newId } from '#lib/ids.ts'
import { isUploadUrl } from '#lib/addresses/page-address.ts'
import type { Db } from '#store/db.ts'
import { cancelQueued, enqueue } from '#store/jobs/queue.ts'
import { insertImported } from '#store/pages/texts.ts'
import { countCustomTools, insertCustomTool } from '#store/servers/custom-tools.ts'
import { insertPin } from '#store/servers/pins.ts'
import { insertRule } from '#store/servers/retrieval-rules.ts'
import { IMPORTING, insertServer, lockAccount, markImported, purgeKey } from '#store/servers/servers.ts'
import { insertSourceRow, newSourceRow, updateSourceRow } from '#store/sources/sources.ts'
import { mintFirstToken } from '../account/keys.ts'
import type { CheckedCall, Handler } from '../operation.ts'
import { freeSlug, refuseOverLimit } from './create.ts'
import { configSnippet, endpointUrl } from './present.ts'
import { damaged, outlineOfPage, readServerFile, type FilePage } from './read-server-file.ts'

type Line<Kind extends ServerFileLine['kind']> = ServerFileLine & { kind: Kind }
type Head = {
  server: Line<'server'>
  tools: Line<'tool'>[]
  sources: Line<'source'>[]
  rules: Line<'rule'>[]
  pins: Line<'pin'>[]
}
type Importing = { serverId: string; slug: string; now: number; sourceIds: ReadonlyMap<string, string> }
/** Pages of a source by state. */
type Pages = { indexed: number; skipped: number }
type Asked = CheckedCall<'servers.import'>

/** Sources, rules and pins of a file. Servers have fewer. */
const MOST = { tools: MAX_TOOLS, sources: 1_000, rules: 10, pins: 200 }
/** An import that has not ended by then never will, because a request has a deadline. */
const ABANDONED_MS = 6 * 60 * 60 * 1000

/**
 * Makes a server from the lines of a file. It is filled as one that is already purged, which nobody sees, and becomes
 * live in the transaction that follows the last line. What a failed import leaves is purged.
 */
export const importServer: Handler<'servers.import'> = async (call, { visibility }) => {
  const { deps, body } = call
  const head: Partial<Head> & Omit<Head, 'server'> = { tools: [], sources: [], rules: [], pins: [] }
  let begun: Importing | null = null
  const pages = new Map<string, Pages>()
  const fill = createFiller(call, pages)
  try {
    for await (const line of readServerFile(body.chunks)) {
      if (line.kind === 'docent-server') continue
      if (line.kind === 'server') head.server = line
      else if (line.kind === 'page' || line.kind === 'end') {
        begun ??= await begin(call, checkedHead(head))
        if (line.kind === 'page') await fill(begun, line)
      } else add(head, line)
    }
    if (begun === null) throw damaged('it has no server')
    const answer = await finish(call, checkedHead(head), { begun, pages, visibility })
    deps.wakeWorker()
    return answer
  } catch (error) {
    if (begun) await abandon(deps.store.write, begun)
    throw error
  }
}

function add(head: Omit<Head, 'server'>, line: ServerFileLine): void {
  if (line.kind === 'tool') head.tools.push(line)
  else if (line.kind === 'source') head.sources.push(line)
  else if (line.kind === 'rule') head.rules.push(line)
  else if (line.kind === 'pin') head.pins.push(line)
  for (const kind of ['tools', 'sources', 'rules', 'pins'] as const)
    if (head[kind].length > MOST[kind]) throw damaged(`it has more than ${MOST[kind]} ${kind}`)
}

/** Refuses names that lead nowhere, and words of tools that models would obey. */
function checkedHead({ server, ...rest }: Partial<Head> & Omit<Head, 'server'>): Head {
  if (server === undefined) throw damaged('it has no server')
  const sources = new Set(rest.sources.map(({ id }) => id))
  const urls = new Set(rest.sources.map(({ url }) => url))
  if (sources.size < rest.sources.length || urls.size < rest.sources.length) throw damaged('it has a source twice')
  const named = [...rest.rules, ...rest.pins].flatMap(({ source }) => source ?? [])
  const effects = rest.rules
    .flatMap((rule) => rule.effects)
    .flatMap((effect) => ('sourceId' in effect ? (effect.sourceId ?? []) : []))
  if ([...named, ...effects].some((id) => !sources.has(id))) throw damaged('a rule or pin names no source of it')
  if (rest.sources.some(({ url }) => !isUploadUrl(url) && !/^https?:\/\//.test(url)))
    throw damaged('a source has no address')
  if (rest.tools.some(({ displayName, description }) => isInjection(displayName) || isInjection(description)))
    throw new DocentError('server_file_damaged', { text: 'A custom tool of the file contains orders to models.' })
  const names = new Set([...BUILT_IN_NAMES, ...rest.tools.map(({ id }) => `custom:${id}`)])
  const tools = [...new Set(server.tools)].filter((name) => names.has(name))
  if (tools.length < MIN_TOOLS) throw damaged(`it has fewer than ${MIN_TOOLS} tools`)
  return { server: { ...server, tools }, ...rest }
}

async function begin({ deps, actor }: Asked, { server, sources }: Head): Promise<Importing> {
  const now = deps.clock()
  const serverId = newId('srv')
  const sourceIds = new Map(sources.map(({ id }) => [id, newId('src')]))
  const { accountId } = actor
  const slug = await deps.store.transaction(async (tx) => {
    await lockAccount(tx, accountId)
    await refuseOverLimit(tx, { deps, actor }, sources.length)
    const free = await freeSlug(tx, server.name)
    const { name, description, refresh, structuredOutput, redaction, webPages } = server
    await insertServer(tx, {
      id: serverId,
      accountId,
      slug: free,
      name,
      description,
      visibility: 'private',
      tools: '[]',
      refresh,
      structuredOutput: Number(structuredOutput),
      redaction: JSON.stringify(redaction),
      webPages: webPages === 'listed' ? 'unlisted' : webPages,
      createdAt: now,
      updatedAt: now,
      deletedAt: now,
      purgeAt: IMPORTING,
    })
    for (const [position, source] of sources.entries()) {
      const { url, type, label, isPrivate, allowedTools, include = [], exclude = [], versions = [] } = source
      const id = sourceIds.get(source.id) ?? ''
      await insertSourceRow(tx, {
        ...newSourceRow({ id, serverId, url, type, label, createdAt: now + position }),
        run: 1,
        isPrivate: Number(isPrivate),
        allowedTools: JSON.stringify(allowedTools),
        includePatterns: JSON.stringify(include),
        excludePatterns: JSON.stringify(exclude),
        versions: JSON.stringify(versions),
        crawlStartedAt: now,
      })
    }
    await enqueue(tx, 'purge', { serverId }, { serverId, dedupeKey: purgeKey(serverId), runAt: now + ABANDONED_MS })
    return free
  })
  return { serverId, slug, now, sourceIds }
}

/** Writes a page in its own transaction, so that other requests go on. Counts the text against the plan. */
function createFiller({ deps, actor }: Asked, pages: Map<string, Pages>) {
  const limit = planOf(actor.plan).sourceBytesPerServer ?? Infinity
  let used = 0
  return async ({ sourceIds }: Importing, page: FilePage) => {
    const {
      source,
      url,
      title,
      hash,
      markdown,
      chunks,
      labels,
      readAt,
      changedAt: lastModified = null,
      copies = [],
    } = page
    const sourceId = sourceIds.get(source)
    if (sourceId === undefined) throw damaged(`the page ${url.slice(0, 200)} is of no source`)
    const size = Buffer.byteLength(markdown)
    used += size
    if (used > limit) throw new DocentError('payload_too_large')
    const text = { hash, markdown: zstdCompressSync(markdown), outline: outlineOfPage(page), size }
    const now = deps.clock()
    const updatedAt = Math.min(now, readAt === undefined ? now : Date.parse(readAt))
    const row = {
      url,
      title,
      anchorTexts: JSON.stringify(labels),
      chunks: chunks.length,
      text,
      updatedAt,
      lastModified,
      copies,
    }
    if (!(await deps.store.transaction((tx) => insertImported(tx, sourceId, row))))
      throw damaged(`the page ${url.slice(0, 200)} is there twice`)
    const { indexed, skipped } = pages.get(sourceId) ?? { indexed: 0, skipped: 0 }
    pages.set(sourceId, { indexed: indexed + 1, skipped: skipped + copies.length })
  }
}

type Filled = { begun: Importing; pages: ReadonlyMap<string, Pages>; visibility: 'public' | 'private' }

async function finish({ deps, actor }: Asked, head: Head, { begun, pages, visibility: wanted }: Filled) {
  const { serverId, slug, now, sourceIds } = begun
  const isPublic =
    wanted === 'public' && head.server.visibility === 'public' && head.sources.every(({ isPrivate }) => !isPrivate)
  const visibility = isPublic ? 'public' : 'private'
  return deps.store.transaction(async (tx) => {
    await lockAccount(tx, actor.accountId)
    await refuseOverLimit(tx, { deps, actor }, head.sources.length)
    await cancelQueued(tx, purgeKey(serverId))
    const tools = await insertTools(tx, { actor, head, now })
    if (!(await markImported(tx, serverId, { tools: JSON.stringify(tools), visibility })))
      throw damaged('it came too slowly')
    await insertRulesAndPins(tx, head, begun)
    for (const id of sourceIds.values()) {
      const { indexed, skipped } = pages.get(id) ?? { indexed: 0, skipped: 0 }
      await updateSourceRow(tx, id, { pagesFound: indexed + skipped, pagesIndexed: indexed, pagesSkipped: skipped })
      await enqueueStored(tx, { id, serverId })
    }
    const token = visibility === 'private' ? await mintFirstToken(tx, serverId, now) : null
    return {
      serverId,
      slug,
      url: endpointUrl(deps.baseUrl(), slug),
      configSnippet: configSnippet(deps.baseUrl(), { slug, visibility }),
      visibility,
      accessToken: token?.plaintext ?? null,
      sources: [...sourceIds].map(([from, id]) => ({ from, id })),
      pages: [...pages.values()].reduce((sum, { indexed }) => sum + indexed, 0),
    } as const
  })
}

/** Gives the account the custom tools that the server selects. Returns the selection with their new ids. */
async function insertTools(tx: Db, { actor, head, now }: { actor: Asked['actor']; head: Head; now: number }) {
  const wanted = head.tools.filter(({ id }) => head.server.tools.includes(`custom:${id}`))
  const limit = planOf(actor.plan).customTools
  if (wanted.length > 0 && (await countCustomTools(tx, actor.accountId)) + wanted.length > limit)
    throw new DocentError('custom_tool_limit', { fields: { limit } })
  const ids = new Map<string, string>()
  for (const { id, kind: _, plan, ...words } of wanted) {
    const made = newId('ct')
    ids.set(`custom:${id}`, `custom:${made}`)
    const row = { ...words, plan: JSON.stringify(plan), status: 'ready' as const, createdAt: now, updatedAt: now }
    await insertCustomTool(tx, { id: made, accountId: actor.accountId, ...row })
  }
  return head.server.tools.map((name) => ids.get(name) ?? name)
}

async function insertRulesAndPins(
  tx: Db,
  { rules, pins }: Head,
  { serverId, now, sourceIds }: Importing,
): Promise<void> {
  const idOf = (id: string | null) => (id === null ? null : (sourceIds.get(id) ?? null))
  for (const [position, { source, sentence, enabled, priority, effects }] of rules.entries()) {
    const mapped = effects.map((effect) =>
      'sourceId' in effect ? { ...effect, sourceId: idOf(effect.sourceId ?? null) } : effect,
    )
    const at = now + position
    const times = { createdAt: at, updatedAt: at }
    const about = { sourceId: idOf(source), naturalLanguage: sentence, enabled: Number(enabled), priority }
    await insertRule(tx, { id: newId('rule'), serverId, ...about, effects: JSON.stringify(mapped), ...times })
  }
  for (const [position, { source, effect, questions, url, title, heading }] of pins.entries()) {
    const about = { effect, questions: JSON.stringify(questions), url, title, heading, createdAt: now + position }
    await insertPin(tx, { id: newId('pin'), serverId, sourceId: idOf(source) ?? '', ...about })
  }
}

/** Purges what was written. The server has been invisible all the time. */
async function abandon(db: Db, { serverId }: Importing): Promise<void> {
  await cancelQueued(db, purgeKey(serverId))
  await enqueue(db, 'purge', { serverId }, { serverId, dedupeKey: purgeKey(serverId) })
}
