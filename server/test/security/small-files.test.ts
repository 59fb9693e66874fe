import { readFileSync, readdirSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import { expect, inject, test } from 'vitest'
import { UNPACK, parseInChild } from '#readers/parse-in-child.ts'
import { readPdf } from '#sources/pdf.ts'
import { makeZip } from '../support/lib/make-archive.ts'

const [MOST_MB, MOST_SECONDS] = [256, 30]
const TICKS_PER_SECOND = 100

/** Watches the reader, which is a child of this process: its peak of memory, and its processor time. */
function watchReader() {
  const most = { mb: 0, seconds: 0 }
  const look = () => {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
        if (Number(stat[1]) !== process.pid) continue
        const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
        most.mb = Math.max(most.mb, Number(peak ?? 0) / 1024)
        most.seconds = Math.max(most.seconds, (Number(stat[11]) + Number(stat[12])) / TICKS_PER_SECOND)
      } catch {
        // It has ended.
      }
    }
  }
  const timer = setInterval(look, 10)
  return Object.assign(most, { [Symbol.dispose]: () => clearInterval(timer) })
}

/** A PDF of one page, whose content is packed several times. */
function makePdf(content: Buffer, times: number): Uint8Array {
  let packed = content
  for (let n = 0; n < times; n++) packed = deflateSync(packed, { level: 9 })
  const filters = Array.from({ length: times }, () => '/FlateDecode').join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    Buffer.concat([
      Buffer.from(`<< /Length ${packed.length} /Filter [${filters}] >>\nstream\n`),
      packed,
      Buffer.from('\nendstream'),
    ]),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  const body = objects.flatMap((object, at) => [
    Buffer.from(`${at + 1} 0 obj\n`),
    Buffer.from(object),
    Buffer.from('\nendobj\n'),
  ])
  return Buffer.concat([Buffer.from('%PDF-1.4\n'), ...body, Buffer.from('trailer << /Size 6 /Root 1 0 R >>\n%%EOF')])
}

const MB = 1_000_000
const PDFS: Record<string, () => Uint8Array> = {
  'spaces, packed twice': () => makePdf(Buffer.alloc(800 * MB, ' '), 2),
  'lines of text, packed twice': () =>
    makePdf(Buffer.alloc(300 * MB, 'BT /F1 12 Tf 10 700 Td (Hello world) Tj ET\n'), 2),
  'letters, packed three times': () => makePdf(Buffer.alloc(300 * MB, '(a) Tj '), 3),
}
const paragraph = `${'This page tells all about the quokka and its island. '.repeat(20)}\n\n`
const filesOf = (count: number, text: (at: number) => string) => () =>
  makeZip(Array.from({ length: count }, (_, at) => ({ path: `p${at}.md`, text: text(at) })))
/** With the number of files that are kept, or the refusal. */
const ZIPS = [
  ['files that are too large', filesOf(40, (at) => `# Page ${at}\n\n${paragraph.repeat(7_000)}`), 0],
  [
    'large files',
    filesOf(90, (at) => `# Page ${at}\n\n${paragraph.repeat(900)}`),
    { kind: 'rejected', detail: expect.stringContaining('more than 20 times its own size') },
  ],
  ['many small files', filesOf(15_000, (at) => `# Page ${at}\n\nWord w${at} is here.\n`), 15_000],
] as const

const reading = { signal: new AbortController().signal }

// Making these files takes seconds.
test.runIf(inject('isLong')).each(Object.entries(PDFS))(
  'a small PDF takes little memory and time, and is refused: %s',
  async (_, make) => {
    const bytes = make()
    expect(bytes.byteLength).toBeLessThan(10_000)
    using most = watchReader()
    await expect(readPdf(bytes, reading)).rejects.toMatchObject({
      name: 'GiveUp',
      message: expect.stringContaining('took too much memory'),
    })
    expect(most.mb).toBeLessThan(MOST_MB)
    expect(most.seconds).toBeLessThan(MOST_SECONDS)
  },
)

test.runIf(inject('isLong')).each(ZIPS)(
  'a small archive takes little memory and time: %s',
  async (_, make, outcome) => {
    const payload = make()
    expect(payload.byteLength).toBeLessThan(4 * MB)
    using most = watchReader()
    const task = { name: 'upload', input: { size: payload.byteLength, fileName: 'a.zip' } } as const
    const result = await parseInChild(task, UNPACK, { ...reading, payload })
    const value = result.kind === 'done' ? result.value : null
    expect(value?.kind === 'unpacked' ? value.files.length : value).toEqual(outcome)
    expect(most.mb).toBeLessThan(MOST_MB)
    expect(most.seconds).toBeLessThan(MOST_SECONDS)
  },
)
