import { expect, test } from 'vitest'
import { type Asked, type Synonyms, groupQuestions } from './unanswered.ts'

/** Wordings with falling numbers of calls. */
const SILENT = { notHelpful: 0, reports: 0, reportId: null }
const asked = (...queries: string[]): Asked[] =>
  queries.map((query, n) => ({ ...SILENT, query, calls: queries.length - n, lastAskedAt: n, callId: `call_${n}` }))

async function groupsOf(queries: string[], synonyms: Synonyms = []): Promise<string[][]> {
  const groups = await groupQuestions(asked(...queries), synonyms)
  return groups.map(({ questions }) => questions.map(({ query }) => query))
}

test('groups wordings that differ in order, form, case and function words', async () => {
  const rotate = ['How do I rotate API keys?', 'rotating an api key', 'Can the API key be rotated']
  const refund = ['refund a payment', 'How are payments refunded?']
  expect(await groupsOf([...rotate, ...refund])).toEqual([rotate, refund])
})

test('separates questions that share a subject but ask for something else', async () => {
  const queries = ['How do I rotate API keys?', 'How do I delete API keys?', 'How do I scope API keys?']
  expect(await groupsOf(queries)).toEqual(queries.map((query) => [query]))
})

test('keeps a wording with one more word in its group, and not one with two more', async () => {
  const [short, longer, longest] = [
    'webhook signature check',
    'webhook signature check ruby',
    'webhook signature check ruby heroku',
  ]
  const groups = await groupsOf([short, longer, longest])
  expect(groups.map((group) => group.length).toSorted()).toEqual([1, 2])
  expect(groups[0]).toEqual([short, longer])
})

test('treats synonyms of a rule as one word', async () => {
  const queries = ['sign in with SSO', 'sign in with SAML']
  expect(await groupsOf(queries)).toHaveLength(2)
  expect(await groupsOf(queries, [{ from: 'SSO', to: ['SAML', 'single sign-on'] }])).toEqual([queries])
})

test('orders groups of questions by their number of calls', async () => {
  const groups = await groupQuestions(
    [
      { query: 'brass gears', calls: 5, lastAskedAt: 1, callId: 'a', ...SILENT },
      { query: 'oil sprockets', calls: 4, lastAskedAt: 2, callId: 'b', ...SILENT },
      { query: 'oiling the sprocket', calls: 3, lastAskedAt: 9, callId: 'c', ...SILENT },
    ],
    [],
  )
  expect(groups.map(({ calls, lastAskedAt }) => [calls, lastAskedAt])).toEqual([
    [7, 9],
    [5, 1],
  ])
})

test('groups no questions that have no words', async () => {
  expect(await groupsOf(['???', '!!!', 'the', '🎉'])).toHaveLength(4)
  expect(await groupsOf([])).toEqual([])
})

test('groups two thousand questions with many shared words within a second of processor time', async () => {
  const words = Array.from({ length: 40 }, (_, n) => `word${String.fromCharCode(97 + (n % 26))}${n}`)
  const queries = Array.from({ length: 2_000 }, (_, n) =>
    Array.from({ length: 12 }, (_, at) => words[(n * 7 + at * (1 + (n % 11))) % words.length]).join(' '),
  )
  const before = process.cpuUsage()
  await groupsOf(queries)
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1_000_000).toBeLessThan(1)
})
