import { describe, expect, test } from 'vitest'
import { openShelf } from '../../../test/support/mcp/shelf.ts'

type Options = { number: number; title: string; facts: string; said?: string[]; kind?: string }
const issue = ({ number, title, facts, said = [], kind = 'Issue' }: Options) => ({
  url: `https://github.com/acme/widgets/${kind === 'Issue' ? 'issues' : 'pull'}/${number}`,
  title: `${title} (${kind} #${number})`,
  markdown: [`# ${title} (${kind} #${number})`, `${kind} #${number}, ${facts}`, ...said].join('\n\n'),
})
const shelf = openShelf(
  {
    type: 'repo',
    label: 'Code',
    pages: [
      issue({
        number: 7,
        title: 'Sprocket falls down',
        facts: 'closed (completed), opened 2026-01-02 by ann. Labels: type: bug, area/hanging.',
        said: [
          'After a day the sprocket falls down.',
          '## Comment by bob, 2026-01-02\n\nSame here, the sprocket falls.',
          '## Comment by eve (maintainer), 2026-01-03\n\nUse two nails.\n\n## Not a comment\n\nReally.',
          '## Comment by zed, 2026-01-04\n\nThanks.',
        ],
      }),
      issue({
        number: 9,
        title: 'Sprocket falls asleep',
        facts: 'open, opened 2026-02-01 by cy (maintainer). Labels: debug.',
      }),
      issue({
        number: 8,
        title: 'Use two nails for a sprocket',
        facts: 'merged, opened 2026-01-05.',
        kind: 'Pull request',
      }),
      { url: 'https://github.com/acme/widgets/blob/main/README.md', markdown: '# Sprocket\n\nA sprocket falls never.' },
    ],
  },
  { label: 'Handbook', pages: [{ url: 'https://w.example/issues/7', markdown: '# Sprocket falls\n\nWhat to do.' }] },
)
const ask = (args: object) => shelf.call('search_issues', args)
const numbers = async (args: object) => (await ask(args)).structured.results.map((each: any) => each.number)

test('shows the issue with state and labels, and comments of maintainers before others', async () => {
  const { text, structured } = await ask({ query: 'sprocket falls down', limit: 1 })
  expect(text).toMatch(
    /^\[1\] Sprocket falls down \(Issue #7\)\nSource: https:\/\/github\.com\/acme\/widgets\/issues\/7\n\nclosed \(completed\), opened 2026-01-02 by ann\. Labels: type: bug, area\/hanging\n\nAfter a day the sprocket falls down\.\n\n\*\*eve\*\* \(maintainer\), 2026-01-03:\n\nUse two nails\./,
  )
  expect(text).toContain('(1 more comments)')
  expect(structured.results).toMatchObject([
    {
      number: 7,
      state: 'closed',
      reason: 'completed',
      labels: ['type: bug', 'area/hanging'],
      openedBy: 'ann',
      comments: 3,
      answered: true,
      answers: [
        { by: 'eve', maintainer: true, at: '2026-01-03', text: 'Use two nails.\n\n## Not a comment\n\nReally.' },
        { by: 'bob', maintainer: false },
      ],
    },
  ])
})

describe('issues', () => {
  test('finds issues, and no pages of other kinds', async () => {
    expect((await numbers({ query: 'sprocket falls' })).toSorted()).toEqual([7, 8, 9])
  })
  test('lists the newest issues first without a query', async () => expect(await numbers({})).toEqual([9, 8, 7]))
  test.each([
    [{ state: 'open' }, [9]],
    [{ state: 'merged' }, [8]],
    [{ kind: 'pull_request' }, [8]],
    [{ labels: ['bug'] }, [7]],
    [{ labels: ['Hanging', 'bug'] }, [7]],
    [{ labels: ['bug'], state: 'open' }, []],
  ])('filters issues by %j, with and without a query', async (args, expected) => {
    expect(await numbers(args)).toEqual(expected)
    expect(await numbers({ query: 'sprocket', ...args })).toEqual(expected)
  })
  test('explains filters that match no issue', async () => {
    expect((await ask({ query: 'sprocket', labels: ['ui'] })).text).toMatch(
      /^\[note\] No issue fits\. Try again without labels\. Labels here: .*type: bug/,
    )
    expect((await ask({ query: 'zzzz' })).text).toContain('[note] No issue speaks of this.')
  })
  test('continues on the next page', async () => {
    const { structured } = await ask({ limit: 2 })
    expect(await numbers({ limit: 2, cursor: structured.nextCursor })).toEqual([7])
  })
})

test.each([
  [{ state: 'shut' }, '"state" must be one of open, closed, merged'],
  [{ labels: 'bug' }, '"labels" must be a list'],
  [{ labels: Array.from({ length: 21 }, () => 'a') }, '"labels" must be at most 20'],
  [{ query: 'x'.repeat(4_001) }, '"query" must be text'],
])('refuses the arguments %j', async (args, sentence) => {
  expect(await shelf.fail('search_issues', args)).toContain(sentence)
})

test('accepts twenty labels', async () => {
  expect(await numbers({ labels: Array.from({ length: 20 }, () => 'bug') })).toEqual([7])
})

test('suggests which source to add if there are no issues', async () => {
  const { text, structured } = await shelf.call('search_issues', { query: 'x', source: 'Handbook' })
  expect(text).toMatch(
    /hold no issues or pull requests\. They are read with repositories of GitHub, GitLab, Gitea, Forgejo and Bitbucket: add one/,
  )
  expect(structured).toMatchObject({ results: [], missing: { needs: ['repo'] } })
})

test.each([
  ['open, opened 2026-01-01 by ann.', { state: 'open', reason: null, openedBy: 'ann', labels: [] }],
  ['new, opened 2026-01-01 by Ann B. Cee.', { state: 'open', reason: null, openedBy: 'Ann B. Cee' }],
  ['on hold, opened 2026-01-01.', { state: 'open', reason: null, openedBy: null }],
  ['wontfix, opened 2026-01-01 by ann (maintainer).', { state: 'closed', reason: 'wontfix', openedBy: 'ann' }],
  ['declined, opened 2026-01-01.', { state: 'closed', reason: 'declined' }],
  [
    'closed (not planned), opened 2026-01-01. Labels: a, b c.',
    { state: 'closed', reason: 'not planned', labels: ['a', 'b c'] },
  ],
  ['merged, opened 2026-01-01 by ann.', { state: 'merged', reason: null }],
])('reads "%s", whatever the host calls it', async (facts, expected) => {
  const one = openShelf({ type: 'repo', pages: [issue({ number: 1, title: 'Oil', facts })] })
  expect((await one.call('search_issues', {})).structured.results).toMatchObject([{ number: 1, ...expected }])
})
