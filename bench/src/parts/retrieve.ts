import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { zstdCompressSync } from 'node:zlib'
import { chunkPage } from '@docent/server/chunk/chunk-page.ts'
import { extractPage } from '@docent/server/extract/extract-page.ts'
import { textHash } from '@docent/server/readers/text-hash.ts'
import { type BuildTask, type PageToBuild, runBuildTask } from '@docent/server/search/build-tasks.ts'
import { createRetriever, createSearchMemory } from '@docent/server/search/retrieve.ts'
import { openSegment } from '@docent/server/search/segment/open-segment.ts'
import { UsageError } from '#lib/usage-error.ts'

type Page = PageToBuild & { markdown: string }

/** The code is compiled after some thousand questions. */
const WARM_UP_ROUNDS = 6
const ROUNDS = 4
const QUESTIONS = 400

/**
 * Cost of the search engine without HTTP and store: `--pages DIR` is a folder of HTML files. CPU milliseconds per page
 * for building and for merging with vectors, milliseconds to open, bytes besides the compressed text, and CPU
 * milliseconds per question with its five passages. Questions are headings of the pages.
 */
export async function run(args: string[]): Promise<Record<string, unknown>> {
  const { pages: folder } = parseArgs({ args, options: { pages: { type: 'string' } } }).values
  if (folder === undefined) throw new UsageError('Give a folder of HTML files: --pages DIR')
  const pages = readPages(resolve(folder))
  const texts = new Map(pages.map(({ page, markdown }) => [page.textHash, zstdCompressSync(markdown)]))
  const textBytes = [...texts.values()].reduce((sum, { byteLength }) => sum + byteLength, 0)
  runTask({ kind: 'build', pages })
  const built = runTask({ kind: 'build', pages })
  const merged = runTask({ kind: 'merge', segments: [built.bytes], keep: null })
  const before = performance.now()
  const segment = openSegment(merged.bytes)
  const openMs = performance.now() - before
  return {
    pages: pages.length,
    passages: segment.chunkCount,
    buildCpuMsPerPage: round(built.cpuMs / pages.length),
    vectorsCpuMsPerPage: round(merged.cpuMs / pages.length),
    openMs: round(openMs),
    segmentBytes: merged.bytes.byteLength,
    segmentToCompressedText: round(merged.bytes.byteLength / textBytes),
    ...(await measureQuestions(merged.bytes, texts, pages)),
  }
}

function readPages(folder: string): Page[] {
  return globSync('**/*.html', { cwd: folder })
    .toSorted()
    .flatMap((file) => {
      const url = `http://site.example/${file}`
      const page = extractPage({
        url,
        contentType: 'text/html; charset=utf-8',
        bytes: readFileSync(join(folder, file)),
      })
      if (page.kind === 'rejected') return []
      const { title, language, markdown } = page
      const hash = textHash(title, markdown)
      return [{ page: { url, title, textHash: hash, language, anchorTexts: [], chunks: chunkPage(page) }, markdown }]
    })
}

function runTask(task: BuildTask): { bytes: Uint8Array; cpuMs: number } {
  const before = process.cpuUsage()
  const bytes = runBuildTask(task)
  const { user, system } = process.cpuUsage(before)
  if (bytes === null) throw new Error('There are too few pages to measure anything.')
  return { bytes, cpuMs: (user + system) / 1000 }
}

async function measureQuestions(bytes: Uint8Array, texts: Map<string, Uint8Array>, pages: readonly Page[]) {
  const retriever = createRetriever(
    {
      loadSegment: async () => bytes,
      loadTexts: async (_, hashes) => new Map(hashes.flatMap((hash) => [[hash, texts.get(hash) ?? new Uint8Array()]])),
    },
    createSearchMemory({ cacheBytes: Number.MAX_SAFE_INTEGER }),
  )
  const about = {
    url: '',
    type: 'website',
    label: null,
    crawlStatus: 'complete',
    pagesFound: 0,
    pagesIndexed: 0,
  } as const
  const server = { sources: [{ id: 'site', segments: ['all'], ...about }] }
  const headings = pages.flatMap(({ page }) =>
    page.chunks.map((chunk) => `${page.title} ${chunk.headings.at(-1) ?? ''}`),
  )
  const questions = headings.filter((_, index) => index % Math.ceil(headings.length / QUESTIONS) === 0)
  let answerBytes = 0
  const ask = async () => {
    answerBytes = 0
    for (const query of questions)
      for (const { passage } of (await retriever.retrieve(server, { query, limit: 5 })).passages)
        answerBytes += Buffer.byteLength(passage)
  }
  for (let done = 0; done < WARM_UP_ROUNDS; done++) await ask()
  const before = process.cpuUsage()
  for (let done = 0; done < ROUNDS; done++) await ask()
  const { user, system } = process.cpuUsage(before)
  return {
    questions: questions.length,
    cpuMsPerQuestion: round((user + system) / 1000 / ROUNDS / questions.length),
    meanPassageBytes: Math.round(answerBytes / questions.length),
  }
}

function round(value: number): number {
  return Number(value.toFixed(3))
}
