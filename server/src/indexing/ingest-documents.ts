import type { NetClient } from '#net/client.ts'
import { showMasks } from '#lib/addresses/secret-address.ts'
import type { Pacer } from '#net/pacing.ts'
import type { Store } from '#store/db.ts'
import { type PageToGo, findPages } from '#store/pages/pages.ts'
import { type SourceRow, updateSourceRow } from '#store/sources/sources.ts'
import type { CrawlStore, Settled } from '#crawl/crawl-store.ts'
import { BudgetExhausted, type CrawlBudget, reasonOfKill } from '#crawl/crawl-budget.ts'
import { contentTexts } from '#crawl/found-links.ts'
import { drop, index, keep } from '#crawl/outcomes.ts'
import type { PageReader } from '#readers/page-pool.ts'
import type { Reading } from '#readers/parse-in-child.ts'
import type { PageTask } from '#readers/process-page.ts'
import { TRAP_SENTENCES, clipUrl, isTooLong } from '#crawl/crawl-trap.ts'
import type { SourceDocument, SourceFile, SourceItem, SourceOmission, SourceReader } from '#sources/source-document.ts'

export type IngestDocumentsDeps = Reading & {
  store: Store
  net: NetClient
  pacer: Pacer
  pages: PageReader
  source: SourceRow
  run: number
  crawlStore: CrawlStore
  budget: CrawlBudget
  reader: SourceReader
  onPage: () => void
}

/**
 * Documents per batch. `fewest` keep the workers busy while the reader waits for its host. Small files that come at once
 * fill a larger one, up to this many characters or bytes, because each has two transactions.
 */
const BATCH = { fewest: 32, items: 200, size: 500_000, ms: 250 }

type Item = SourceDocument | SourceFile | SourceOmission

/**
 * Settles every document of a reader, and deletes documents that the reader no longer gives. An interrupted reading
 * starts over: unchanged documents only cost reading them. Documents that the reader reports as `kept` stay unchanged.
 */
export async function ingestDocuments(options: IngestDocumentsDeps): Promise<void> {
  const { store, reader, source, crawlStore } = options
  let cursor: string | null = null
  let isAsBefore = true
  let pdfPages: number | null = null
  const { budget } = options
  for await (const items of inBatches(reader(options, source), () => budget.exhausted() !== null)) {
    options.signal.throwIfAborted()
    const given = items.filter((item) => item.kind !== 'kept' && item.kind !== 'cursor')
    // After the first change, an interrupted reading cannot resume from the old cursor.
    if (isAsBefore && given.length > 0) await updateSourceRow(store.write, source.id, { cursor: null })
    isAsBefore &&= given.length === 0
    await settleBatch(options, given)
    for (const item of items) {
      if (item.kind === 'kept') await crawlStore.keep(item)
      else if (item.kind === 'cursor') cursor = item.value
      else if (item.kind === 'document' && item.pdfPages !== undefined) pdfPages = (pdfPages ?? 0) + item.pdfPages
    }
    const exhausted = budget.exhausted()
    if (exhausted) throw new BudgetExhausted(exhausted.detail)
  }
  await crawlStore.flush()
  await crawlStore.forgetUnsettled()
  await crawlStore.settleDuplicates()
  await updateSourceRow(store.write, source.id, { cursor, pdfPages })
}

async function settleBatch(
  { store, source, crawlStore, run, onPage, ...deps }: IngestDocumentsDeps,
  items: Item[],
): Promise<void> {
  const byUrl = new Map(items.map(clipped).map((item) => [item.url, item]))
  await crawlStore.discover([...byUrl.keys()].map((url) => ({ url, depth: 0 })))
  const known = await findPages(store.read, source.id, [...byUrl.keys()])
  const settling = known.map(async (page) => {
    const item = byUrl.get(page.url)
    // The reader gave this URL twice; the first one counts.
    if (!item || page.run === run) return null
    return settle(deps, page, item)
  })
  // Keep the order, so that the same one of two duplicates always stays.
  for (const settled of await Promise.all(settling)) {
    if (!settled) continue
    await crawlStore.settle(settled)
    onPage()
  }
  await crawlStore.flush()
}

/** Gives an item the URL by which it is cited. One that is too long becomes an omission. */
function clipped(given: Item): Item {
  const item = { ...given, url: showMasks(given.url) }
  if (!isTooLong(item.url)) return item
  return { kind: 'skipped', url: clipUrl(item.url), reason: 'too_long', detail: TRAP_SENTENCES.too_long }
}

async function settle(
  { pages, budget, signal }: Pick<IngestDocumentsDeps, 'pages' | 'budget' | 'signal'>,
  page: PageToGo,
  item: Item,
): Promise<Settled> {
  if ('reason' in item) return drop(page, item.kind, item.reason, item.detail)
  // Indexed documents need no further room.
  const exhausted = page.state === 'indexed' ? null : budget.textExhausted()
  if (exhausted) return drop(page, 'skipped', exhausted.reason, exhausted.detail)
  const task = {
    ...taskOf(item),
    ...(page.state === 'indexed' && page.textHash ? { previousTextHash: page.textHash } : {}),
  }
  const result = await pages.process(task, signal)
  if (result.kind === 'killed') {
    const { reason, detail } = reasonOfKill(result)
    return drop(page, 'failed', reason, detail)
  }
  if (result.kind === 'rejected') return drop(page, 'skipped', result.reason, result.detail)
  if (result.page.empty && result.page.textBytes === 0) {
    return drop(page, 'skipped', 'needs_javascript', 'The page has no text without JavaScript, which is not run.')
  }
  return result.unchanged ? keep(page) : index(page, result, contentTexts(result.page.links, page.url))
}

function taskOf(item: SourceDocument | SourceFile): PageTask {
  if (item.kind === 'file') return { url: item.url, contentType: item.contentType, bytes: item.bytes }
  const { url, title, language, markdown, anchors } = item
  return {
    url,
    contentType: 'text/markdown; charset=utf-8',
    bytes: Buffer.from(markdown),
    given: { title, language, ...(anchors ? { anchors } : {}) },
  }
}

const sizeOf = (item: SourceItem) =>
  item.kind === 'file' ? item.bytes.byteLength : item.kind === 'document' ? item.markdown.length : 0

/**
 * Groups items into batches. A `kept` item ends its batch, because it covers all documents not given before it, and so
 * does the item with which a budget ends.
 */
async function* inBatches(items: AsyncIterable<SourceItem>, isLast: () => boolean): AsyncGenerator<SourceItem[]> {
  let batch: SourceItem[] = []
  let size = 0
  let begunAt = performance.now()
  for await (const item of items) {
    batch.push(item)
    size += sizeOf(item)
    const isLate = performance.now() - begunAt > BATCH.ms
    const isFull =
      batch.length >= (isLate ? BATCH.fewest : BATCH.items) || (batch.length >= BATCH.fewest && size >= BATCH.size)
    if (!isFull && item.kind !== 'kept' && !isLast()) continue
    yield batch
    batch = []
    size = 0
    begunAt = performance.now()
  }
  if (batch.length > 0) yield batch
}
