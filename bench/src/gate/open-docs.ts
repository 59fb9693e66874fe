import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLibrary } from '@docent/server/documents/library.ts'
import type { ToolContext } from '@docent/server/mcp/definition/tool.ts'
import { toolFor } from '@docent/server/mcp/tools/tools.ts'
import { processPage } from '@docent/server/readers/process-page.ts'
import { runBuildTask } from '@docent/server/search/build-tasks.ts'
import { decodeOutline } from '@docent/server/search/outline.ts'
import { createRetriever, createSearchMemory } from '@docent/server/search/retrieve.ts'
import type { Weights } from '@docent/server/search/weights.ts'

/** Address of a page: this, and its path in the folder. */
export const HOST = 'https://docent.example/'

/** The index of a folder of Markdown files: one segment, and the compressed texts by hash. */
export type DocsIndex = { segment: Uint8Array; texts: ReadonlyMap<string, Uint8Array>; pages: number }

/** Structured content of a tool's answer. */
export type CallTool = (name: string, args: Record<string, unknown>) => Promise<Record<string, unknown>>

/** Indexes the Markdown files of a folder as a crawl of their site would. */
export function indexDocs(folder: string): DocsIndex {
  const read = globSync('**/*.md', { cwd: folder })
    .toSorted()
    .map((path) => {
      const url = HOST + path
      const page = processPage({ url, contentType: 'text/markdown', bytes: readFileSync(join(folder, path)) })
      if (page.kind === 'rejected' || page.unchanged) throw new Error(`${path} gives no page.`)
      return { url, ...page }
    })
  const links = Map.groupBy(
    read.flatMap(({ url: from, page }) => page.links.filter(({ url, inContent }) => inContent && url !== from)),
    ({ url }) => url,
  )
  const built = runBuildTask({
    kind: 'build',
    pages: read.map(({ url, page, textHash, compressed, outline }) => {
      const anchorTexts = (links.get(url) ?? []).map(({ text }) => text)
      return {
        page: { url, title: page.title, textHash, anchorTexts, ...decodeOutline(outline) },
        markdown: compressed,
      }
    }),
  })
  // Merging computes the latent space.
  const segment = built && runBuildTask({ kind: 'merge', segments: [built], keep: null })
  if (segment === null) throw new Error('The folder gives no index.')
  return { segment, texts: new Map(read.map(({ textHash, compressed }) => [textHash, compressed])), pages: read.length }
}

/** Opens a hosted server over the index, whose tools run in this process. */
export function openDocs({ segment, texts, pages }: DocsIndex, weights?: Weights): CallTool {
  const retriever = createRetriever(
    {
      loadSegment: async () => segment,
      loadTexts: async (_, hashes) => new Map(hashes.map((hash) => [hash, texts.get(hash) ?? new Uint8Array()])),
    },
    createSearchMemory({ cacheBytes: Number.MAX_SAFE_INTEGER, ...(weights && { weights }) }),
  )
  const server = serverOf(pages)
  const context: ToolContext = {
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
  return async (name, args) => {
    const tool = toolFor(name, server.sources)
    if (tool === undefined) throw new RangeError(`There is no tool ${name}.`)
    const { structuredContent } = await tool.prepare(args)(context)
    return structuredContent ?? {}
  }
}

function serverOf(pages: number): ToolContext['server'] {
  return {
    id: 'srv',
    accountId: 'acc',
    plan: 'free',
    slug: 'docs',
    name: 'Documentation',
    description: null,
    visibility: 'public',
    tools: ['search_docs', 'ask_question'],
    structuredOutput: true,
    sources: [
      {
        id: 'docs',
        url: HOST,
        type: 'docs',
        label: null,
        crawlStatus: 'complete',
        pagesFound: pages,
        pagesIndexed: pages,
        segments: ['docs'],
      },
    ],
  }
}
