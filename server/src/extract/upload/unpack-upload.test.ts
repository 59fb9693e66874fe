import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Header } from 'tar'
import { describe, expect, test } from 'vitest'
import { listArchives, SAFE_PATH } from '../../../test/support/sites/corpora.ts'
import { makeArchive, type ZipFile, makeZip } from '../../../test/support/lib/make-archive.ts'
import { type UnpackedUpload, type UploadLimits, unpackUpload } from './unpack-upload.ts'

const unpack = (bytes: Uint8Array<ArrayBuffer>, limits: Partial<UploadLimits> = {}, fileName = 'upload') =>
  unpackUpload({ bytes, fileName, limits })

function read(unpacked: UnpackedUpload) {
  if (unpacked.kind === 'rejected') return unpacked.detail
  return {
    files: Object.fromEntries(unpacked.files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()])),
    omissions: Object.fromEntries(unpacked.omissions.map(({ path, reason }) => [path, reason])),
  }
}

const bytes = (text: string) => new Uint8Array(Buffer.from(text))
const FILES = { 'README.md': '# Readme', 'guide/a b.html': '<h1>A</h1>', 'notes.txt': 'Notes', 'src/a.ts': 'export {}' }
const zipOf = (files: Record<string, string>) =>
  makeZip(Object.entries(files).map(([path, text]): ZipFile => ({ path, text })))

describe('an uploaded archive', () => {
  test.each([
    ['zip', zipOf(FILES)],
    ['tar', makeArchive(FILES, { compressed: false })],
    ['tar.gz', makeArchive(FILES)],
  ])('yields the files of a %s archive by path', async (_, archive) => {
    expect(read(await unpack(archive))).toEqual({ files: FILES, omissions: {} })
  })

  test('reports why it omits files', async () => {
    const odd = {
      'a.png': '1',
      'node_modules/a/a.md': '2',
      '__MACOSX/._a.md': '3',
      'data.csv': '4',
      '.git/x.html': '5',
      'html/_sources/a.rst.txt': '6',
    }
    expect(read(await unpack(zipOf(odd)))).toEqual({
      files: {},
      omissions: {
        'a.png': 'binary',
        node_modules: 'vendored',
        '__MACOSX/._a.md': 'not_documentation',
        'data.csv': 'not_documentation',
        '.git': 'not_documentation',
        'html/_sources/a.rst.txt': 'generated',
      },
    })
  })

  test('reads plain text in a folder named like that of the sources of pages', async () => {
    const files = { '_sources/notes.txt': 'A', 'my_sources/a.rst.txt': 'B' }
    expect(read(await unpack(zipOf(files)))).toEqual({ files, omissions: {} })
  })

  test.each(['third-party', 'vendor', 'export/third_party'])(
    'reads an archive that contains only the folder %s',
    async (top) => {
      const inside = { 'a.md': 'A', 'js/a.js': 'export {}', 'node_modules/b/b.md': 'B', 'vendor/c.md': 'C' }
      const archive = zipOf(Object.fromEntries(Object.entries(inside).map(([path, text]) => [`${top}/${path}`, text])))
      expect(read(await unpack(archive))).toEqual({
        files: { [`${top}/a.md`]: 'A', [`${top}/js/a.js`]: 'export {}' },
        omissions: { [`${top}/node_modules`]: 'vendored', [`${top}/vendor`]: 'vendored' },
      })
    },
  )

  test('omits third-party folders beside other files, and node_modules always', async () => {
    const others = { 'third-party/a.md': 'A', 'vendor/b.md': 'B' }
    expect(read(await unpack(zipOf({ ...others, 'c.md': 'C' })))).toEqual({
      files: { 'c.md': 'C' },
      omissions: { 'third-party': 'vendored', vendor: 'vendored' },
    })
    expect(read(await unpack(zipOf({ 'node_modules/a/a.md': 'A' })))).toEqual({
      files: {},
      omissions: { node_modules: 'vendored' },
    })
  })

  test('yields the intact files of a zip beside damaged ones', async () => {
    const archive = makeZip([
      { path: 'a.md', text: 'A', damaged: true },
      { path: 'b.md', text: 'B'.repeat(100), claimedSize: 50 },
      { path: 'c.md', text: 'C' },
    ])
    expect(read(await unpack(archive))).toEqual({
      files: { 'c.md': 'C' },
      omissions: { 'a.md': 'unreadable', 'b.md': 'unreadable' },
    })
  })

  test('omits password-protected files of a zip', async () => {
    const archive = makeZip([
      { path: 'a.md', text: 'A', encrypted: true },
      { path: 'b.md', text: 'B' },
    ])
    expect(read(await unpack(archive))).toEqual({ files: { 'b.md': 'B' }, omissions: { 'a.md': 'encrypted' } })
  })

  test('keeps the later of two files with one path', async () => {
    const archive = makeZip([
      { path: 'a.md', text: 'first' },
      { path: 'a.md', text: 'second' },
    ])
    expect(read(await unpack(archive))).toMatchObject({ files: { 'a.md': 'second' } })
  })
})

describe('path traversal in archives', () => {
  test('omits unsafe paths of a tar archive', async () => {
    const odd = { '../up.md': 'no', '/etc/absolute.md': 'no', 'a/../../up2.md': 'no', './fine.md': 'yes' }
    expect(read(await unpack(makeArchive(odd)))).toEqual({
      files: { 'fine.md': 'yes' },
      omissions: { 'up.md': 'unsafe_path', 'etc/absolute.md': 'unsafe_path', 'a/up2.md': 'unsafe_path' },
    })
  })

  test.each(['../up.md', '/etc/absolute.md', 'a/../../up.md', 'C:/windows.md', String.raw`..\up.md`])(
    'rejects a zip archive with the path %s',
    async (path) => {
      const detail = 'The archive cannot be read: it has a path that leads out of it.'
      expect(read(await unpack(zipOf({ 'a.md': 'A', [path]: 'no' })))).toBe(detail)
    },
  )

  test('omits links from tar and zip archives', async () => {
    const header = new Header({ path: 'l.md', type: 'SymbolicLink', linkpath: '/etc/passwd', size: 0, mode: 0o777 })
    header.encode()
    const tar = Buffer.concat([header.block ?? Buffer.alloc(0), makeArchive({ 'a.md': 'A' }, { compressed: false })])
    const zip = makeZip([
      { path: 'l.md', text: '/etc/passwd', mode: 0o120777 },
      { path: 'a.md', text: 'A' },
    ])
    for (const archive of [new Uint8Array(tar), zip]) {
      expect(read(await unpack(archive))).toEqual({ files: { 'a.md': 'A' }, omissions: { 'l.md': 'link' } })
    }
  })
})

describe('archive limits', () => {
  const a = { 'a.md': 'x'.repeat(900), 'b.md': 'x'.repeat(900) }
  const two = [
    ['zip', zipOf(a)],
    ['tar', makeArchive(a)],
  ] as const

  test.each(two)('accepts the maximum number of entries and no more (%s)', async (_, archive) => {
    expect(await unpack(archive, { entries: 2 })).toMatchObject({ kind: 'unpacked' })
    expect(read(await unpack(archive, { entries: 1 }))).toBe('The archive cannot be read: it has too many files.')
  })

  test.each(two)('keeps the maximum number of bytes and no more (%s)', async (_, archive) => {
    expect(await unpack(archive, { keptBytes: 1_800 })).toMatchObject({ files: [{}, {}], omissions: [] })
    expect(await unpack(archive, { keptBytes: 1_799 })).toMatchObject({
      files: [{}],
      omissions: [{ reason: 'too_large' }],
    })
  })

  test.each([
    ['zip', two[0][1], 1_800],
    ['tar', two[1][1], 4_096],
  ] as const)('accepts the maximum decompressed size and no more (%s)', async (_, archive, size) => {
    expect(await unpack(archive, { archiveBytes: size })).toMatchObject({ kind: 'unpacked' })
    expect(read(await unpack(archive, { archiveBytes: size - 1 }))).toMatch(/it holds more than \d+ MB/)
  })

  test('accepts twelve megabytes of any archive, and of larger ones 20 times their size', async () => {
    const documents = (megabytes: number) =>
      Object.fromEntries(Array.from({ length: megabytes / 4 }, (_, n) => [`${n}.txt`, 'four'.repeat(1_000_000)]))
    expect(await unpack(zipOf(documents(12)))).toMatchObject({ kind: 'unpacked', files: [{}, {}, {}] })
    expect(read(await unpack(zipOf({ ...documents(12), 'more.txt': '.' })))).toBe(
      'The archive cannot be read: it holds more than 12 MB. That is more than 20 times its own size. Upload its files in several archives.',
    )
    expect(read(await unpack(makeArchive(documents(16))))).toContain('more than 20 times its own size')
    const larger = zipOf({ 'b.png': Buffer.from(randomBytes(900_000, 7)).toString('hex'), ...documents(16) })
    expect(await unpack(larger)).toMatchObject({ kind: 'unpacked', files: [{}, {}, {}, {}] })
  })

  test('stops a zip bomb at its declared size', async () => {
    const archive = makeZip([{ path: 'a.md', text: '\0'.repeat(20_000_000), claimedSize: 10 }])
    expect(archive.length).toBeLessThan(30_000)
    expect(read(await unpack(archive))).toEqual({ files: {}, omissions: { 'a.md': 'unreadable' } })
  })
})

describe('uploads other than archives', () => {
  test('reads a single file by its name or PDF signature', async () => {
    expect(read(await unpack(bytes('# A'), {}, 'a.md'))).toEqual({ files: { 'a.md': '# A' }, omissions: {} })
    expect(read(await unpack(bytes('%PDF-1.4 …'), {}, 'manual'))).toMatchObject({
      files: { 'manual.pdf': '%PDF-1.4 …' },
    })
  })

  test.each([
    ['an unsupported file type', bytes('\x7fELF'), 'program', /"program" is nothing that can be read/],
    [
      'a text that is too large',
      new Uint8Array(30 << 20).fill(97),
      'big.md',
      /^"big\.md" has 30 MB, and a file of its kind can have 4 MB\. Divide it into smaller files\.$/,
    ],
    [
      'an empty zip',
      new Uint8Array(Buffer.concat([Buffer.from('PK\x05\x06'), Buffer.alloc(18)])),
      'a.zip',
      /nothing in it/,
    ],
    ['a truncated zip', zipOf(FILES).slice(0, 100), 'a.zip', /it is damaged/],
    [
      'a zip with a password',
      makeZip([{ path: 'a.md', text: 'A', encrypted: true }]),
      'a.zip',
      /protected by a password/,
    ],
    ['a compressed single file', new Uint8Array(gzipSync('# A')), 'a.md.gz', /cannot be read/],
    ['an archive compressed twice', new Uint8Array(gzipSync(makeArchive(FILES))), 'a.gz', /compressed twice/],
  ])('rejects %s with a sentence', async (_, content, name, sentence) => {
    const told = read(await unpack(content, {}, name))
    expect(told).toMatch(sentence)
    expect(told).toMatch(/^["A-Z][^\n]+\.$/)
  })
})

describe('detection of uploads by content', () => {
  // Regression: a tar header has numbers at 100 to 155, and out-of-range binary numbers there made the parser throw.
  const pdf = (byte: number) => {
    const content = new Uint8Array(2_048).fill(byte)
    content.set(Buffer.from('%PDF-1.7\n'))
    return content
  }

  test.each([0x80, 0xff, 0xfe, 0x00])('recognises a PDF filled with bytes %i', async (byte) => {
    for (const name of ['manual.pdf', 'manual']) {
      expect(await unpack(pdf(byte), {}, name)).toMatchObject({ files: [{ path: 'manual.pdf', kind: 'pdf' }] })
    }
  })

  test('recognises a PDF with a valid tar checksum', async () => {
    const tar = makeArchive({ '%PDF-1.7 a.md': 'A' }, { compressed: false })
    expect(await unpack(tar, {}, 'manual.pdf')).toMatchObject({ files: [{ path: 'manual.pdf', kind: 'pdf' }] })
  })

  test('never throws, whatever the bytes', async () => {
    const starts = [zipOf(FILES), makeArchive(FILES), makeArchive(FILES, { compressed: false }), bytes('%PDF-1.7')]
    const starting = ['', 'PK\u0003\u0004', '\u001f\u008b\u0008', '\u001f\u008b', '{', '<', '%PDF-']
    const samples = [
      ...starts.flatMap((whole) => [1, 5, 30, 511, 512, 513, 600].map((end) => whole.slice(0, end))),
      ...starting.flatMap((start) =>
        Array.from({ length: 30 }, (_, seed) => {
          const content = randomBytes(seed * 40, seed + 1)
          content.set(Buffer.from(start, 'latin1').subarray(0, content.length))
          return content
        }),
      ),
      // Archives with one damaged range.
      ...starts.flatMap((whole) =>
        Array.from({ length: 20 }, (_, seed) => {
          const content = whole.slice()
          content.set(randomBytes(8, seed + 1).subarray(0, content.length), Math.min(seed * 25, content.length - 8))
          return content
        }),
      ),
    ]
    for (const [at, sample] of samples.entries()) {
      for (const name of ['file', 'file.pdf', 'file.json', 'file.md', 'file.zip']) {
        const { kind } = await unpack(sample, {}, name).catch((error: unknown) => ({ kind: `${at} ${name}: ${error}` }))
        expect(['unpacked', 'rejected']).toContain(kind)
      }
    }
  })
})

/** Returns deterministic bytes for a seed (xorshift). */
function randomBytes(length: number, seed: number): Uint8Array<ArrayBuffer> {
  let state = seed * 0x9e3779b1
  return Uint8Array.from({ length }, () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state & 0xff
  })
}

const archives = await listArchives()

describe.skipIf(archives === null)('the corpus of archives', () => {
  test('yields safe paths or an error sentence for each archive', async () => {
    expect(archives?.length).toBeGreaterThan(40)
    let unpackedOnes = 0
    for (const archive of archives ?? []) {
      const unpacked = await unpack(new Uint8Array(await readFile(archive)), {}, basename(archive))
      if (unpacked.kind === 'rejected') {
        expect(unpacked.detail).toMatch(/^["A-Z][^\n]+\.$/)
        continue
      }
      unpackedOnes += 1
      for (const { path } of [...unpacked.files, ...unpacked.omissions]) {
        expect({ archive, path }).toEqual({ archive, path: expect.stringMatching(SAFE_PATH) })
      }
    }
    expect(unpackedOnes).toBeGreaterThan(15)
  })
})
