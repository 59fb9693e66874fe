import { createHash } from 'node:crypto'
import { zstdDecompressSync } from 'node:zlib'
import { CustomToolPlanSchema } from '@docent/contract/values/custom-tool-plan'
import { MOST_COPIES, SERVER_FILE, ServerFileLine } from '@docent/contract/values/server-file'
import { DocentError } from '#errors.ts'
import { isoTime } from '#lib/clock.ts'
import { openSegment } from '#search/segment/open-segment.ts'
import { MAX_PAGES } from '#search/vectors/make-vectors.ts'
import { decodeOutline, linksOf, withBlocks } from '#search/outline.ts'
import type { Store } from '#store/db.ts'
import { changedAt, listDuplicates } from '#store/pages/pages.ts'
import { pageTexts } from '#store/pages/packed-texts.ts'
import { readSegment } from '#store/pages/segments.ts'
import { listIndexedIds } from '#store/pages/texts.ts'
import { listCustomToolRows } from '#store/servers/custom-tools.ts'
import { listPinRows } from '#store/servers/pins.ts'
import { listRuleRows } from '#store/servers/retrieval-rules.ts'
import { readRedaction } from '#store/servers/served.ts'
import type { ServerRow } from '#store/servers/servers.ts'
import { type SourceRow, listSources } from '#store/sources/sources.ts'
import { VERSION } from '#version.ts'
import type { Handler } from '../operation.ts'

/** Writes the lines of a server's file. Refuses while its pages change. */
export const exportServer: Handler<'servers.export'> = async ({ deps, server }) => {
  const { read } = deps.store
  const sources = await listSources(read, server.id)
  const isChanging = sources.some(({ crawlStatus }) => crawlStatus === 'pending' || crawlStatus === 'crawling')
  if (isChanging) throw new DocentError('source_is_indexing')
  return withEnd(linesOf(deps.store, { server, sources, exportedAt: isoTime(deps.clock()) }))
}

/** A line as it is in the file. */
const textOfLine = (line: unknown): string => `${JSON.stringify(line)}\n`

/** Adds the line with the hash of all others. */
async function* withEnd(lines: AsyncIterable<ServerFileLine>): AsyncGenerator<ServerFileLine> {
  const hash = createHash('sha256')
  let count = 0
  for await (const given of lines) {
    // The members in the order in which they are sent.
    const line = ServerFileLine.parse(given)
    hash.update(textOfLine(line))
    count++
    yield line
  }
  yield { kind: 'end', lines: count, sha256: hash.digest('hex') }
}

type Exported = { server: ServerRow; sources: readonly SourceRow[]; exportedAt: string }

async function* linesOf(store: Store, { server, sources, exportedAt }: Exported): AsyncGenerator<ServerFileLine> {
  const db = store.read
  yield { kind: 'docent-server', format: SERVER_FILE, docent: VERSION, exportedAt }
  const tools = JSON.parse(server.tools) as string[]
  const { name, description, visibility, refresh, webPages } = server
  const structuredOutput = server.structuredOutput === 1
  const redaction = readRedaction(server.redaction)
  yield { kind: 'server', name, description, visibility, tools, refresh, structuredOutput, redaction, webPages }
  for (const tool of await listCustomToolRows(db, server.accountId)) {
    if (!tools.includes(`custom:${tool.id}`) || tool.plan === null) continue
    const { id, name: called, displayName, description: about, inputSchema } = tool
    const plan = CustomToolPlanSchema.parse(JSON.parse(tool.plan))
    yield { kind: 'tool', id, name: called, displayName, description: about, inputSchema, plan }
  }
  for (const { id, url, type, label, isPrivate, allowedTools, includePatterns, excludePatterns, versions } of sources) {
    yield {
      kind: 'source',
      id,
      url,
      type,
      label,
      isPrivate: isPrivate === 1,
      allowedTools: JSON.parse(allowedTools) as string[],
      include: JSON.parse(includePatterns) as string[],
      exclude: JSON.parse(excludePatterns) as string[],
      versions: JSON.parse(versions) as string[],
    }
  }
  for (const { sourceId: source, naturalLanguage, enabled, priority, effects } of await listRuleRows(db, server.id)) {
    const about = { source, sentence: naturalLanguage, enabled: enabled === 1, priority }
    yield { kind: 'rule', ...about, effects: JSON.parse(effects) as (ServerFileLine & { kind: 'rule' })['effects'] }
  }
  for (const { sourceId: source, effect, questions, url, title, heading } of await listPinRows(db, server.id))
    yield { kind: 'pin', source, effect, questions: JSON.parse(questions) as string[], url, title, heading }
  for (const source of sources) yield* pagesOf(store, source)
}

/** Pages per query: about 1 MB. Requests wait meanwhile. */
const BATCH = 50

async function* pagesOf(store: Store, row: SourceRow): AsyncGenerator<ServerFileLine> {
  const ids = await orderedIds(store, row)
  const duplicates = Map.groupBy(await listDuplicates(store.read, row.id), ({ originalUrl }) => originalUrl)
  for (let at = 0; at < ids.length; at += BATCH)
    yield* linesOfPages(store, row.id, ids.slice(at, at + BATCH), duplicates)
}

/**
 * Ids of the pages in the order of the index: vectors of pages depend on it a little, so that answers would differ. A
 * source with more pages has none.
 */
async function orderedIds(store: Store, { id, segments }: SourceRow): Promise<number[]> {
  const pages = await listIndexedIds(store.read, id)
  const places = new Map<string, number>()
  for (const segmentId of pages.length <= MAX_PAGES ? (JSON.parse(segments) as string[]) : []) {
    const bytes = await readSegment(store, segmentId)
    if (bytes === null) continue
    const segment = openSegment(bytes)
    for (let page = 0; page < segment.pageCount; page++) places.set(segment.url(page), places.size)
  }
  const placeOf = ({ url }: { url: string }) => places.get(url) ?? places.size
  return pages.toSorted((a, b) => placeOf(a) - placeOf(b)).map((page) => page.id)
}

type Duplicates = ReadonlyMap<string, readonly { url: string }[]>

async function* linesOfPages(
  store: Store,
  source: string,
  ids: readonly number[],
  duplicates: Duplicates,
): AsyncGenerator<ServerFileLine> {
  for await (const pages of pageTexts(store, source, { batch: ids.length + 1, ids }))
    for (const {
      url,
      title: own,
      textHash: hash,
      anchorTexts,
      markdown: compressed,
      outline,
      ...row
    } of pages.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))) {
      const title = own ?? ''
      const changed = changedAt(row)
      const markdown = zstdDecompressSync(compressed).toString()
      const { language, version = null, chunks } = decodeOutline(outline)
      const copies = duplicates.get(url)?.slice(0, MOST_COPIES)
      yield {
        kind: 'page',
        source,
        url,
        title,
        hash,
        language,
        version,
        markdown,
        chunks: withBlocks(chunks, { title, markdown }) as (ServerFileLine & { kind: 'page' })['chunks'],
        links: linksOf(outline),
        labels: JSON.parse(anchorTexts ?? '[]') as string[],
        readAt: isoTime(row.updatedAt),
        ...(changed === null ? {} : { changedAt: isoTime(changed) }),
        ...(copies === undefined ? {} : { copies: copies.map((copy) => copy.url) }),
      }
    }
}
