import type { NetClient } from '#net/client.ts'
import type { Pacer } from '#net/pacing.ts'
import type { Store } from '#store/db.ts'
import { type PageToGo, findPages } from '#store/pages.ts'
import { type SourceRow, updateSource } from '#store/sources.ts'
import type { CrawlStore, Settled } from './crawl-store.ts'
import { BudgetExhausted, type CrawlBudget } from './crawl-budget.ts'
import { contentTexts } from './link-texts.ts'
import { drop, index, keep } from './outcomes.ts'
import type { PageReader } from './page-pool.ts'
import type { Reading } from './parse-apart.ts'
import { reasonOfKill } from './kill-reason.ts'
import type { PageTask } from './process-page.ts'
import { TRAP_SENTENCES } from './sources/trap.ts'
import { clipUrl, isTooLong } from './url-length.ts'
import type { SourceDocument, SourceFile, SourceItem, SourceOmission, SourceReader } from './sources/source-document.ts'

type Options = Reading & {
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

/** Documents taken up together: enough to keep the worker busy while the reader waits for its host. */
const BATCH = 32

type Item = SourceDocument | SourceFile | SourceOmission

/**
 * Settles every document that a reader gives. What an earlier reading gave and this one does not is gone. A reading that
 * was interrupted begins anew: documents that have not changed cost no more than being read. What the reader says is kept
 * stays as it was.
 */
export async function ingestDocuments(options: Options): Promise<void> {
  const { store, reader, source, crawlStore } = options
  let cursor: string | null = null
  let isAsBefore = true
  for await (const items of inBatches(reader(options, source), BATCH)) {
    options.signal.throwIfAborted()
    const exhausted = options.budget.exhausted()
    if (exhausted) throw new BudgetExhausted(exhausted.detail)
    const given = items.filter((item) => item.kind !== 'kept' && item.kind !== 'cursor')
    // A reading that is interrupted after its first change leaves nothing that the next one could go on from.
    if (isAsBefore && given.length > 0) await updateSource(store.write, source.id, { cursor: null })
    isAsBefore &&= given.length === 0
    await settleBatch(options, given)
    for (const item of items) {
      if (item.kind === 'kept') await crawlStore.keep(item.prefix)
      else if (item.kind === 'cursor') cursor = item.value
    }
  }
  await crawlStore.flush()
  await crawlStore.forgetUnsettled()
  await updateSource(store.write, source.id, { cursor })
}

async function settleBatch({ store, source, crawlStore, run, onPage, ...deps }: Options, items: Item[]): Promise<void> {
  const byUrl = new Map(items.map(clipped).map((item) => [item.url, item]))
  await crawlStore.discover([...byUrl.keys()].map((url) => ({ url, depth: 0 })))
  const known = await findPages(store.read, source.id, [...byUrl.keys()])
  const settling = known.map(async (page) => {
    const item = byUrl.get(page.url)
    // Settled in this reading already: the reader gave one address twice, and the first one counts.
    if (!item || page.run === run) return null
    return settle(deps, page, item)
  })
  // In their order, so that of two with the same text it is always the same that stays.
  for (const settled of await Promise.all(settling)) {
    if (!settled) continue
    await crawlStore.settle(settled)
    onPage()
  }
  await crawlStore.flush()
}

/** The item, or where its address is too long to be kept, that it is left out for that. */
function clipped(item: Item): Item {
  if (!isTooLong(item.url)) return item
  return { kind: 'skipped', url: clipUrl(item.url), reason: 'too_long', detail: TRAP_SENTENCES.too_long }
}

async function settle(
  { pages, budget, signal }: Pick<Options, 'pages' | 'budget' | 'signal'>,
  page: PageToGo,
  item: Item,
): Promise<Settled> {
  if ('reason' in item) return drop(page, item.kind, item.reason, item.detail)
  // The text of a document that is indexed takes no more room than it has already.
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

/** What is kept ends a batch: it is about everything that has not come before it. */
async function* inBatches(items: AsyncIterable<SourceItem>, size: number): AsyncGenerator<SourceItem[]> {
  let batch: SourceItem[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length < size && item.kind !== 'kept') continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
