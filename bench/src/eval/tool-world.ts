import { zstdCompressSync } from 'node:zlib'
import type { CustomToolPlan } from '@docent/contract/values/custom-tool-plan'
import type { Content } from '@docent/server/builder/build-plan.ts'
import { chunkPage } from '@docent/server/chunk/chunk-page.ts'
import { extractMarkdown } from '@docent/server/extract/markdown/extract-markdown.ts'
import { createLibrary } from '@docent/server/documents/library.ts'
import { customTool } from '@docent/server/mcp/custom/custom-tool.ts'
import { lookUpPlaces } from '@docent/server/mcp/threads/look-up-places.ts'
import { tryPlan } from '@docent/server/mcp/custom/try-plan.ts'
import { surveyContent } from '@docent/server/mcp/custom/survey-content.ts'
import type { ToolContext } from '@docent/server/mcp/definition/tool.ts'
import { toolFor } from '@docent/server/mcp/tools/tools.ts'
import { textHash } from '@docent/server/readers/text-hash.ts'
import { runBuildTask } from '@docent/server/search/build-tasks.ts'
import { createPagePaths } from '@docent/server/search/rank/page-filter.ts'
import { createRetriever, createSearchMemory } from '@docent/server/search/retrieve.ts'
import { openSegment } from '@docent/server/search/segment/open-segment.ts'
import { readEvalSet } from './eval-set.ts'

/** A server over one set of documents, on which custom tools can be built and called. */
export type ToolWorld = {
  content: Content
  /** Calls a tool. Returns its text and the ids of the documents that it cites. */
  call(plan: CustomToolPlan, args: Record<string, unknown>): Promise<{ text: string; documents: string[] }>
}

const HOST = 'https://docs.test/'

/** Opens the documents of a set, of which `docset` keeps those whose id begins with it. */
export function openToolWorld(folder: string, docset: string | null): ToolWorld {
  const { documents, anchors } = readEvalSet(folder)
  const own = documents.filter(({ _id }) => docset === null || _id.startsWith(`${docset}/`))
  const byUrl = new Map<string, string>()
  const texts = new Map<string, Uint8Array>()
  const pages = own.map(({ _id, title, text }) => {
    const url = HOST + encodeURI(_id.replace(/^https?:\/\//, '')).replaceAll('#', '/')
    byUrl.set(url, _id)
    const extracted = extractMarkdown(text, url)
    if (extracted.kind === 'rejected') throw new Error(`A document gives no page: ${extracted.detail}`)
    const page = { ...extracted, title: title || extracted.title }
    const hash = textHash(page.title, page.markdown)
    texts.set(hash, zstdCompressSync(page.markdown))
    const chunks = chunkPage(page)
    return {
      page: { url, title: page.title, textHash: hash, language: null, anchorTexts: anchors.get(_id) ?? [], chunks },
      markdown: page.markdown,
    }
  })
  const segment = build(pages)
  const context = contextOf(segment, pages.length, texts)
  const parts = [{ segment: openSegment(segment), sourceId: 'all', type: 'docs', segmentId: 'all' } as const]
  return {
    content: {
      about: `${pages.length} pages`,
      survey: (topic) => surveyContent(context, topic),
      lookUp: async (questions) => lookUpPlaces(parts, [...questions], createPagePaths()),
      tryPlan: (draft) => tryPlan(context, draft, toolFor),
    },
    async call(plan, args) {
      const { content, citations = [] } = await customTool(plan, toolFor, []).prepare(args)(context)
      const text = content.map((block) => String(block['text'])).join('\n')
      return { text, documents: citations.map(({ url }) => byUrl.get(url.replace(/#.*/, '')) ?? url) }
    },
  }
}

function contextOf(
  segment: ReturnType<typeof build>,
  count: number,
  texts: ReadonlyMap<string, Uint8Array>,
): ToolContext {
  const retriever = createRetriever(
    {
      loadSegment: async () => segment,
      loadTexts: async (_, hashes) => new Map(hashes.flatMap((hash) => [[hash, texts.get(hash) ?? new Uint8Array()]])),
    },
    createSearchMemory({ cacheBytes: Number.MAX_SAFE_INTEGER }),
  )
  const source = {
    id: 'all',
    url: HOST,
    type: 'docs',
    label: null,
    crawlStatus: 'complete',
    segments: ['all'],
  } as const
  const counts = { pagesFound: count, pagesIndexed: count }
  const server = {
    id: 'srv',
    accountId: 'acc',
    plan: 'free',
    slug: 'docs',
    name: 'Documentation',
    description: null,
    visibility: 'public' as const,
    tools: [],
    structuredOutput: false,
    sources: [{ ...source, segments: [...source.segments], ...counts }],
  }
  return {
    server,
    library: createLibrary(retriever)(server),
    search: (request, signal) => retriever.retrieve(server, request, signal),
    model: null,
    reportFailure: (error) => {
      throw error
    },
    connectRemote: async () => {
      throw new Error('The documents have no remote server.')
    },
  }
}

function build(
  pages: Parameters<typeof runBuildTask>[0] extends infer T
    ? T extends { kind: 'build'; pages: infer P }
      ? P
      : never
    : never,
) {
  const built = runBuildTask({ kind: 'build', pages })
  if (built === null) throw new TypeError('A build gives a segment.')
  return runBuildTask({ kind: 'merge', segments: [built], keep: null }) ?? built
}
