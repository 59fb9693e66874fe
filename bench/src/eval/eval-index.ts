import { zstdCompressSync } from 'node:zlib'
import { chunkPage } from '@docent/server/chunk/chunk-page.ts'
import { extractMarkdown } from '@docent/server/extract/markdown/extract-markdown.ts'
import { textHash } from '@docent/server/readers/text-hash.ts'
import { type PageToBuild, runBuildTask } from '@docent/server/search/build-tasks.ts'
import type { EvalDocument, EvalSet } from './eval-set.ts'

/** An evaluation set indexed as by the service: a source with one segment for each of its document sets. */
export type EvalIndex = {
  sources: { id: string; segment: Uint8Array }[]
  /** Document ids by URL. */
  documents: Map<string, string>
  /** Compressed Markdown by hash. */
  texts: Map<string, Uint8Array>
  /** CPU milliseconds of building the segments, without chunking. */
  buildMs: number
}

/** Indexes the documents of a set with the chunker and the builder that crawls use. */
export function indexEvalSet({ documents, queries, anchors }: EvalSet): EvalIndex {
  const docsets = [...new Set(queries.flatMap(({ docset }) => docset ?? []))]
  const pages = new Map<string, PageToBuild[]>()
  const byUrl = new Map<string, string>()
  const texts = new Map<string, Uint8Array>()
  for (const [number, document] of documents.entries()) {
    // A number and not the id: ids are often paths, which would give the ranking extra information.
    const url = `https://corpus.test/${number}`
    byUrl.set(url, document._id)
    const source = docsets.find((docset) => document._id.startsWith(`${docset}/`)) ?? 'all'
    const page = indexPage(url, document, anchors.get(document._id) ?? [])
    texts.set(page.page.textHash, zstdCompressSync(page.markdown))
    const list = pages.get(source)
    if (list === undefined) pages.set(source, [page])
    else list.push(page)
  }
  const before = process.cpuUsage()
  const sources = [...pages].map(([id, list]) => {
    const built = runBuildTask({ kind: 'build', pages: list })
    if (built === null) throw new TypeError('A build gives a segment.')
    return { id, segment: runBuildTask({ kind: 'merge', segments: [built], keep: null }) ?? built }
  })
  const { user, system } = process.cpuUsage(before)
  return { sources, documents: byUrl, texts, buildMs: (user + system) / 1000 }
}

function indexPage(url: string, { title, text }: EvalDocument, anchorTexts: string[]): PageToBuild {
  const extracted = extractMarkdown(text, url)
  if (extracted.kind === 'rejected') throw new Error(`A document of the corpus gives no page: ${extracted.detail}`)
  const page = { ...extracted, title }
  return {
    page: {
      url,
      title: page.title,
      textHash: textHash(page.title, page.markdown),
      language: null,
      anchorTexts,
      chunks: chunkPage(page),
    },
    markdown: page.markdown,
  }
}
