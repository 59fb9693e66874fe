import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { drawPdf } from '../../test/support/lib/draw-pdf.ts'
import { readLocalFile } from '#sources/read-local-file.ts'
import { limitsFor } from '#sources/pdf.ts'
import { RepositoryProcess } from './repository-process.ts'
import { killStarted } from '../../test/support/processes/kill-started.ts'
import { parseInChild } from './parse-in-child.ts'

const { signal } = new AbortController()
const manual = drawPdf([[{ x: 72, y: 700, text: 'Wipe the lens with a dry cloth.', size: 10, font: 'sans' }]])

describe('a parser failure', () => {
  test('reports a parser failure as a fault of the document, with its cause', async () => {
    const faults: unknown[] = []
    const onFault = (error: unknown, where: string) => faults.push([String(error), where])
    const input = { root: null as never, files: null }
    expect(await parseInChild({ name: 'api', input }, limitsFor(1), { signal, onFault })).toEqual({
      kind: 'killed',
      reason: 'fault',
      cause: expect.stringMatching(/^\S.{10,}[^.]$/),
    })
    expect(faults).toEqual([[expect.stringContaining('TypeError'), 'api']])
  })

  test('reads other files after a parser failure', async () => {
    await using child = new RepositoryProcess({ signal })
    const around = { child, parts: [], lineAnchor: null, signal, omitted: [], described: new Set<string>() }
    const read = async (path: string, bytes: Uint8Array<ArrayBuffer>) =>
      Array.fromAsync(readLocalFile({ path, kind: 'markdown', bytes }, `upload://docs/${path}`, around))
    expect(await read('bad.md', { byteLength: 1 } as never)).toMatchObject([
      {
        kind: 'failed',
        url: 'upload://docs/bad.md',
        reason: 'unreadable',
        detail: expect.stringMatching(/^Reading the file failed: .+\.$/),
      },
    ])
    expect(await read('good.md', new Uint8Array(Buffer.from('# Good')))).toMatchObject([{ title: 'Good' }])
  })
})

test.runIf(process.platform === 'linux')('reads a PDF even if its process waits long for the processor', async () => {
  using stopped = killStarted('document-worker', 'SIGSTOP', 1)
  const limits = { memoryMb: 256, killAfterMs: 2_000 }
  const reading = parseInChild({ name: 'pdf', input: { bytes: manual } }, limits, { signal })
  await expect.poll(() => stopped.pids.length).toBe(1)
  await sleep(2 * limits.killAfterMs)
  for (const pid of stopped.pids) process.kill(pid, 'SIGCONT')
  expect(await reading).toMatchObject({ kind: 'done', value: { kind: 'pdf' } })
})
