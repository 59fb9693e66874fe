import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { zstdCompressSync } from 'node:zlib'
import { chunkPage } from '@docent/server/chunk/chunk-page.ts'
import { decodeText } from '@docent/server/extract/decode.ts'
import { extractPage } from '@docent/server/extract/extract-page.ts'
import type { ExtractedPage, PageInput } from '@docent/server/extract/extracted-page.ts'
import { parseHtml } from '@docent/server/extract/html/html-tree.ts'
import { PagePool } from '@docent/server/readers/page-pool.ts'
import { processPage } from '@docent/server/readers/process-page.ts'
import { textHash } from '@docent/server/readers/text-hash.ts'
import { UsageError } from '#lib/usage-error.ts'

/** Passes over all pages before the measurement: the code is compiled after some 1,000 pages. */
const WARM_UPS = 2
/** Fetches in flight while a site is crawled. */
const IN_FLIGHT = 16

/**
 * Cost of reading a page: `--pages DIR` is a folder of HTML files, of which at most `--limit` are read (default 600).
 * CPU milliseconds per page for each stage and for all of them, and pages per second through the worker pool.
 */
export async function run(args: string[]): Promise<Record<string, unknown>> {
  const { values } = parseArgs({
    args,
    options: { pages: { type: 'string' }, limit: { type: 'string', default: '600' } },
  })
  if (values.pages === undefined) throw new UsageError('Give a folder of HTML files: --pages DIR')
  const inputs = readPages(resolve(values.pages), Number(values.limit))
  for (let i = 0; i < WARM_UPS; i++) for (const input of inputs) processPage(input)
  const pages = inputs.map(extractPage).filter((page) => page.kind === 'page')
  return {
    pages: inputs.length,
    rejected: inputs.length - pages.length,
    meanHtmlBytes: Math.round(inputs.reduce((sum, { bytes }) => sum + bytes.byteLength, 0) / inputs.length),
    cpuMsPerPage: { ...stages(inputs, pages), all: cpuMs(inputs, processPage) },
    pool: await throughPool(inputs),
  }
}

function readPages(folder: string, limit: number): PageInput[] {
  const files = globSync('**/*.html', { cwd: folder }).toSorted()
  if (files.length === 0) throw new Error(`There is no .html file below ${folder}.`)
  const step = Math.max(1, Math.ceil(files.length / limit))
  return files
    .filter((_, index) => index % step === 0)
    .map((file) => ({
      url: `http://site.example/${file}`,
      contentType: 'text/html; charset=utf-8',
      bytes: new Uint8Array(readFileSync(join(folder, file))),
    }))
}

function stages(inputs: PageInput[], pages: ExtractedPage[]): Record<string, number> {
  const html = inputs.map(({ bytes }) => decodeText(bytes, 'text/html; charset=utf-8') ?? '')
  const extract = cpuMs(inputs, extractPage)
  const decode = cpuMs(inputs, ({ bytes, contentType }) => decodeText(bytes, contentType))
  const parse = cpuMs(html, parseHtml)
  return {
    decode,
    parse,
    restOfExtract: round(extract - decode - parse),
    chunk: cpuMs(pages, chunkPage),
    hash: cpuMs(pages, ({ title, markdown }) => textHash(title, markdown)),
    compress: cpuMs(pages, ({ markdown }) => zstdCompressSync(Buffer.from(markdown))),
  }
}

/** Mean CPU milliseconds of `work` per item. */
function cpuMs<T>(items: T[], work: (item: T) => unknown): number {
  const before = process.cpuUsage()
  for (const item of items) work(item)
  const { user, system } = process.cpuUsage(before)
  return round((user + system) / 1_000 / Math.max(1, items.length))
}

/** Sends all pages through a pool as a crawl does. CPU time includes all threads, and sending and receiving. */
async function throughPool(inputs: PageInput[]): Promise<Record<string, number>> {
  await using processes = new PagePool()
  const pool = processes.share()
  const send = async (batch: PageInput[]) => {
    const left = batch.values()
    const lane = async () => {
      for (const input of left) await pool.process({ ...input, bytes: input.bytes.slice() })
    }
    await Promise.all(Array.from({ length: IN_FLIGHT }, lane))
  }
  for (let i = 0; i < WARM_UPS; i++) await send(inputs)
  const begun = performance.now()
  const before = process.cpuUsage()
  await send(inputs)
  const { user, system } = process.cpuUsage(before)
  const cpuSeconds = (user + system) / 1e6
  return {
    threads: processes.size,
    pagesPerSecond: round((inputs.length * 1_000) / (performance.now() - begun)),
    pagesPerCpuSecond: round(inputs.length / cpuSeconds),
    cpuMsPerPage: round((cpuSeconds * 1_000) / inputs.length),
  }
}

function round(value: number): number {
  return Number(value.toFixed(3))
}
