import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import type { EvidenceSize } from '@docent/server/answer/question-parts.ts'
import { chunkPage } from '@docent/server/chunk/chunk-page.ts'
import { extractMarkdown } from '@docent/server/extract/markdown/extract-markdown.ts'
import { extractPage } from '@docent/server/extract/extract-page.ts'
import { textHash } from '@docent/server/readers/text-hash.ts'
import { type PageToBuild, runBuildTask } from '@docent/server/search/build-tasks.ts'
import { createLibrary } from '@docent/server/documents/library.ts'
import { withAskedPassages } from '@docent/server/documents/reference/asked-passages.ts'
import type { AnalyserOf } from '@docent/server/search/analyse/word-analyser.ts'
import type { SearchRequest, SearchResult } from '@docent/server/search/passage.ts'
import { createRetriever, createSearchMemory } from '@docent/server/search/retrieve.ts'
import { type EvalSet, readEvalSet } from '#eval/eval-set.ts'
import { readQuestions } from '#eval/questions.ts'

/** A hosted server with questions that it can answer. */
export type World = {
  name: string
  /** The search of `ask_question`. */
  search(query: string, size: EvidenceSize, subject: string | null): Promise<FoundForAsk>
  questions: { id: string; text: string; right: ReadonlySet<string> }[]
}

export type FoundForAsk = SearchResult &
  Pick<Awaited<ReturnType<typeof withAskedPassages>>, 'endpoint' | 'release'> & { analyserOf?: AnalyserOf }

type Page = PageToBuild & { markdown: string }

/** A folder of an evaluation set. If its questions name different sets of documents, each of these is a server. */
export function readSetWorlds(name: string, folder: string): World[] {
  const set = readEvalSet(folder)
  const docsets = [...new Set(set.queries.map(({ docset }) => docset ?? null))]
  return docsets.map((docset) => setWorld(docset === null ? name : `${name}/${docset}`, set, docset))
}

function setWorld(name: string, { documents, queries, grades, anchors }: EvalSet, docset: string | null): World {
  const own = documents.filter(({ _id }) => docset === null || _id.startsWith(`${docset}/`))
  const urls = new Map(own.map(({ _id }, index) => [_id, `https://corpus.test/${index}`]))
  const readPages = () =>
    own.map(({ _id, title, text }): Page => {
      const url = urls.get(_id) ?? ''
      // As an upload of the document would be.
      const extracted = extractMarkdown(
        text.trimStart().startsWith(`# ${title}\n`) ? text : `# ${title}\n\n${text}`,
        url,
      )
      if (extracted.kind === 'rejected') throw new Error(`A document of the corpus gives no page: ${extracted.detail}`)
      return toPage(extracted, url, anchors.get(_id) ?? [])
    })
  const questions = queries
    .filter((query) => (query.docset ?? null) === docset)
    .map(({ _id, text }) => {
      const graded = [...(grades.get(_id) ?? [])].filter(([, grade]) => grade > 0)
      return { id: _id, text, right: new Set(graded.flatMap(([id]) => urls.get(id) ?? [])) }
    })
  return { name, search: searchOf(readPages), questions: questions.filter(({ right }) => right.size > 0) }
}

/** A folder of HTML pages, with a file of questions `{set: [{q, right: [path, …]}]}`. */
export function readSiteWorld(
  name: string,
  { pages, questions, set }: { pages: string; questions: string; set: string },
) {
  const files = globSync('**/*.html', { cwd: pages }).toSorted()
  const read = files.flatMap((file): Page[] => {
    const url = `https://site.test/${file.replace(/(?:index)?\.html$/, '').replace(/\/$/, '')}`
    const bytes = readFileSync(join(pages, file))
    const page = extractPage({ bytes, url, contentType: 'text/html' })
    return page.kind === 'rejected' ? [] : [toPage(page, url, [])]
  })
  const asked = (readQuestions(questions).get(set) ?? []).map(({ q, right }) => ({
    id: q,
    text: q,
    right: new Set(right.map((path) => `https://site.test${path}`)),
  }))
  return { name, search: searchOf(() => read), questions: asked } satisfies World
}

type Extracted = Parameters<typeof chunkPage>[0] & { title: string; markdown: string; language?: string | null }

function toPage(page: Extracted, url: string, anchorTexts: string[]): Page {
  const { title, markdown, language = null } = page
  const hash = textHash(title, markdown)
  return { page: { url, title, textHash: hash, language, anchorTexts, chunks: chunkPage(page) }, markdown }
}

/** Indexes the pages at the first search. */
function searchOf(readPages: () => readonly Page[]): World['search'] {
  let search: World['search'] | undefined
  return (...given) => {
    search ??= openWorld(readPages())
    return search(...given)
  }
}

function openWorld(pages: readonly Page[]): World['search'] {
  const built = runBuildTask({ kind: 'build', pages })
  if (built === null) throw new TypeError('A build gives a segment.')
  const segment = runBuildTask({ kind: 'merge', segments: [built], keep: null }) ?? built
  const texts = new Map(pages.map(({ page, markdown }) => [page.textHash, zstdCompressSync(markdown)]))
  const retriever = createRetriever(
    {
      loadSegment: async () => segment,
      loadTexts: async (_, hashes) => new Map(hashes.flatMap((hash) => [[hash, texts.get(hash) ?? new Uint8Array()]])),
    },
    createSearchMemory({ cacheBytes: Number.MAX_SAFE_INTEGER }),
  )
  const about = { url: '', type: 'docs', label: null, crawlStatus: 'complete', pagesFound: 0, pagesIndexed: 0 } as const
  const server = { sources: [{ id: 'all', segments: ['all'], ...about }] }
  const library = createLibrary(retriever)(server)
  const search = (request: SearchRequest, signal?: AbortSignal) => retriever.retrieve(server, request, signal)
  return async (query, size, subject) => {
    const result = await search({ query, ...size })
    const found = await withAskedPassages({ server, library, search }, { question: query, subject, result }, undefined)
    return { ...found, analyserOf: library.analyserOf }
  }
}
