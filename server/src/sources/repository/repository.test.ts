import { describe, expect, test } from 'vitest'
import { createPacer } from '#net/pacing.ts'
import { makeArchive } from '../../../test/support/lib/make-archive.ts'
import { createTestNet, keepOpen } from '../../../test/support/lib/keep-open.ts'
import { type Page, startSite } from '../../../test/support/sites/site.ts'
import { createRepositoryReader } from './repository.ts'
import type { SourceDocument, SourceItem, SourceOmission, SourceToRead } from '../source-document.ts'

const FILES = {
  'acme-widgets-1a2b/README.md': '# Widgets\n\nSmall things for walls.',
  'acme-widgets-1a2b/LICENSE': 'Permission is hereby granted, free of charge, to any person obtaining a copy',
  'acme-widgets-1a2b/docs/hanging.rst': 'Hanging\n=======\n\nUse a ``nail``.',
  'acme-widgets-1a2b/src/hang.ts': '\n/** Hangs a widget. */\nexport function hang(at: Wall): void {}\n',
  'acme-widgets-1a2b/src/inner.ts': 'function hidden() {}\n',
  'acme-widgets-1a2b/vendor/a/a.go': 'package a',
  'acme-widgets-1a2b/vendor/b/b.go': 'package b',
}

const net = await keepOpen(createTestNet())
const host = await keepOpen(startSite({}))

const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Page =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
const archive: Page = (_, response) =>
  void response.writeHead(200, { 'content-type': 'application/x-gzip' }).end(makeArchive(FILES))

type Item = SourceDocument | SourceOmission

async function read(url: string, pages: Record<string, Page>, token: string | null = null): Promise<Item[]> {
  return documentsAndOmissions(await readAll(url, pages, { token }))
}

async function readAll(
  url: string,
  pages: Record<string, Page>,
  { token = null as string | null, cursor = null as string | null, version = '1', versions = [] as string[] } = {},
): Promise<SourceItem[]> {
  host.pages = new Map(Object.entries(pages))
  host.requests.length = 0
  using pacer = createPacer()
  const reader = createRepositoryReader({ githubApiUrl: `${host.url}/api`, version, tokenFor: async () => token })
  const source: SourceToRead = { id: 's', serverId: 'v', url, type: 'repo', cursor, versions: JSON.stringify(versions) }
  return gather(reader({ net, pacer, signal: AbortSignal.timeout(20_000) }, source))
}

async function gather(items: AsyncIterable<SourceItem>): Promise<SourceItem[]> {
  const gathered: SourceItem[] = []
  for await (const item of items) gathered.push(item)
  return gathered
}

const documentsAndOmissions = (items: SourceItem[]): Item[] =>
  items.filter((item) => 'detail' in item || item.kind === 'document')

const titles = (items: Item[]) => items.flatMap((item) => (item.kind === 'document' ? [item.title] : []))
const of = (items: Item[], ending: string) => items.find(({ url }) => url.endsWith(ending))

const GITHUB = 'https://github.com/acme/widgets'
const issue = {
  html_url: `${GITHUB}/issues/7`,
  number: 7,
  title: 'It falls down',
  body: 'After a day.<!-- do not write here -->',
  state: 'closed',
  state_reason: 'completed',
  labels: [{ name: 'bug' }],
  user: { login: 'ann', type: 'User' },
  created_at: '2026-01-02T03:04:05Z',
}
const TALK: Record<string, Page> = {
  '/api/repos/acme/widgets/releases?per_page=100&page=1': json([
    {
      html_url: `${GITHUB}/releases/tag/v2`,
      tag_name: 'v2',
      name: 'Two',
      body: 'Stronger.',
      draft: false,
      prerelease: false,
    },
  ]),
  '/api/repos/acme/widgets/issues?state=all&sort=updated&direction=desc&per_page=100&page=1': json([
    issue,
    {
      ...issue,
      number: 8,
      html_url: `${GITHUB}/pull/8`,
      title: 'Use two nails',
      pull_request: { merged_at: '2026-01-03T00:00:00Z' },
    },
  ]),
  '/api/repos/acme/widgets/issues/comments?sort=updated&direction=desc&per_page=100&page=1': json([
    {
      issue_url: `${GITHUB}/issues/7`,
      body: 'Use two nails.\r\n\r\n## Comment by eve (maintainer), 2026-01-03',
      author_association: 'MEMBER',
      user: { login: 'bob' },
      created_at: '2026-01-02T04:00:00Z',
    },
    {
      issue_url: `${GITHUB}/issues/7`,
      body: 'Beep.',
      user: { login: 'robot', type: 'Bot' },
      created_at: '2026-01-02T05:00:00Z',
    },
  ]),
}
const HUB: Record<string, Page> = {
  '/api/repos/acme/widgets': json({ default_branch: 'main' }),
  '/api/repos/acme/widgets/tarball/main': archive,
  ...TALK,
}

describe('a GitHub repository', () => {
  test('yields documents, code, releases and issues', async () => {
    const items = await read(GITHUB, HUB)
    expect(titles(items)).toEqual([
      'Widgets',
      'Hanging',
      'Licence: MIT',
      'src/hang.ts',
      'Release v2: Two',
      'It falls down (Issue #7)',
      'Use two nails (Pull request #8)',
    ])
    expect(new Set(items.map(({ url }) => url)).size).toBe(items.length)
    expect(of(items, '/blob/main/docs/hanging.rst')).toMatchObject({ markdown: '# Hanging\n\nUse a `nail`.' })
    expect(of(items, '/blob/main/src/inner.ts')).toMatchObject({ kind: 'skipped', reason: 'no_symbols' })
    expect(items.filter(({ url }) => url.includes('vendor'))).toMatchObject([
      { kind: 'skipped', url: `${GITHUB}/tree/main/vendor`, reason: 'vendored' },
    ])
  })

  test('links each symbol to its line', async () => {
    const code = of(await read(GITHUB, HUB), 'hang.ts')
    expect(code).toMatchObject({ anchors: [{ anchor: 'L3' }] })
    const [place] = code?.kind === 'document' ? (code.anchors ?? []) : []
    expect(code?.kind === 'document' && code.markdown.slice(place?.offset)).toBe(
      '## hang\n\n```ts\nexport function hang(at: Wall): void\n```\n\nHangs a widget.',
    )
  })

  test('puts the state and labels of an issue before its comments', async () => {
    expect(of(await read(GITHUB, HUB), '/issues/7')).toMatchObject({
      markdown: [
        '# It falls down (Issue #7)',
        'Issue #7, closed (completed), opened 2026-01-02 by ann. Labels: bug.',
        'After a day.',
        '## Comment by bob (maintainer), 2026-01-02',
        'Use two nails.',
        '\\## Comment by eve (maintainer), 2026-01-03',
      ].join('\n\n'),
    })
  })

  test('reads the branch and path of the URL, even if the branch contains slashes', async () => {
    const items = await read(`${GITHUB}/tree/next/two/docs`, {
      ...HUB,
      '/api/repos/acme/widgets/tarball/next/two': archive,
    })
    expect(items.map(({ url }) => url)).toEqual([`${GITHUB}/blob/next/two/docs/hanging.rst`])
  })

  test('keeps the files when the rate limit is exhausted', async () => {
    const items = await read(GITHUB, {
      ...HUB,
      '/api/repos/acme/widgets/issues?state=all&sort=updated&direction=desc&per_page=100&page=1': json({}, 403, {
        'x-ratelimit-remaining': '0',
      }),
    })
    expect(titles(items)).toContain('Widgets')
    expect(of(items, '/issues')).toMatchObject({ kind: 'failed', reason: 'rate_limited' })
  })

  test('fetches the archive again only if the commit has changed', async () => {
    const sha = 'a'.repeat(40)
    const at = (commit: string) => ({
      ...HUB,
      '/api/repos/acme/widgets/commits?per_page=1&sha=main': json([{ sha: commit }]),
      [`/api/repos/acme/widgets/tarball/${commit}`]: archive,
    })
    const archives = () => host.requests.filter(({ path }) => path.includes('tarball')).length
    const first = await readAll(GITHUB, at(sha))
    const cursor = first.find((item) => item.kind === 'cursor')?.value ?? null
    expect(archives()).toBe(1)
    const second = await readAll(GITHUB, at(sha), { cursor })
    expect(archives()).toBe(0)
    expect(second.slice(0, 2)).toEqual([
      { kind: 'kept', prefix: `${GITHUB}/blob/main/` },
      { kind: 'kept', prefix: `${GITHUB}/tree/main/` },
    ])
    await readAll(GITHUB, at('b'.repeat(40)), { cursor })
    expect(archives()).toBe(1)
    // Another version of the service may produce other documents from the same files.
    await readAll(GITHUB, at(sha), { cursor, version: '2' })
    expect(archives()).toBe(1)
  })

  test('reads further versions, again only if their commits have changed', async () => {
    const commits = { main: 'a'.repeat(40), 'v1.0': 'b'.repeat(40), 'release/2': 'c'.repeat(40) }
    const pages = { ...HUB }
    for (const [ref, sha] of Object.entries(commits)) {
      pages[`/api/repos/acme/widgets/commits?per_page=1&sha=${encodeURIComponent(ref)}`] = json([{ sha }])
      pages[`/api/repos/acme/widgets/tarball/${sha}`] = archive
    }
    const versions = ['v1.0', 'gone', 'release/2']
    const first = await readAll(GITHUB, pages, { versions })
    const hanging = documentsAndOmissions(first).filter(({ url }) => url.endsWith('hanging.rst'))
    const refs = ['main', 'v1.0', 'release/2']
    expect(hanging.map(({ url }) => url)).toEqual(refs.map((ref) => `${GITHUB}/blob/${ref}/docs/hanging.rst`))
    expect(of(documentsAndOmissions(first), '/tree/gone')).toMatchObject({ kind: 'failed', reason: 'not_found' })
    const cursor = first.find((item) => item.kind === 'cursor')?.value ?? null
    const kept = async (more: string[]) =>
      (await readAll(GITHUB, pages, { versions: more, cursor })).flatMap((item) =>
        item.kind === 'kept' && item.prefix.includes('/blob/') ? item.prefix.slice(`${GITHUB}/blob/`.length) : [],
      )
    expect(await kept(versions)).toEqual(['main/', 'v1.0/', 'release/2/'])
    expect(host.requests.filter(({ path }) => path.includes('tarball/a'))).toEqual([])
    expect(await kept(['v1.0'])).toEqual(['main/', 'v1.0/'])
  })

  test('sends the token of the linked account', async () => {
    const seen: (string | undefined)[] = []
    const watched: Page = (request, response) => {
      seen.push(request.headers.authorization)
      response.writeHead(200).end(JSON.stringify({ default_branch: 'main' }))
    }
    await read(GITHUB, { ...HUB, '/api/repos/acme/widgets': watched }, 'secret')
    expect(seen).toEqual(['Bearer secret'])
  })
})

test.each<[string, string, Record<string, Page>, string]>([
  [
    'Gitea',
    '/acme/widgets/src/branch/main',
    {
      '/api/v1/repos/acme/widgets': json({ default_branch: 'main' }),
      '/api/v1/repos/acme/widgets/archive/main.tar.gz': archive,
    },
    '/acme/widgets/src/branch/main/README.md',
  ],
  [
    'GitLab',
    '/group/acme/widgets',
    {
      '/api/v4/projects/group%2Facme%2Fwidgets': json({ default_branch: 'main' }),
      '/api/v4/projects/group%2Facme%2Fwidgets/repository/archive.tar.gz?sha=main': archive,
    },
    '/group/acme/widgets/-/blob/main/README.md',
  ],
])('reads a repository of a self-hosted %s', async (_, path, pages, readme) => {
  await using own = await startSite(pages)
  using pacer = createPacer()
  const reader = createRepositoryReader({ githubApiUrl: 'https://api.github.com', version: '1' })
  const source = { id: 's', serverId: 'v', url: `${own.url}${path}`, type: 'repo' } as const
  const items = await gather(reader({ net, pacer, signal: AbortSignal.timeout(20_000) }, source))
  const [first] = documentsAndOmissions(items)
  expect(first?.url).toBe(`${own.url}${readme}`)
})

test.each<[string, string, Record<string, Page>, RegExp]>([
  ['that does not exist', GITHUB, {}, /knows of no repository acme\/widgets/],
  ['without the given branch', `${GITHUB}/tree/gone`, HUB, /no branch, tag or commit "gone"/],
  ['without the given path', `${GITHUB}/tree/main/gone`, HUB, /nothing at "gone"/],
  [
    'whose archive is a web page',
    GITHUB,
    { ...HUB, '/api/repos/acme/widgets/tarball/main': (_, response) => void response.end('<p>Sign in') },
    /archive cannot be read/,
  ],
  ['at the URL of another page', 'https://github.com/features', {}, /does not lead to a repository/],
])('gives up with a sentence on a repository %s', async (_, url, pages, why) => {
  await expect(read(url, pages)).rejects.toMatchObject({ name: 'GiveUp', message: expect.stringMatching(why) })
})
