import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { unpackPack } from './unpack-pack.ts'

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
