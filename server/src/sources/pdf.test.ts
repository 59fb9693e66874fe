import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createNetClient } from '#net/client.ts'
import { parseNetworks } from '#net/judge-address.ts'
import { createPacer } from '#net/pacing.ts'
import { drawPdf } from '../../test/support/lib/draw-pdf.ts'
import { parseInChild } from '#readers/parse-in-child.ts'
import { openCorpus } from '../../test/support/sites/corpora.ts'
import { sampleOf } from '../../test/support/lib/sample-of.ts'
import { limitsFor, readPdfSource } from './pdf.ts'

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
    const tried = sampleOf(files.toSorted(), 0, 32)
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
