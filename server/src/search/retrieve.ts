import type { SourceType } from '@docent/contract/values/sources'
import { type ActivePins, pinnedPassages, placePins } from './apply-pins.ts'
import { createCatalogues } from './catalogue/catalogue.ts'
import type { QueryEmbedding } from './rank/fuse-embeddings.ts'
import { createPagePaths, mayHaveType, pageMasks } from './rank/page-filter.ts'
import {
  type ChunkToPack,
  DEFAULT_BUDGET,
  choosePassages,
  describeChunk,
  packPassages,
  textOfChunk,
} from './pack-passages.ts'
import type { Passage, SearchRequest, SearchResult } from './passage.ts'
import type { SourceSegment } from './rank/corpus.ts'
import type { ImpactStore } from './rank/impact-cache.ts'
import { otherProducts } from './rank/named-products.ts'
import { createQueryReader, createRanker } from './rank/rank.ts'
import type { SearchRule } from './rules/active-rules.ts'
import { type SearchPin, createPinLookup } from './rules/pinned-sections.ts'
import { type RuleMemory, joinMasks, ruledSearch } from './rules/rank-by-rules.ts'
import { ByteCache } from './byte-cache.ts'
import {
  type LoadInParts,
  type LoadSegment,
  type LoadTexts,
  type Segment,
  type WantedText,
  cachedSegment,
  cachedTexts,
  loadWhole,
  readMissing,
} from './segment/open-segment.ts'
import { memoizeByObject } from '#lib/objects.ts'
import type { Weights } from './weights.ts'
import { READ_PAGES, preferWordsAsWritten } from './words-as-written.ts'
import { createAddressSplitter, lowerOldCopies } from './old-copies.ts'

export type SearchMemoryOptions = {
  /** Capacity of the segment cache. */
  cacheBytes: number
  /** Capacity of the cache of page texts. */
  textCacheBytes?: number
  weights?: Weights
  /** Store for impacts of frequent terms. By default local to this thread. */
  impacts?: ImpactStore
}

export type RetrieverDeps = {
  loadSegment: LoadSegment | LoadInParts
  loadTexts: LoadTexts
  /** Embeds questions for segments with embeddings of the same model. `embed` must not reject. */
  embeddings?: {
    model: string
    embed(query: string, accountId: string): Promise<Float32Array | null>
  } | null
}

/** The sources to search, and the account that owns the server. */
export type Searched = {
  /** `segments`: ids of the published ones. */
  sources: readonly {
    id: string
    type: SourceType
    url: string
    label: string | null
    segments: readonly string[]
  }[]
  accountId?: string
  /** Enabled retrieval rules, in the order in which they run. */
  rules?: readonly SearchRule[]
  /** Pins, oldest first. */
  pins?: readonly SearchPin[]
  /** Name of the called tool, for the conditions of rules. */
  tool?: string
}

export type Retriever = ReturnType<typeof createRetriever>

/** Enough for several thousand pages of average size. */
export const TEXT_CACHE_BYTES = 32_000_000
/** Extra passages, to detect further results and to replace passages without text. */
export const SPARE = 3

/** Caches kept between questions: segments, texts, and data derived from them. */
export function createSearchMemory({ cacheBytes, textCacheBytes, weights, impacts }: SearchMemoryOptions) {
  const pathsOf = createPagePaths()
  const ruleMemory: RuleMemory = { masksOf: memoizeByObject(() => new Map()), pathsOf }
  return {
    segments: new ByteCache<Segment>(cacheBytes),
    texts: new ByteCache<string>(textCacheBytes ?? TEXT_CACHE_BYTES),
    rank: createRanker(weights, impacts, pathsOf),
    readQuery: createQueryReader(),
    ruleMemory,
    pinsFor: createPinLookup(),
    catalogueOf: createCatalogues(),
    splitAddress: createAddressSplitter(),
  }
}

/** Creates a retriever. Several retrievers with different loaders may share one memory. */
export function createRetriever(deps: RetrieverDeps, memory: ReturnType<typeof createSearchMemory>) {
  const { segments, rank: rankSegments, readQuery, catalogueOf, pinsFor } = memory
  const load = typeof deps.loadSegment === 'function' ? loadWhole(deps.loadSegment) : deps.loadSegment

  /** Markdown of pages by hash, without missing texts. */
  const texts = (wanted: readonly WantedText[]) => cachedTexts(memory.texts, wanted, deps.loadTexts)

  /** Segments of the server's sources within the request's scope, from cache or store. */
  const parts = (
    server: Pick<Searched, 'sources'>,
    request: Pick<SearchRequest, 'sourceId' | 'type'>,
    mayBePartial = false,
  ) => {
    // The type of an upload is that of its first page.
    const isPartial = mayBePartial && request.type === undefined
    const open = (id: string) => {
      const known = segments.get(id)
      return known?.partial === null ? known : cachedSegment(segments, id, load, isPartial)
    }
    return openParts(open, server, request)
  }

  /** The ranking used by `retrieve`, before selection and truncation, of at most `depth` pages, or five. */
  const rank = async (server: Searched, request: SearchRequest, depth: number) => {
    const given = { ...request, tool: server.tool ?? null, isScoped: request.sourceId !== undefined, now: Date.now() }
    const ruled = ruledSearch(server.rules, given, memory.ruleMemory)
    const asked = { query: request.query, ...ruled?.options }
    const read = (segments: readonly Segment[]) => readQuery(segments, asked)
    const all = await readParts(await parts(server, request, true), read, load)
    const { parts: restricted, masks } = ruled?.restrict(all) ?? { parts: all, masks: null }
    // A word that only other parts have can be a typing error in these.
    const searched = await readParts(restricted, read, load)
    const ofQuestion = server.pins === undefined ? [] : pinsFor(server.pins, request.query)
    const pins =
      ofQuestion.length > 0
        ? await placePins(ofQuestion, { request, parts: all, catalogueOf, pathsOf: memory.ruleMemory.pathsOf })
        : null
    const own = await pageMasks({ catalogueOf, pathsOf: memory.ruleMemory.pathsOf }, searched, request)
    const { embeddings, embedding } = await embedQuestion(deps.embeddings, searched, request.query, server.accountId)
    const byIndex = rankSegments(
      searched,
      {
        ...request,
        masks: joinMasks(own, masks),
        embedding,
        others: otherProducts(request.query, server.sources),
        ...ruled?.options,
      },
      Math.max(depth, READ_PAGES),
    )
    const written = await preferWordsAsWritten(pins?.leaveOut(byIndex) ?? byIndex, texts)
    const ranking =
      request.version === undefined
        ? { ...written, chunks: lowerOldCopies(written.chunks, request.query, memory.splitAddress) }
        : written
    return {
      ...ranking,
      ...ruled?.reorder(ranking),
      embeddings,
      pins,
      /** Effects of each rule. Empty if the server has none. */
      rules: ruled?.notes ?? [],
      /** Ids of the sources that were searched. */
      searched: new Set(searched.map(({ sourceId }) => sourceId)),
      mostOf: ruled?.mostOf ?? null,
    }
  }

  /**
   * Returns the passages that answer the request, best first. Skips segments and texts replaced in the meantime.
   * Rejects with the signal's reason when aborted, with `SegmentError` for a damaged segment, with `SegmentFormatError`
   * for another format, and with errors of the loaders.
   */
  const retrieve = async (server: Searched, request: SearchRequest, signal?: AbortSignal): Promise<SearchResult> => {
    signal?.throwIfAborted()
    const { limit, offset = 0, budget = DEFAULT_BUDGET } = request
    const wanted = offset + limit + SPARE
    const ranked = await rank(server, request, wanted)
    const { chunks, texts: read, repaired, words, agreement, embeddings, mostOf, pins } = ranked
    const chosen = choosePassages(chunks, wanted, mostOf).slice(offset)
    const load = (described: readonly ChunkToPack[]) =>
      described.every(({ record }) => read.has(record.textHash)) ? read : texts(described.map(textOfChunk))
    let described = chosen.slice(0, limit).map(describeChunk)
    let found = await load(described)
    // Spare passages only replace passages without text.
    if (chosen.length > limit && described.some(({ record }) => !found.has(record.textHash))) {
      described = chosen.map(describeChunk)
      found = await load(described)
    }
    signal?.throwIfAborted()
    const packed = packPassages({
      chunks: described,
      count: chosen.length,
      texts: found,
      limit,
      offset,
      budget,
      request,
    })
    return { ...packed, repaired, words, agreement, embeddings, ...(await withPins(pins, packed.passages)) }
  }

  /** What pins add to a result with these passages. */
  const withPins = async (
    pins: ActivePins | null,
    [best]: readonly Passage[],
  ): Promise<Pick<SearchResult, 'pinned' | 'excluded'>> => {
    if (pins === null) return {}
    const { first, excluded } = pins
    const pinned = await pinnedPassages(first, texts, { score: best?.score ?? 1 })
    return { ...(pinned.length > 0 ? { pinned } : {}), ...(excluded.length > 0 ? { excluded } : {}) }
  }

  return { retrieve, rank, catalogueOf, parts, texts, withPins }
}

/** Embeds the question if any segment has embeddings of the same model. */
async function embedQuestion(
  embedder: RetrieverDeps['embeddings'],
  parts: readonly SourceSegment[],
  query: string,
  accountId = '',
): Promise<{ embeddings: SearchResult['embeddings']; embedding: QueryEmbedding | null }> {
  if (!embedder || !parts.some(({ segment }) => segment.embeddings?.model === embedder.model))
    return { embeddings: 'off', embedding: null }
  const vector = await embedder.embed(query, accountId)
  return vector === null
    ? { embeddings: 'failed', embedding: null }
    : { embeddings: 'used', embedding: { model: embedder.model, vector } }
}

/** Reads what a lookup of words needs of partial segments. Returns the parts that are not gone. */
async function readParts(
  given: readonly SourceSegment[],
  lookUp: (segments: readonly Segment[]) => unknown,
  load: LoadInParts,
): Promise<readonly SourceSegment[]> {
  let parts = given
  while (parts.some(({ segment }) => segment.partial)) {
    lookUp(parts.map(({ segment }) => segment))
    if (parts.every(({ segment: { partial } }) => partial === null || partial.isReady)) break
    const areThere = await Promise.all(parts.map(({ segment }) => readMissing(segment, load)))
    parts = parts.filter((_, at) => areThere[at])
  }
  return parts
}

async function openParts(
  open: (id: string) => Segment | Promise<Segment | null>,
  { sources }: Pick<Searched, 'sources'>,
  { sourceId, type }: Pick<SearchRequest, 'sourceId' | 'type'>,
): Promise<SourceSegment[]> {
  const opening: (Omit<SourceSegment, 'segment'> & { segment: Segment | Promise<Segment | null> })[] = []
  for (const source of sources) {
    if (sourceId !== undefined && source.id !== sourceId) continue
    // Only uploads can have files of another type.
    if (type !== undefined && type !== 'pdf' && source.type !== type) continue
    for (const id of source.segments)
      opening.push({ segment: open(id), sourceId: source.id, type: source.type, segmentId: id })
  }
  const missing = opening.map(({ segment }) => segment).filter((segment) => segment instanceof Promise)
  // All at once. Then the first error is thrown, and the others are not unhandled.
  if (missing.length > 0) await Promise.all(missing)
  const parts: SourceSegment[] = []
  for (const part of opening) {
    const segment = part.segment instanceof Promise ? await part.segment : part.segment
    if (segment && mayHaveType({ segment, type: part.type }, type)) parts.push({ ...part, segment })
  }
  return parts
}
