import type { LeasedTransaction } from '#jobs/lease.ts'
import { embedSegment, type EmbedDeps } from './embed-segment.ts'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { newId } from '#lib/ids.ts'
import type { BuildPool } from '#search/build-pool.ts'
import { SEGMENT_FORMAT } from '#search/segment/layout.ts'
import { startsOfGroups } from '#search/segment/sections.ts'
import type { Store } from '#store/db.ts'
import { countPages, sizeOfSource } from '#store/pages/page-report.ts'
import { listIndexed, markPublished, markUnpublished, deleteOrphanTexts } from '#store/pages/texts.ts'
import { listDuplicates } from '#store/pages/pages.ts'
import { copyAt } from '#search/catalogue/page-version.ts'
import { packTexts } from '#store/pages/pack-texts.ts'
import { type TextBytes, pageTexts } from '#store/pages/packed-texts.ts'
import { areAnyStale, deleteOtherSegments, readSegment, writeSegment } from '#store/pages/segments.ts'
import { findSourceById, updateSourceRow } from '#store/sources/sources.ts'
import { gatherAnchorTexts } from './anchor-texts.ts'

export type PublishDeps = {
  store: Store
  inLeasedTransaction: LeasedTransaction
  builder: BuildPool
  /** Makes embeddings; null if no model is configured. */
  embedder: EmbedDeps['embedder'] | null
  sourceId: string
  signal: AbortSignal
}

/** Pages per newly built segment: fits a worker's memory with room to spare, even if pages are long. */
const PAGES_PER_BUILD = 2_000
/** Pages per query, since requests wait meanwhile: some 5 ms on SQLite. */
const PAGES_AT_ONCE = 250

/** Publishes pages settled since the last publish, beside those searchable already. Returns their number. */
export async function publishNew(deps: PublishDeps): Promise<number> {
  const { store, inLeasedTransaction, sourceId, signal } = deps
  const built = await buildUnpublished(deps)
  if (!built) return 0
  await inLeasedTransaction(async (tx) => {
    const source = await findSourceById(tx, sourceId)
    if (!source) return
    const segments = [...(JSON.parse(source.segments) as string[]), built.segmentId]
    await updateSourceRow(tx, sourceId, { segments: JSON.stringify(segments), ...(await sizeOfSource(tx, sourceId)) })
    await markPublished(tx, built.pageIds)
  })
  await packTexts(store, sourceId, { signal })
  return built.pageIds.length
}

/** Publishes the source as one segment at the end of a crawl. Writes nothing if nothing changed. */
export async function publishAll(deps: PublishDeps): Promise<void> {
  const segments = await segmentsOf(deps)
  if (segments) await publishAs(deps, segments, true)
}

/**
 * Publishes changed pages before the end of a refresh, in place of their earlier versions. No page may be settled
 * meanwhile. Does nothing while there are fewer pages than before: `refuseLoss` decides on them at the end.
 */
export async function publishChanges(deps: PublishDeps, run: number): Promise<void> {
  const { read } = deps.store
  const source = await findSourceById(read, deps.sourceId)
  if (!source || (await countPages(read, source.id, run)).indexed < source.publishedPages) return
  await publishAs(deps, JSON.parse(source.segments) as string[], false)
}

/** Rebuilds the segments from stored texts if another version of the program wrote any. Returns whether it did. */
export async function rebuildSegments(deps: PublishDeps): Promise<boolean> {
  const { store, inLeasedTransaction, sourceId } = deps
  const segments = await segmentsOf(deps)
  if (!segments || !(await areAnyStale(store.read, segments, SEGMENT_FORMAT))) return false
  await inLeasedTransaction((tx) => markUnpublished(tx, sourceId))
  await publishAs(deps, [], false)
  return true
}

/** Segments of the published version; null if the source is gone. */
async function segmentsOf({ store, sourceId }: PublishDeps): Promise<string[] | null> {
  const source = await findSourceById(store.read, sourceId)
  return source ? (JSON.parse(source.segments) as string[]) : null
}

/** Merges the segments `old` and all unpublished pages into the new version. A whole crawl notes its number of pages. */
async function publishAs(deps: PublishDeps, old: readonly string[], isWhole: boolean): Promise<void> {
  const { store, inLeasedTransaction, builder, embedder, sourceId, signal } = deps
  const built: Built[] = []
  for (let next = await buildUnpublished(deps); next; next = await buildUnpublished(deps, next.pageIds.at(-1))) {
    built.push(next)
  }
  const anchorTexts = await gatherAnchorTexts(store, sourceId, signal)
  const duplicates = Map.groupBy(await listDuplicates(store.read, sourceId), ({ originalUrl }) => originalUrl)
  const pages = (await listIndexed(store.read, sourceId)).map((page) => ({
    ...page,
    anchorTexts: anchorTexts.get(page.url) ?? [],
    copies: (duplicates.get(page.url) ?? []).flatMap(({ url }) => copyAt(page.url, url) ?? []).sort(),
  }))
  const merged = await mergeSegments([...old, ...built.map(({ segmentId }) => segmentId)])
  await inLeasedTransaction(async (tx) => {
    await updateSourceRow(tx, sourceId, {
      segments: JSON.stringify(merged),
      ...(isWhole ? { publishedPages: pages.length } : {}),
      ...(await sizeOfSource(tx, sourceId)),
    })
    for (const { pageIds } of built) await markPublished(tx, pageIds)
    await deleteOrphanTexts(tx, sourceId)
  })
  // No reader uses them. If this is interrupted, the next publish continues.
  while (await inLeasedTransaction((tx) => deleteOtherSegments(tx, sourceId, merged))) await nextTurn()
  await packTexts(store, sourceId, { signal })

  /** Merges all segments without removed pages. Returns a single segment unchanged if it needs no merge. */
  async function mergeSegments(ids: string[]): Promise<string[]> {
    const parts: Uint8Array[] = []
    for (const id of ids) {
      const bytes = await readSegment(store, id)
      if (bytes) parts.push(bytes)
    }
    if (parts.length === 0) return []
    const whole = await builder.merge(parts, pages)
    const bytes = whole ?? parts[0]
    const embedded =
      embedder && bytes ? await embedSegment({ store, embedder, sourceId, signal }, { bytes, old: parts }) : null
    const data = embedded ?? whole
    // Null: the only segment is kept whole.
    if (!data) return ids
    const id = newId('seg')
    await write(deps, id, data)
    return [id]
  }
}

const write = ({ store, sourceId }: PublishDeps, id: string, data: Uint8Array) =>
  writeSegment(store, { id, sourceId, data, format: SEGMENT_FORMAT, starts: startsOfGroups(data) })

type Built = { segmentId: string; pageIds: number[] }

/** Builds and writes a segment of unpublished pages. It is invisible until a version lists it. */
async function buildUnpublished(deps: PublishDeps, afterId = 0): Promise<Built | null> {
  const { store, builder, sourceId, signal } = deps
  const rows: (TextBytes & { id: number; url: string; title: string; textHash: string })[] = []
  const wanted = { afterId, batch: PAGES_AT_ONCE, isUnpublished: true }
  for await (const pages of pageTexts(store, sourceId, wanted)) {
    for (const { id, url, title, textHash, markdown, outline } of pages)
      rows.push({ id, url, title: title ?? '', textHash, markdown, outline })
    if (rows.length >= PAGES_PER_BUILD) break
  }
  if (rows.length === 0) return null
  // The builder decompresses the texts. Anchor texts are added at the merge.
  const data = await builder.build(rows)
  signal.throwIfAborted()
  const segmentId = newId('seg')
  await write(deps, segmentId, data)
  return { segmentId, pageIds: rows.map(({ id }) => id) }
}
