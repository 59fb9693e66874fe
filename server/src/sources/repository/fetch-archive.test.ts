import { expect, test } from 'vitest'
import { makeArchive } from '../../../test/support/lib/make-archive.ts'
import { createTestNet, keepOpen } from '../../../test/support/lib/keep-open.ts'
import { startSite } from '../../../test/support/sites/site.ts'
import { fetchArchive } from './fetch-archive.ts'
import { codeHost } from './open-repository.ts'

const bytes = makeArchive({ 'top/README.md': '# Readme' })
const net = await keepOpen(createTestNet())
const site = await keepOpen(
  startSite({
    '/api/repos/a/b/tarball/main': (_, response) => void response.end(bytes),
    '/api/repos/a/b/tarball/slow': () => undefined,
  }),
)

const fetchRef = (ref: string, limits: { maxBytes: number; totalMs: number }) => {
  const choices = [{ ref, refKind: null, path: '' }]
  const host = codeHost('github', site.url, `${site.url}/api`)
  return fetchArchive(net.fetch, { host, name: 'a/b', choices }, {}, { limits })
}

test('refuses an archive above the size limit', async () => {
  const limits = { maxBytes: bytes.byteLength, totalMs: 20_000 }
  expect(Buffer.from((await fetchRef('main', limits)).bytes).equals(Buffer.from(bytes))).toBe(true)
  await expect(fetchRef('main', { ...limits, maxBytes: bytes.byteLength - 1 })).rejects.toMatchObject({
    name: 'GiveUp',
    message: expect.stringMatching(/^The repository's archive is larger than/),
  })
})

test('stops waiting for an archive at the time limit', async () => {
  await expect(fetchRef('slow', { maxBytes: 1_000, totalMs: 100 })).rejects.toMatchObject({ reason: 'timeout' })
})
