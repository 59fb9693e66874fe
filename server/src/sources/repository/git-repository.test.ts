import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { NetClient } from '#net/client.ts'
import { createPacer } from '#net/pacing.ts'
import { openGitRemote } from '#upstream/git-remote.ts'
import { createTestNet, disposeAll, keepOpen } from '../../../test/support/lib/keep-open.ts'
import { type GitHost, findGit, startGitHost } from '../../../test/support/sites/git-host.ts'
import { startSite } from '../../../test/support/sites/site.ts'
import { createRepositoryReader } from './repository.ts'
import type { SourceItem } from '../source-document.ts'

const git = findGit()
let host: GitHost
let first: string
const net = await keepOpen(createTestNet())

async function read(
  url: string,
  cursor: string | null = null,
  { fetch, versions = [] }: Pick<NetClient, 'fetch'> & { versions?: string[] } = net,
): Promise<SourceItem[]> {
  using pacer = createPacer()
  const reader = createRepositoryReader({ githubApiUrl: 'http://127.0.0.1:1', version: '1' })
  const source = { id: 's', serverId: 'v', url, type: 'repo' as const, cursor, versions: JSON.stringify(versions) }
  const items: SourceItem[] = []
  for await (const item of reader({ net: { ...net, fetch }, pacer, signal: AbortSignal.timeout(30_000) }, source)) {
    items.push(item)
  }
  return items
}
const titles = (items: SourceItem[]) => items.flatMap((item) => (item.kind === 'document' ? [item.title] : []))
const cursorOf = (items: SourceItem[]) => items.find((item) => item.kind === 'cursor')?.value ?? null

describe.skipIf(git === null)('a repository of a git host without an API', () => {
  beforeAll(async () => {
    if (!git) return
    host = await startGitHost(git)
    first = host.commit({ 'README.md': '# Widgets\n\nSmall things.', 'docs/hang.md': '# Hanging\n\nUse a nail.' })
    host.commit({ 'docs/next.md': '# To come\n\nGlue.' }, 'next/two')
    host.git('checkout', '-q', 'main')
  })
  afterAll(() => disposeAll(host))
  beforeEach(() => {
    host.requests.length = 0
  })

  test('gives each file the URL of the repository with a parameter', async () => {
    const items = await read(`${host.url}/acme/widgets.git`)
    expect(titles(items)).toEqual(['Widgets', 'Hanging'])
    expect(items[1]).toMatchObject({ url: `${host.url}/acme/widgets.git?docent-file=docs/hang.md` })
  })

  test('finds a repository without the `.git` suffix', async () => {
    expect(titles(await read(`${host.url}/acme/widgets`))).toEqual(['Widgets', 'Hanging'])
  })

  test('reads the branch and path of a cgit URL, with slashes in the branch', async () => {
    const items = await read(`${host.url}/acme/widgets.git/tree/docs?h=next/two`)
    expect(titles(items)).toEqual(['Hanging', 'To come'])
    expect(items[1]).toMatchObject({ url: `${host.url}/acme/widgets.git/tree/docs/next.md?h=next%2Ftwo` })
  })

  test('requests a single commit without history', async () => {
    const more = host.commit({ 'docs/more.md': '# More\n\nOf it.' })
    const remote = await openGitRemote({ fetch: net.fetch }, `${host.url}/acme/widgets.git`)
    expect(remote?.refs.get('refs/heads/main')).toBe(more)
    expect(remote?.defaultBranch).toBe('main')
    const pack = await remote?.fetchPack(more)
    // One commit, two folders and three files.
    expect(Buffer.from(pack ?? []).readUInt32BE(8)).toBe(6)
  })

  test.each(['refsBytes', 'packBytes'])('refuses a response above the size limit, %s', async (limit) => {
    const sizes: number[] = []
    const measure: NetClient['fetch'] = async (url, request) => {
      const response = await net.fetch(url, request)
      sizes.push(response.bytes.byteLength)
      return response
    }
    const fetchAll = async (limits: object) => {
      const remote = await openGitRemote({ fetch: measure, limits }, `${host.url}/acme/widgets.git`)
      return remote?.fetchPack(remote.refs.get('refs/heads/main') ?? '')
    }
    await fetchAll({})
    // Sizes of the capabilities, the references, and the pack.
    const [, , pack = 0] = sizes
    const lists = sizes.slice(0, 2)
    const [least, most] = limit === 'packBytes' ? [pack, pack] : [Math.min(...lists), Math.max(...lists)]
    // Leave room, because progress messages beside the pack vary.
    expect(await fetchAll({ [limit]: 2 * most })).toBeInstanceOf(Uint8Array)
    await expect(fetchAll({ [limit]: least >> 1 })).rejects.toThrow(/larger than .* as much as is read/)
  })

  test('stops waiting for a pack at its time limit', async () => {
    const remote = await openGitRemote({ fetch: net.fetch, limits: { packMs: 1 } }, `${host.url}/acme/widgets.git`)
    await expect(remote?.fetchPack(first)).rejects.toMatchObject({ reason: 'timeout' })
  })

  test('reads the same commit over the protocol before version 2', async () => {
    const old: NetClient['fetch'] = (url, request) =>
      net.fetch(url, { ...request, headers: { ...request?.headers, 'git-protocol': '' } })
    const remote = await openGitRemote({ fetch: old }, `${host.url}/acme/widgets.git`)
    const commit = remote?.refs.get('refs/heads/main') ?? ''
    expect(remote?.defaultBranch).toBe('main')
    expect(Buffer.from((await remote?.fetchPack(commit)) ?? []).readUInt32BE(8)).toBe(6)
  })

  test('fetches the pack again only if the commit has changed', async () => {
    const url = `${host.url}/acme/widgets.git`
    const before = await read(url)
    host.requests.length = 0
    const again = await read(url, cursorOf(before))
    expect(again.map(({ kind }) => kind)).toEqual(['kept', 'cursor'])
    expect(again[0]).toEqual({ kind: 'kept', prefix: `${url}?docent-file=` })
    // Requests go to possible hosts and for the references, but for no pack.
    expect(host.requests.filter((one) => one.endsWith('/git-upload-pack'))).toHaveLength(1)
    host.commit({ 'docs/new.md': '# New\n\nNews.' })
    expect(titles(await read(url, cursorOf(again)))).toContain('New')
  })

  test('fails with a sentence on a missing branch', async () => {
    await expect(read(`${host.url}/acme/widgets.git/tree/docs?h=gone`)).rejects.toThrow(
      /no branch, tag or commit "gone"/,
    )
  })

  test('reads further versions, and again only those with another commit', async () => {
    host.git('tag', 'v2.1', first)
    host.git('push', '-q', `${host.git('rev-parse', '--show-toplevel')}/../acme/widgets.git`, 'v2.1')
    host.commit({ 'docs/later.md': '# Later\n\nNails.' }, '3.x')
    host.git('checkout', '-q', 'main')
    const versions = ['newest:1', '3.x', 'gone']
    const items = await read(`${host.url}/acme/widgets`, null, { ...net, versions })
    const below = `${host.url}/acme/widgets?docent-file=`
    const urls = items.flatMap((item) => (item.kind === 'document' ? [item.url] : []))
    expect(urls).toEqual(
      expect.arrayContaining(['README.md', 'README.md&h=v2.1', 'docs/later.md&h=3.x'].map((path) => below + path)),
    )
    expect(items).toContainEqual(
      expect.objectContaining({
        kind: 'failed',
        url: `${host.url}/acme/widgets/tree/gone`,
        detail: 'The repository has no tag or branch "gone".',
      }),
    )

    host.commit({ 'docs/latest.md': '# Latest\n\nScrews.' }, '3.x')
    host.git('checkout', '-q', 'main')
    host.requests.length = 0
    const again = await read(`${host.url}/acme/widgets`, cursorOf(items), { ...net, versions })
    expect(again.flatMap((item) => (item.kind === 'kept' ? [item.prefix] : []))).toEqual([below, `${below}&h=v2.1`])
    expect(titles(again)).toContain('Latest')
    // The references, and one pack.
    expect(host.requests.filter((one) => one.endsWith('/git-upload-pack'))).toHaveLength(2)
  })

  test('reads a tag and a commit', async () => {
    host.git('tag', '-a', 'v1', '-m', 'one', first)
    host.git('push', '-q', `${host.git('rev-parse', '--show-toplevel')}/../acme/widgets.git`, 'v1')
    for (const ref of ['v1', first]) {
      expect(titles(await read(`${host.url}/acme/widgets.git/tree/?h=${ref}`))).toEqual(['Widgets', 'Hanging'])
    }
  })
})

test.each([
  ['asks for a credential', 401, 'text/plain', '', /does not show the repository to everybody/],
  ['answers nonsense', 200, 'application/x-git-upload-pack-advertisement', 'zzzz', /did not answer as git hosts do/],
  ['is no git host', 200, 'text/html', '<p>Hello', /does not lead to a repository/],
  [
    'uses another object format',
    200,
    'application/x-git-upload-pack-advertisement',
    '001e# service=git-upload-pack\n0000000eversion 2\n0019object-format=sha256\n0000',
    /SHA-256/,
  ],
])('gives up with a sentence on a host that %s', async (_, status, type, body, why) => {
  await using site = await startSite({
    '/acme/widgets.git/info/refs?service=git-upload-pack': (__, response) =>
      void response.writeHead(status, { 'content-type': type }).end(body),
  })
  await expect(read(`${site.url}/acme/widgets.git`)).rejects.toMatchObject({
    name: 'GiveUp',
    message: expect.stringMatching(why),
  })
})

test('asks a host that accepts no connection in one way only', async () => {
  const asked: string[] = []
  const fetch: NetClient['fetch'] = (url, request) => {
    asked.push(url)
    return net.fetch(url, request)
  }
  const reading = read('http://127.0.0.1:19147/acme/widgets.git', null, { fetch })
  await expect(reading).rejects.toMatchObject({ name: 'NetError', reason: 'connect' })
  expect(asked).toEqual(asked.map(() => 'http://127.0.0.1:19147/api/v1/repos/acme/widgets'))
})
