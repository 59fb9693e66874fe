import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createNetClient } from '#net/client.ts'
import { parseNetworks } from '#net/judge-address.ts'
import { createPacer } from '#net/pacing.ts'
import { drawPdf } from '../../test/support/lib/draw-pdf.ts'
import { parseInChild } from '#readers/parse-in-child.ts'
import { createReaderMemory } from '#workers/reader-memory.ts'
import { openCorpus } from '../../test/support/sites/corpora.ts'
import { sampleOf } from '../../test/support/lib/sample-of.ts'
import { limitsFor, readPdf, readPdfSource } from './pdf.ts'

const manual = drawPdf([[{ x: 72, y: 700, text: 'Wipe the lens with a dry cloth.', size: 10, font: 'sans' }]])
let server: Server
let base = ''

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/manual') response.writeHead(302, { location: '/files/lens-care.pdf' }).end()
    else if (request.url === '/files/lens-care.pdf') response.end(manual)
    else response.end('<!doctype html><title>Sign in</title>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(() => server.close())

async function read(path: string, signal = new AbortController().signal) {
  await using net = createNetClient({ allowNetworks: parseNetworks('127.0.0.1/32'), userAgent: 'Docent/test' })
  using pacer = createPacer()
  const source = { id: 'src_1', serverId: 'srv_1', url: base + path, type: 'pdf' as const }
  return await Array.fromAsync(readPdfSource({ net, pacer, signal }, source))
}

test('yields an untitled PDF as one document at its final URL, with its file name as title', async () => {
  expect(await read('/manual')).toEqual([
    {
      kind: 'document',
      url: `${base}/files/lens-care.pdf`,
      title: 'lens-care',
      markdown: 'Wipe the lens with a dry cloth.',
      language: null,
      pdfPages: 1,
      anchors: [{ offset: 0, anchor: 'page=1' }],
    },
  ])
})

test('fails with a sentence on a document that is not a PDF', async () => {
  await expect(read('/sign-in')).rejects.toMatchObject({ name: 'GiveUp', message: expect.stringContaining('no PDF') })
})

describe('a PDF reader process', () => {
  test('of a small file that becomes large ends below 200 MB, and the reason says so', async () => {
    // 200 MB of spaces, compressed twice.
    const content = deflateSync(deflateSync(Buffer.alloc(200_000_000, ' '), { level: 9 }), { level: 9 })
    const objects = [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>',
      `<< /Length ${content.length} /Filter [/FlateDecode /FlateDecode] >>\nstream\n${content.toString('latin1')}\nendstream`,
    ]
    const body = objects.map((text, n) => `${n + 1} 0 obj\n${text}\nendobj\n`).join('')
    const bytes = new Uint8Array(Buffer.from(`%PDF-1.4\n${body}trailer << /Root 1 0 R >>`, 'latin1'))
    expect(bytes.byteLength).toBeLessThan(3_000)
    const [signal, memory] = [AbortSignal.timeout(60_000), createReaderMemory(1_000)]
    const reserve = vi.spyOn(memory, 'reserve')
    await expect(readPdf(bytes, { signal, memory })).rejects.toThrow('Reading the PDF took too much memory. Divide it')
    expect(reserve.mock.calls.every(([megabytes]) => megabytes < 200)).toBe(true)
  })

  test('has more memory for larger files', () => {
    const memoryOf = (size: number) => limitsFor(size).memoryMb
    expect([0, 1 << 19, 1 << 20, 10 << 20].map(memoryOf)).toEqual([64, 112, 164, 200])
  })

  test('ends at its time limit, and when its signal aborts', async () => {
    const task = { name: 'pdf' as const, input: { bytes: manual } }
    const { signal } = new AbortController()
    expect(await parseInChild(task, { memoryMb: 256, killAfterMs: 1 }, { signal })).toEqual({
      kind: 'killed',
      reason: 'timeout',
    })
    await expect(parseInChild(task, limitsFor(1), { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow(
      'enough',
    )
    await expect(read('/manual', AbortSignal.timeout(1))).rejects.toThrow()
  })
})

const corpus = await openCorpus('pdf')

describe.skipIf(corpus === null)('PDF corpus', () => {
  const folder = corpus ?? ''
  const files = globSync('**/*.pdf', { cwd: folder })

  test('reads each PDF to text or a typed error', { timeout: 1_200_000 }, async () => {
    const ends: Record<string, number> = {}
    const tried = sampleOf(files.toSorted(), 0, 64)
    const queue = tried.values()
    const work = async () => {
      for (const file of queue) {
        const bytes = new Uint8Array(await readFile(join(folder, file)))
        const result = await parseInChild({ name: 'pdf', input: { bytes } }, limitsFor(bytes.byteLength), {
          signal: AbortSignal.timeout(60_000),
        })
        const end =
          result.kind === 'killed' ? result.reason : result.value.kind === 'pdf' ? 'text' : result.value.reason
        ends[end] = (ends[end] ?? 0) + 1
      }
    }
    await Promise.all([work(), work()])
    expect(files.length).toBeGreaterThan(500)
    expect(ends['text']).toBeGreaterThan(tried.length / 2)
    expect((ends['timeout'] ?? 0) + (ends['memory'] ?? 0)).toBeLessThan(10)
  })
})
