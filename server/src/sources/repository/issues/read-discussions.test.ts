import { describe, expect, test } from 'vitest'
import type { NetClient } from '#net/client.ts'
import { createTestNet, keepOpen } from '../../../../test/support/lib/keep-open.ts'
import { type Page, startSite } from '../../../../test/support/sites/site.ts'
import { readDiscussions } from './read-discussions.ts'
import type { ListCursor } from './read-rows.ts'
import { codeHost } from '../open-repository.ts'
import type { SourceItem } from '#sources/source-document.ts'

const net = await keepOpen(createTestNet())
const host = await keepOpen(startSite({}))

const DAY = 24 * 60 * 60_000
const SITE = 'https://github.com/acme/widgets'
const json =
  (body: unknown, etag = '"1"', status = 200): Page =>
  (request, response) => {
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end()
    response.writeHead(status, { 'content-type': 'application/json', etag }).end(JSON.stringify(body))
  }
const spent: Page = (_, response) => void response.writeHead(403, { 'x-ratelimit-remaining': '0' }).end('{}')
const issue = (number: number, updated: string, comments = 0) => ({
  html_url: `${SITE}/issues/${number}`,
  number,
  title: `Problem ${number}`,
  body: 'It breaks.',
  state: 'open',
  labels: [],
  user: { login: 'ann' },
  created_at: '2026-01-01T00:00:00Z',
  updated_at: updated,
  comments,
})
const comment = (number: number, body: string) => ({
  issue_url: `${SITE}/issues/${number}`,
  body,
  user: { login: 'bob' },
  author_association: 'MEMBER',
  created_at: '2026-01-02T00:00:00Z',
})

const RELEASES = '/api/repos/acme/widgets/releases?per_page=100&page=1'
const ALL = '/api/repos/acme/widgets/issues?state=all&sort=updated&direction=desc'
const COMMENTS = '/api/repos/acme/widgets/issues/comments?sort=updated&direction=desc&per_page=100&page=1'
const since = (time: string) => `${ALL}&since=${encodeURIComponent(time)}&per_page=100&page=1`

type Talk = { items: SourceItem[]; next: Record<string, ListCursor> }

async function read(
  pages: Record<string, Page>,
  known: Record<string, ListCursor> = {},
  { now = DAY, hostOf = () => codeHost('github', 'https://github.com', `${host.url}/api`) } = {},
): Promise<Talk> {
  host.pages = new Map(Object.entries(pages))
  host.requests.length = 0
  const repository = { host: hostOf(), name: 'acme/widgets' }
  const limits = { releases: 1, issues: 2, comments: 3 }
  const talk = readDiscussions({ fetch: net.fetch, repository, headers: {}, limits, now }, known)
  const items: SourceItem[] = []
  for (;;) {
    const given = await talk.next()
    if (given.done) return { items, next: given.value }
    items.push(given.value)
  }
}

const told = ({ items }: Talk) =>
  items.map((item) => {
    if (item.kind === 'document') return item.title
    return 'prefix' in item ? `kept ${item.prefix.replace(SITE, '')}` : 'reason' in item ? item.reason : item.kind
  })

const FIRST: Record<string, Page> = {
  [RELEASES]: json([{ html_url: `${SITE}/releases/tag/v1`, tag_name: 'v1', draft: false, prerelease: false }]),
  [`${ALL}&per_page=100&page=1`]: json([issue(2, '2026-02-02T00:00:00Z', 1), issue(1, '2026-02-01T00:00:00Z')]),
  [COMMENTS]: json([comment(2, 'Try a nail.')]),
}

describe('issues and releases of a GitHub repository', () => {
  test('reads all entries at first', async () => {
    const first = await read(FIRST)
    expect(told(first)).toEqual(['Release v1', 'Problem 2 (Issue #2)', 'Problem 1 (Issue #1)'])
    expect(first.items[1]).toMatchObject({ markdown: expect.stringContaining('Comment by bob (maintainer)') })
    expect(first.next['issues']).toMatchObject({ since: '2026-02-02T00:00:00Z', fullAt: DAY })
  })

  test('requests only changed issues the next time, with all their comments', async () => {
    const { next } = await read(FIRST)
    const again = await read(
      {
        ...FIRST,
        [since('2026-02-02T00:00:00Z')]: json([issue(3, '2026-02-03T00:00:00Z', 1), issue(2, '2026-02-02T00:00:00Z')]),
        '/api/repos/acme/widgets/issues/3/comments?per_page=100&page=1': json([comment(3, 'Glue.')]),
      },
      next,
      { now: 2 * DAY },
    )
    expect(told(again)).toEqual([
      'kept /releases/tag/',
      'Problem 3 (Issue #3)',
      'Problem 2 (Issue #2)',
      'kept /issues/',
      'kept /pull/',
    ])
    expect(host.requests.map(({ status }) => status)).toEqual([304, 200, 200])
    expect(again.items[1]).toMatchObject({ markdown: expect.stringContaining('Glue.') })
    expect(again.next['issues']).toMatchObject({ since: '2026-02-03T00:00:00Z', fullAt: DAY })
  })

  test('receives only 304 responses if nothing has changed', async () => {
    const { next } = await read(FIRST)
    const pages = { ...FIRST, [since('2026-02-02T00:00:00Z')]: json([issue(2, '2026-02-02T00:00:00Z')]) }
    const second = await read(pages, next, { now: 2 * DAY })
    const third = await read(pages, second.next, { now: 3 * DAY })
    expect(host.requests.map(({ status }) => status)).toEqual([304, 304])
    expect(told(third)).toEqual(['kept /releases/tag/', 'kept /issues/', 'kept /pull/'])
    expect(third.next).toEqual(second.next)
  })

  test('keeps the entries and reports an exhausted rate limit', async () => {
    const { next } = await read(FIRST)
    const refused = await read({ [RELEASES]: spent, [since('2026-02-02T00:00:00Z')]: spent }, next, { now: 2 * DAY })
    expect(told(refused)).toEqual([
      'kept /releases/tag/',
      'rate_limited',
      'kept /issues/',
      'kept /pull/',
      'rate_limited',
    ])
    expect(refused.next).toEqual(next)
  })

  test('reads all entries again after a month, to drop deleted ones', async () => {
    const { next } = await read(FIRST)
    for (const [days, whole] of [
      [29, false],
      [32, true],
    ] as const) {
      await read(FIRST, next, { now: days * DAY })
      const asked = host.requests.some(({ path }) => path === `${ALL}&per_page=100&page=1`)
      expect(asked).toBe(whole)
    }
  })

  test('keeps entries beyond the limit of a long list', async () => {
    const page = (from: number) =>
      json(Array.from({ length: 100 }, (_, at) => issue(from + at, '2026-02-01T00:00:00Z')))
    const long = await read({
      ...FIRST,
      [`${ALL}&per_page=100&page=1`]: page(1),
      [`${ALL}&per_page=100&page=2`]: page(101),
    })
    expect(told(long)).toHaveLength(1 + 200 + 2)
    expect(told(long).slice(-2)).toEqual(['kept /issues/', 'kept /pull/'])
  })
})

test('reads releases, issues and merge requests of GitLab', async () => {
  const base = '/api/v4/projects/acme%2Fwidgets'
  const row = {
    iid: 4,
    title: 'Too loose',
    description: 'Falls.',
    state: 'opened',
    labels: ['bug'],
    author: { username: 'ann' },
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-05T00:00:00Z',
    user_notes_count: 2,
  }
  const notes = [
    { body: 'changed the label', system: true, created_at: '2026-01-02T00:00:00Z' },
    { body: 'Use glue.', system: false, author: { username: 'bob' }, created_at: '2026-01-03T00:00:00Z' },
  ]
  const order = 'scope=all&state=all&order_by=updated_at&sort=desc&per_page=100&page=1'
  const found = await read(
    {
      [`${base}/releases?per_page=100&page=1`]: json([
        {
          tag_name: 'v1',
          name: 'One',
          description: 'First.',
          _links: { self: `${host.url}/acme/widgets/-/releases/v1` },
        },
      ]),
      [`${base}/issues?${order}`]: json([{ ...row, web_url: `${host.url}/acme/widgets/-/issues/4` }]),
      [`${base}/issues/4/notes?sort=asc&per_page=100&page=1`]: json(notes),
      [`${base}/merge_requests?${order}`]: json([
        {
          ...row,
          web_url: `${host.url}/acme/widgets/-/merge_requests/5`,
          iid: 5,
          state: 'merged',
          user_notes_count: 0,
        },
      ]),
    },
    {},
    { hostOf: () => codeHost('gitlab', host.url) },
  )
  expect(told(found)).toEqual(['Release v1: One', 'Too loose (Issue #4)', 'Too loose (Merge request #5)'])
  expect(found.items[1]).toMatchObject({
    markdown:
      '# Too loose (Issue #4)\n\nIssue #4, open, opened 2026-01-01 by ann. Labels: bug.\n\nFalls.\n\n## Comment by bob, 2026-01-03\n\nUse glue.',
  })
  expect(found.next['merge_requests']).toMatchObject({ since: '2026-01-05T00:00:00Z' })
})

test('reads releases, issues and pull requests of Gitea', async () => {
  const base = '/api/v1/repos/acme/widgets'
  const found = await read(
    {
      [`${base}/releases?limit=50&page=1`]: json([
        { html_url: `${host.url}/acme/widgets/releases/tag/v1`, tag_name: 'v1', draft: false, prerelease: true },
      ]),
      [`${base}/issues?state=all&limit=50&page=1`]: json([
        { ...issue(7, '2026-01-05T00:00:00Z', 1), html_url: `${host.url}/acme/widgets/issues/7` },
        {
          ...issue(8, '2026-01-05T00:00:00Z'),
          html_url: `${host.url}/acme/widgets/pulls/8`,
          pull_request: { merged_at: '2026-01-05T00:00:00Z' },
        },
      ]),
      [`${base}/issues/7/comments?limit=50&page=1`]: json([comment(7, 'Use a nail.')]),
    },
    {},
    { hostOf: () => codeHost('gitea', host.url) },
  )
  expect(told(found)).toEqual(['Release v1', 'Problem 7 (Issue #7)', 'Problem 8 (Pull request #8)'])
  expect(found.items[1]).toMatchObject({ markdown: expect.stringContaining('Use a nail.') })
  expect(found.items[2]).toMatchObject({ markdown: expect.stringContaining('merged') })
})

test('reads issues and pull requests of Bitbucket from its paged envelopes', async () => {
  const repository = { host: codeHost('bitbucket', 'https://bitbucket.org'), name: 'acme/widgets' }
  const row = {
    id: 3,
    title: 'Too tight',
    content: { raw: 'Squeaks.' },
    state: 'new',
    kind: 'bug',
    reporter: { display_name: 'Ann' },
    created_on: '2026-01-01T00:00:00Z',
    updated_on: '2026-01-04T00:00:00Z',
  }
  const link = (path: string) => ({ html: { href: `https://bitbucket.org/acme/widgets/${path}` } })
  host.pages = new Map(
    Object.entries({
      '/2.0/repositories/acme/widgets/issues?sort=-updated_on&pagelen=50&page=1': json({
        values: [{ ...row, links: link('issues/3') }],
      }),
      '/2.0/repositories/acme/widgets/issues/3/comments?pagelen=50&page=1': json({
        values: [{ content: { raw: 'Oil it.' }, user: { display_name: 'Bob' }, created_on: '2026-01-02T00:00:00Z' }],
      }),
      '/2.0/repositories/acme/widgets/pullrequests?sort=-updated_on&state=OPEN&state=MERGED&state=DECLINED&pagelen=50&page=1':
        json({ values: [{ ...row, state: 'MERGED', comment_count: 0, links: link('pull-requests/3') }] }),
    }),
  )
  const atHome: NetClient['fetch'] = (url, request) =>
    net.fetch(url.replace('https://api.bitbucket.org', host.url), request)
  const titles: string[] = []
  const limits = { releases: 1, issues: 1, comments: 1 }
  const deps = { fetch: atHome, repository, headers: {}, limits, now: DAY }
  for await (const item of readDiscussions(deps, {})) if (item.kind === 'document') titles.push(item.markdown)
  expect(titles).toEqual([
    '# Too tight (Issue #3)\n\nIssue #3, new, opened 2026-01-01 by Ann. Labels: bug.\n\nSqueaks.\n\n## Comment by Bob, 2026-01-02\n\nOil it.',
    '# Too tight (Pull request #3)\n\nPull request #3, merged, opened 2026-01-01 by Ann. Labels: bug.\n\nSqueaks.',
  ])
})
