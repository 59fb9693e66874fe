import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Header } from 'tar'
import { describe, expect, test, afterAll, beforeAll } from 'vitest'
import { listArchives, SAFE_PATH } from '../../../test/support/sites/corpora.ts'
import { makeArchive } from '../../../test/support/lib/make-archive.ts'
import { unpackArchive, unpackPack } from './unpack-repository.ts'

const files = (unpacked: Awaited<ReturnType<typeof unpackArchive>>) => {
  if (unpacked.kind !== 'unpacked') throw new Error(unpacked.detail)
  return Object.fromEntries(unpacked.files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()]))
}

describe('a repository archive', () => {
  const readme = { 'top/README.md': '# Readme', 'top/docs/a.md': 'A', 'top/src/a.ts': 'export const a = 1' }

  test.each([
    ['compressed', makeArchive(readme)],
    ['not compressed', makeArchive(readme, { compressed: false })],
  ])('reads the files below the top folder of an archive (%s)', async (_, bytes) => {
    const unpacked = await unpackArchive(bytes, '')
    expect(files(unpacked)).toEqual({ 'README.md': '# Readme', 'docs/a.md': 'A', 'src/a.ts': 'export const a = 1' })
  })

  test.each([
    ['compressed twice', gzipSync(makeArchive(readme))],
    ['compressed once', makeArchive(readme)],
    ['compressed only for transfer', gzipSync(makeArchive(readme, { compressed: false }))],
  ])('reads an archive sent with Content-Encoding gzip (%s)', async (_, bytes) => {
    const unpacked = await unpackArchive(new Uint8Array(bytes), '', { encoding: 'gzip' })
    expect(Object.keys(files(unpacked))).toHaveLength(3)
  })

  test('rejects a bomb in the transfer encoding without decompressing it whole', async () => {
    const bomb = new Uint8Array(gzipSync(gzipSync(Buffer.alloc(64 << 20))))
    const limits = { encoding: 'gzip', archiveBytes: 1 << 20 }
    expect(await unpackArchive(bomb, '', limits)).toMatchObject({ kind: 'rejected' })
    expect(await unpackArchive(bomb, '', { encoding: 'br' })).toMatchObject({
      detail: expect.stringContaining('unknown encoding'),
    })
  })

  test('reads an archive with 64 MiB of trailing zeros in less than 5 s', async () => {
    const bytes = Buffer.concat([makeArchive(readme, { compressed: false }), Buffer.alloc(64 << 20)])
    const began = process.cpuUsage()
    expect(Object.keys(files(await unpackArchive(new Uint8Array(bytes), '')))).toHaveLength(3)
    // The parser alone takes 25 s for these bytes.
    expect(process.cpuUsage(began).user / 1e6).toBeLessThan(5)
  })

  test('yields only the files within a scope', async () => {
    expect(files(await unpackArchive(makeArchive(readme), 'docs'))).toEqual({ 'docs/a.md': 'A' })
    expect(files(await unpackArchive(makeArchive(readme), 'src/a.ts'))).toEqual({ 'src/a.ts': 'export const a = 1' })
  })

  test('ignores paths that lead out of the archive', async () => {
    const odd = {
      '../up.md': 'no',
      '/etc/absolute.md': 'no',
      'top/../../up.md': 'no',
      'top/a/../b.md': 'no',
      'top/./fine.md': 'yes',
    }
    const unpacked = await unpackArchive(makeArchive(odd), '')
    expect(Object.values(files(unpacked))).not.toContain('no')
  })

  test('omits symbolic links', async () => {
    const link = new Header({
      path: 'top/link.md',
      type: 'SymbolicLink',
      linkpath: '/etc/passwd',
      size: 0,
      mode: 0o777,
    })
    link.encode()
    const unpacked = await unpackArchive(
      Buffer.concat([link.block ?? Buffer.alloc(0), makeArchive({ 'top/a.md': 'A' }, { compressed: false })]),
      '',
    )
    expect(unpacked).toMatchObject({ files: [{ path: 'a.md' }], omissions: [{ path: 'link.md', reason: 'link' }] })
  })

  test('reports why it omits files, with one entry per vendored folder', async () => {
    const unpacked = await unpackArchive(
      makeArchive({
        'top/node_modules/a/README.md': 'x',
        'top/node_modules/b/index.js': 'x',
        'top/web/dist/app.js': 'x',
        'top/logo.png': 'x',
        'top/app.min.js': 'x',
        'top/api.pb.go': 'x',
        'top/settings.json': '{}',
        'top/src/a.test.ts': 'x',
        'top/src/large.ts': 'x'.repeat(600_000),
      }),
      '',
    )
    expect(unpacked).toMatchObject({ kind: 'unpacked', files: [] })
    const omissions = unpacked.kind === 'unpacked' ? unpacked.omissions : []
    expect(Object.fromEntries(omissions.map(({ path, reason }) => [path, reason]))).toEqual({
      node_modules: 'vendored',
      'web/dist': 'generated',
      'logo.png': 'binary',
      'app.min.js': 'minified',
      'api.pb.go': 'generated',
      'settings.json': 'not_documentation',
      'src/a.test.ts': 'test',
      'src/large.ts': 'too_large',
    })
  })
})

test('keeps JSON Schemas among the data files', async () => {
  const schema = '{ "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object" }'
  const unpacked = await unpackArchive(
    makeArchive({
      'top/order.schema.json': schema,
      'top/old.yaml': '$schema: "http://json-schema.org/draft-07/schema#"\ntype: object\n',
      'top/tsconfig.json': '{ "$schema": "https://json.schemastore.org/tsconfig" }',
      'top/tests/order.json': schema,
    }),
    '',
  )
  expect(unpacked).toMatchObject({
    files: [
      { path: 'order.schema.json', kind: 'schema' },
      { path: 'old.yaml', kind: 'schema' },
    ],
    omissions: [
      { path: 'tsconfig.json', reason: 'not_documentation' },
      { path: 'tests/order.json', reason: 'test' },
    ],
  })
})

describe('invalid repository archives', () => {
  const small = makeArchive({ 'top/a.md': 'A' })
  test.each<[string, Uint8Array, RegExp]>([
    ['an empty file', new Uint8Array(0), /nothing in it|damaged/],
    ['a web page', Buffer.from('<!doctype html><title>Sign in</title>'.repeat(50)), /nothing in it|too early/],
    ['a truncated archive', makeArchive({ 'top/a.md': 'text '.repeat(20_000) }).subarray(0, 200), /damaged/],
    ['an archive that is compressed twice', gzipSync(small), /compressed twice/],
    ['broken compression', Buffer.concat([small.subarray(0, 30), Buffer.alloc(30, 7)]), /damaged/],
  ])('rejects %s', async (_, bytes, why) => {
    expect(await unpackArchive(bytes, '')).toMatchObject({ kind: 'rejected', detail: expect.stringMatching(why) })
  })

  test('rejects a decompression bomb', async () => {
    const bomb = makeArchive({ 'top/zeros.bin': '\0'.repeat(5_000_000) })
    expect(bomb.length).toBeLessThan(20_000)
    const unpacked = await unpackArchive(bomb, '', { archiveBytes: 1_000_000 })
    expect(unpacked).toMatchObject({ kind: 'rejected', detail: expect.stringContaining('more than 1 MB') })
  })

  test('rejects an archive with too many files', async () => {
    const many = makeArchive({ 'top/a.md': 'A', 'top/b.md': 'B', 'top/c.md': 'C' })
    expect(await unpackArchive(many, '', { entries: 2 })).toMatchObject({ kind: 'rejected' })
  })
})

test('omits documents beyond the size limit', async () => {
  const unpacked = await unpackArchive(
    makeArchive({ 'top/a.md': 'x'.repeat(900), 'top/b.md': 'x'.repeat(900), 'top/c.ts': 'x'.repeat(900) }),
    '',
    { keptBytes: 1_000 },
  )
  expect(unpacked).toMatchObject({
    files: [{ path: 'a.md' }, { path: 'c.ts' }],
    omissions: [{ path: 'b.md', reason: 'too_large' }],
  })
})

const archives = await listArchives()

describe.skipIf(archives === null)('the corpus of archives', () => {
  test('yields safe paths or an error sentence for each archive', async () => {
    expect(archives?.length).toBeGreaterThan(20)
    for (const archive of archives ?? []) {
      const unpacked = await unpackArchive(await readFile(archive), '')
      if (unpacked.kind === 'rejected')
        expect(unpacked.detail).toMatch(/^The repository's archive cannot be read: .+\.$/)
      else for (const { path } of unpacked.files) expect(path).toMatch(SAFE_PATH)
    }
  })
})

const git = (folder: string, args: string[], input?: string) =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@example.test', ...args], {
    input,
    maxBuffer: 64 << 20,
    stdio: ['pipe', 'pipe', 'ignore'],
  })

const hasGit = (() => {
  try {
    return git('.', ['--version']).length > 0
  } catch {
    process.stderr.write('\nSKIPPED: git is not installed, and packs are made with it.\n\n')
    return false
  }
})()

const long = (word: string) => Array.from({ length: 400 }, (_, line) => `${word} line ${line} of many`).join('\n')

describe.skipIf(!hasGit)('a git pack', () => {
  let folder: string
  let commit: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'docent-pack-'))
    git(folder, ['init', '-q'])
    const files: Record<string, string> = {
      'README.md': `# One\n\n${long('the')}`,
      // Nearly identical, so that git stores one as a delta of the other.
      'docs/two.md': `# Two\n\n${long('the')}`,
      'docs/three.md': `# Three\n\n${long('the')}\nend`,
      'src/a.ts': 'export const a = 1\n',
      'pictures/a.png': 'PNG',
    }
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    symlinkSync('/etc/passwd', join(folder, 'docs/link.md'))
    git(folder, ['add', '.'])
    git(folder, ['commit', '-qm', 'one'])
    commit = git(folder, ['rev-parse', 'HEAD']).toString().trim()
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const pack = (...args: string[]) =>
    new Uint8Array(git(folder, ['pack-objects', '--stdout', '--revs', '-q', ...args], 'HEAD\n'))
  const read = (bytes: Uint8Array, scope = '', limits = {}) => {
    const unpacked = unpackPack(bytes, { commit, scope }, limits)
    if (unpacked.kind === 'rejected') return unpacked.detail
    return {
      files: unpacked.files.map(({ path }) => path).sort(),
      omissions: unpacked.omissions.map(({ path, reason }) => `${path} ${reason}`).sort(),
    }
  }

  test.each([
    ['with deltas by offset', ['--delta-base-offset', '--window=50']],
    ['with deltas by id', ['--window=50']],
    ['without deltas', ['--window=0']],
  ])('yields the files of a commit from a pack %s', (_, args) => {
    const unpacked = unpackPack(pack(...args), { commit, scope: '' })
    const texts = unpacked.kind === 'unpacked' ? unpacked.files : []
    expect(texts.map(({ path, bytes }) => [path, Buffer.from(bytes).toString().slice(0, 8)]).sort()).toEqual([
      ['README.md', '# One\n\nt'],
      ['docs/three.md', '# Three\n'],
      ['docs/two.md', '# Two\n\nt'],
      ['src/a.ts', 'export c'],
    ])
    expect(read(pack(...args))).toMatchObject({ omissions: ['docs/link.md link', 'pictures/a.png binary'] })
  })

  test('creates test packs that really contain deltas', () => {
    expect(pack('--delta-base-offset', '--window=50').length).toBeLessThan(pack('--window=0').length)
  })

  test('yields only the files within a scope', () => {
    expect(read(pack(), 'docs')).toMatchObject({ files: ['docs/three.md', 'docs/two.md'] })
    expect(read(pack(), 'src/a.ts')).toMatchObject({ files: ['src/a.ts'] })
  })

  test('reports large files that the pack omits', () => {
    const partial = pack('--filter=blob:limit=100')
    expect(read(partial)).toEqual({
      files: ['src/a.ts'],
      omissions: [
        'README.md too_large',
        'docs/link.md link',
        'docs/three.md too_large',
        'docs/two.md too_large',
        'pictures/a.png binary',
      ],
    })
  })

  test('never throws on a truncated or damaged pack', () => {
    const whole = pack('--delta-base-offset')
    for (let at = 0; at < whole.length - 21; at += Math.max(1, whole.length >> 6)) {
      expect(read(whole.subarray(0, at))).toMatch(/pack cannot be read/)
      const changed = whole.slice()
      changed[at] = (changed[at] ?? 0) ^ 0x55
      expect(['string', 'object']).toContain(typeof read(changed))
    }
  })

  test.each([
    ['objects', { objects: 10 }, { objects: 11 }, /too many objects/],
    ['bytes per file', { objectBytes: 5_000 }, { objectBytes: 20_000 }, /too large/],
    ['total bytes', { totalBytes: 20_000 }, { totalBytes: 80_000 }, /more than 0 MB/],
    ['entries', { entries: 8 }, { entries: 9 }, /too many files/],
  ])('refuses a pack above the limit of %s', (_, tooFew, enough, why) => {
    const bytes = pack()
    expect(read(bytes, '', tooFew)).toMatch(why)
    expect(read(bytes, '', enough)).toMatchObject({ files: { length: 4 } })
  })
})
