import type { SourceType } from '@docent/contract/values/sources'
import { type CatalogueOf, createCatalogues } from './catalogue/catalogue.ts'
import type { QueryEmbedding } from './rank/fuse-embeddings.ts'
import { pageMasks, mayHaveType, createPagePaths } from './rank/page-filter.ts'
import {
  choosePassages,
  type ChunkToPack,
  DEFAULT_BUDGET,
  describeChunk,
  packPassages,
  textOfChunk,
} from './pack-passages.ts'
import type { SearchRequest, SearchResult } from './passage.ts'
import type { SourceSegment } from './rank/corpus.ts'
import type { ImpactStore } from './rank/impact-cache.ts'
import { createRanker } from './rank/rank.ts'
import type { RuleNote, SearchRule, SourceLimit } from './rules/active-rules.ts'
import { joinMasks, type RuleMemory, ruledSearch } from './rules/rank-by-rules.ts'
import { cachedSegment, cachedTexts, type LoadSegment, type LoadTexts, type WantedText } from './segment-cache.ts'
import type { Segment } from './segment/open-segment.ts'
import { memoizeByObject } from '#lib/memoize-by-object.ts'
import { ByteCache } from './byte-cache.ts'
import type { Weights } from './weights.ts'
import { preferWordsAsWritten, READ_PAGES, type ReadRanking } from './words-as-written.ts'

export type SearchMemoryOptions = {
  /** Capacity of the segment cache. */
  cacheBytes: number
  /** Capacity of the cache of page texts. */
  textCacheBytes?: number
  weights?: Weights
  /** Store for impacts of frequent terms. By default local to this thread. */
  impacts?: ImpactStore
}

/** Caches kept between questions: segments, texts, and data derived from them. */
export type SearchMemory = ReturnType<typeof createSearchMemory>

export type RetrieverDeps = {
  loadSegment: LoadSegment
  loadTexts: LoadTexts
  /** Embeds questions for segments with embeddings of the same model. `embed` must not reject. */
  embeddings?: {
    model: string
    embed(query: string, accountId: string): Promise<Float32Array | null>
  } | null
}

/** The sources to search, and the account that owns the server. */
export type Searched = {
  sources: readonly SearchedSource[]
  accountId?: string
  /** Enabled retrieval rules, in the order in which they run. */
  rules?: readonly SearchRule[]
  /** Name of the called tool, for the conditions of rules. */
  tool?: string
}

/** A source, and the ids of its published segments. */
export type SearchedSource = { id: string; type: SourceType; segments: readonly string[] }

export type Retriever = {
  /**
   * Returns the passages that answer the request, best first. Skips segments and texts replaced in the meantime.
   * Rejects with the signal's reason when aborted, with `SegmentError` for a damaged segment, with `SegmentFormatError`
   * for another format, and with errors of the loaders.
   */
  retrieve(server: Searched, request: SearchRequest, signal?: AbortSignal): Promise<SearchResult>
  /** The ranking used by `retrieve`, before selection and truncation, of at most `depth` pages, or five. */
  rank(server: Searched, request: SearchRequest, depth: number): Promise<RuledRanking>
  catalogueOf: CatalogueOf
  /** Segments of the server's sources within the request's scope, from cache or store. */
  parts(server: Pick<Searched, 'sources'>, request: Pick<SearchRequest, 'sourceId' | 'type'>): Promise<SourceSegment[]>
  /** Markdown of pages by hash, without missing texts. */
  texts: (wanted: readonly WantedText[]) => Promise<Map<string, string>>
}

/** A ranking after the rules of the server. */
export type RuledRanking = ReadRanking &
  Pick<SearchResult, 'embeddings'> & {
    /** Effects of each rule. Empty if the server has none. */
    rules: RuleNote[]
    /** Ids of the sources that were searched. */
    searched: ReadonlySet<string>
    mostOf: SourceLimit | null
  }

/** Enough for several thousand pages of average size. */
export const TEXT_CACHE_BYTES = 32_000_000
/** Extra passages, to detect further results and to replace passages without text. */
export const SPARE = 3

export function createSearchMemory({ cacheBytes, textCacheBytes, weights, impacts }: SearchMemoryOptions) {
  const pathsOf = createPagePaths()
  const ruleMemory: RuleMemory = { masksOf: memoizeByObject(() => new Map()), pathsOf }
  return {
    segments: new ByteCache<Segment>(cacheBytes),
    texts: new ByteCache<string>(textCacheBytes ?? TEXT_CACHE_BYTES),
    rank: createRanker(weights, impacts, pathsOf),
    ruleMemory,
    catalogueOf: createCatalogues(),
  }
}

/** Creates a retriever. Several retrievers with different loaders may share one memory. */
export function createRetriever(deps: RetrieverDeps, memory: SearchMemory): Retriever {
  const { segments, rank: rankSegments, catalogueOf } = memory
  const textsOf: Retriever['texts'] = (wanted) => cachedTexts(memory.texts, wanted, deps.loadTexts)
  const partsOf: Retriever['parts'] = (server, request) => openParts(segments, deps.loadSegment, server, request)

  const rank: Retriever['rank'] = async (server, request, depth) => {
    const all = await partsOf(server, request)
    const given = { ...request, tool: server.tool ?? null, isScoped: request.sourceId !== undefined, now: Date.now() }
    const ruled = ruledSearch(server.rules, given, memory.ruleMemory)
    const { parts, masks } = ruled?.restrict(all) ?? { parts: all, masks: null }
    const own = await pageMasks(catalogueOf, parts, request)
    const { embeddings, embedding } = await embedQuestion(
      deps.embeddings ?? null,
      parts,
      request.query,
      server.accountId,
    )
    const byIndex = rankSegments(
      parts,
      { ...request, masks: joinMasks(own, masks), embedding, ...ruled?.options },
      Math.max(depth, READ_PAGES),
    )
    const ranking = await preferWordsAsWritten(byIndex, textsOf)
    return {
      ...ranking,
      ...ruled?.reorder(ranking),
      embeddings,
      rules: ruled?.notes ?? [],
      searched: new Set(parts.map(({ sourceId }) => sourceId)),
      mostOf: ruled?.mostOf ?? null,
    }
  }

  const retrieve: Retriever['retrieve'] = async (server, request, signal) => {
    signal?.throwIfAborted()
    const { limit, offset = 0, budget = DEFAULT_BUDGET } = request
    const wanted = offset + limit + SPARE
    const { chunks, texts, repaired, words, agreement, embeddings, mostOf } = await rank(server, request, wanted)
    const chosen = choosePassages(chunks, wanted, mostOf).slice(offset)
    const load = (described: readonly ChunkToPack[]) =>
      described.every(({ record }) => texts.has(record.textHash)) ? texts : textsOf(described.map(textOfChunk))
    let described = chosen.slice(0, limit).map(describeChunk)
    let found = await load(described)
    // Spare passages only replace passages without text.
    if (chosen.length > limit && described.some(({ record }) => !found.has(record.textHash))) {
      described = chosen.map(describeChunk)
      found = await load(described)
    }
    signal?.throwIfAborted()
    const packed = packPassages({ chunks: described, count: chosen.length, texts: found, limit, offset, budget })
    return { ...packed, repaired, words, agreement, embeddings }
  }

  return { retrieve, rank, catalogueOf, parts: partsOf, texts: textsOf }
}

type Embedded = { embeddings: SearchResult['embeddings']; embedding: QueryEmbedding | null }

/** Embeds the question if any segment has embeddings of the same model. */
async function embedQuestion(
  embedder: RetrieverDeps['embeddings'] | null,
  parts: readonly SourceSegment[],
  query: string,
  accountId = '',
): Promise<Embedded> {
  if (!embedder || !parts.some(({ segment }) => segment.embeddings?.model === embedder.model))
    return { embeddings: 'off', embedding: null }
  const vector = await embedder.embed(query, accountId)
  return vector === null
    ? { embeddings: 'failed', embedding: null }
    : { embeddings: 'used', embedding: { model: embedder.model, vector } }
}

async function openParts(
  segments: ByteCache<Segment>,
  load: LoadSegment,
  { sources }: Pick<Searched, 'sources'>,
  { sourceId, type }: Pick<SearchRequest, 'sourceId' | 'type'>,
): Promise<SourceSegment[]> {
  const parts: SourceSegment[] = []
  for (const source of sources) {
    if (sourceId !== undefined && source.id !== sourceId) continue
    // Only uploads can have files of another type.
    if (type !== undefined && type !== 'pdf' && source.type !== type) continue
    for (const id of source.segments) {
      const segment = segments.get(id) ?? (await cachedSegment(segments, id, load))
      if (segment === null || !mayHaveType({ segment, type: source.type }, type)) continue
      parts.push({ segment, sourceId: source.id, type: source.type, segmentId: id })
    }
  }
  return parts
}
