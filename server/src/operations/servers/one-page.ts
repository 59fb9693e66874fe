import { LINKS_PER_ANSWER } from '@docent/contract/operations/pages'
import { hasReader } from '@docent/contract/values/source-kinds'
import { MAX_PATTERN, MAX_PATTERNS } from '@docent/contract/values/sources'
import { DocentError, found } from '#errors.ts'
import { enqueuePage } from '#jobs/enqueue-ingest.ts'
import { isUploadUrl } from '#lib/addresses/page-address.ts'
import { linkTextTo } from '#search/outline.ts'
import type { Db } from '#store/db.ts'
import { pageTexts } from '#store/pages/packed-texts.ts'
import { findPage } from '#store/pages/pages.ts'
import { type SourceRow, updateSourceRow } from '#store/sources/sources.ts'
import type { Handler, OperationDeps } from '../operation.ts'

export const readAgain: Handler<'pages.readAgain'> = async ({ deps, source }, { url }) => {
  const page = await findCrawledPage(deps.store.read, source, url)
  await deps.store.transaction((tx) => queuePage(deps, tx, source, page.id))
  deps.wakeWorker()
  return { ok: true }
}

export const leaveOut: Handler<'pages.leaveOut'> = async ({ deps, source }, { url }) => {
  const page = await findCrawledPage(deps.store.read, source, url)
  const pattern = patternOf(url)
  const patterns = JSON.parse(source.excludePatterns) as string[]
  const isNew = !patterns.includes(pattern)
  if (page.depth === 0) refuse('This is the start page of the source. The others are found from it.')
  if (isNew && patterns.length >= MAX_PATTERNS)
    refuse(`The source has ${MAX_PATTERNS} patterns to leave out, the most that it can have. Combine some of them.`)
  await deps.store.transaction(async (tx) => {
    await queuePage(deps, tx, source, page.id)
    if (isNew) await updateSourceRow(tx, source.id, { excludePatterns: JSON.stringify([...patterns, pattern]) })
  })
  deps.wakeWorker()
  return { ok: true, pattern }
}

function refuse(text: string): never {
  throw new DocentError('page_has_no_pattern', { text })
}

/** Pages per query: requests wait while a batch is read. */
const BATCH = 50

export const linksTo: Handler<'pages.linksTo'> = async ({ deps, source, signal }, { url }) => {
  const page = await findPage(deps.store.read, source.id, url)
  const links: { url: string; title: string | null; text: string }[] = []
  let total = 0
  for await (const pages of pageTexts(deps.store, source.id, { batch: BATCH })) {
    for (const { url: from, title, outline } of pages) {
      const text = from === url ? null : linkTextTo(outline, url)
      if (text === null) continue
      total += 1
      if (links.length < LINKS_PER_ANSWER) links.push({ url: from, title, text })
    }
    signal.throwIfAborted()
  }
  return { links, total, navigation: JSON.parse(page?.anchorTexts ?? '[]') as string[] }
}

/** Throws for an unknown page, and for a source whose pages are not read one by one. */
async function findCrawledPage(db: Db, source: SourceRow, url: string) {
  const page = found(await findPage(db, source.id, url), 'page_not_found')
  if (hasReader(source.type) || isUploadUrl(source.url)) throw new DocentError('pages_read_together')
  return page
}

async function queuePage({ clock }: OperationDeps, tx: Db, source: SourceRow, id: number): Promise<void> {
  if (!(await enqueuePage(tx, source, { id, now: clock() }))) throw new DocentError('source_is_indexing')
}

/** The pattern for the path of a page alone. Throws `409 page_has_no_pattern`. */
function patternOf(url: string): string {
  const { pathname, search, hash } = new URL(url)
  const path = pathname + search + hash
  if (path.length >= MAX_PATTERN || path.includes('*')) throw new DocentError('page_has_no_pattern')
  return `${path}$`
}
