import type { SourceType } from '@docent/contract/values/sources'
import type { Anchor } from '#chunk/anchors.ts'
import { processPage } from '#readers/process-page.ts'
import { createLibrary } from '#documents/library.ts'
import { decodeOutline } from '#search/outline.ts'
import { runBuildTask } from '#search/build-tasks.ts'
import type { SearchRequest } from '#search/passage.ts'
import type { SearchPin } from '#search/rules/pinned-sections.ts'
import { createRetriever, createSearchMemory } from '#search/retrieve.ts'
import type { ServedSource } from '#store/servers/served.ts'
import { checkStructured } from './check-structured.ts'
import { fakeMcp, jsonOf, legacy } from './mcp-fakes.ts'

/** A page as a source provides it. Without a title its first heading is the title. Anchors need a title. */
type ShelfPage = { url: string; markdown: string; title?: string; anchors?: Anchor[] }
type ShelfSource = { type?: SourceType; label?: string; pages: readonly ShelfPage[] }

/** Text and structured content of a tool's answer. */
export type Told = { text: string; structured: any }

/**
 * A hosted server over pages that are really parsed, indexed and ranked, without store and network. `call` calls a tool
 * through the MCP handler; `fail` expects a refusal and returns its sentence.
 */
export function openShelf(...given: readonly ShelfSource[]) {
  const texts = new Map<string, Uint8Array>()
  const segments = new Map<string, Uint8Array>()
  const sources = given.map(({ type = 'docs', label, pages }, index): ServedSource => {
    const id = `src_${index + 1}`
    segments.set(id, segmentOf(pages, texts))
    const [first] = pages
    const url = new URL('/', first?.url ?? 'https://empty.example').href
    const counts = { pagesFound: pages.length, pagesIndexed: pages.length }
    return { id, url, type, label: label ?? null, crawlStatus: 'complete', ...counts, segments: [id] }
  })
  const loaders = {
    loadSegment: async (id: string) => segments.get(id) ?? null,
    loadTexts: async (_sourceId: string, hashes: string[]) => new Map(hashes.flatMap((hash) => entryOf(texts, hash))),
  }
  const retriever = createRetriever(loaders, createSearchMemory({ cacheBytes: 1e8 }))
  const openLibrary = createLibrary(retriever)
  const mcp = fakeMcp({
    context: {
      search: (request, signal) => retriever.retrieve({ sources }, request, signal),
      library: openLibrary({ sources }),
    },
    parts: () => retriever.parts({ sources }, {}),
    server: { sources, tools: TOOLS, structuredOutput: true },
  })
  const send = async (name: string, args: object) =>
    jsonOf(await mcp.send(legacy('tools/call', { name, arguments: args }, { 'MCP-Protocol-Version': '2025-11-25' })))
  return {
    ...mcp,
    library: openLibrary(mcp.server),
    /** A search of the sources with pins. */
    search: (request: SearchRequest, pins: readonly SearchPin[] = []) => retriever.retrieve({ sources, pins }, request),
    async call(name: string, args: object): Promise<Told> {
      const { result, error } = (await send(name, args)) as any
      if (error || mcp.failures.length > 0) throw new Error(error?.message, { cause: mcp.failures[0] })
      const [{ text }] = result.content
      checkStructured(name, result.structuredContent, sources)
      return { text, structured: result.structuredContent }
    },
    async fail(name: string, args: object): Promise<string> {
      const { error } = (await send(name, args)) as any
      return error.message
    },
  }
}

const TOOLS = [
  'search_docs',
  'query_source',
  'get_code_examples',
  'summarize_content',
  'find_api_reference',
  'get_changelog',
  'search_issues',
  'get_quickstart',
  'extract_schema',
  'ask_question',
]

function segmentOf(pages: readonly ShelfPage[], texts: Map<string, Uint8Array>): Uint8Array {
  const built = pages.map(({ url, markdown, title, anchors }) => {
    const given = title === undefined ? {} : { given: { title, language: 'en', ...(anchors ? { anchors } : {}) } }
    const task = { url, contentType: 'text/markdown; charset=utf-8', bytes: Buffer.from(markdown), ...given }
    const result = processPage(task)
    if (result.kind === 'rejected' || result.compressed === null) throw new Error(`${url} gives no page`)
    texts.set(result.textHash, result.compressed)
    const page = { url, title: result.page.title, anchorTexts: [], ...decodeOutline(result.outline) }
    return { page: { ...page, textHash: result.textHash }, markdown: result.compressed }
  })
  return runBuildTask({ kind: 'build', pages: built }) ?? new Uint8Array()
}

function entryOf(texts: Map<string, Uint8Array>, hash: string): [string, Uint8Array][] {
  const text = texts.get(hash)
  return text ? [[hash, text]] : []
}
