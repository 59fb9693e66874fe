import { expect, test } from 'vitest'
import type { ProposedQuestion } from '#documents/questions/propose-questions.ts'
import { DocentError } from '#errors.ts'
import { saveQuestions } from '#store/sources/questions.ts'
import { updateSourceRow } from '#store/sources/sources.ts'
import { makeStore } from '../../../test/support/database/engines.ts'
import { insertSource } from '../../../test/support/database/insert-source.ts'
import { ToolError } from '../definition/tool-result.ts'
import { tryQuestions } from './try-questions.ts'

const { signal } = new AbortController()

/** Proposes `count` questions. `prove` gets the number of each that is tried. */
function poolOf(count: number, prove: (n: number) => 'high' | 'medium' | null) {
  const tried: number[] = []
  const run = async (_: unknown, kind: string, input: object) => {
    if (kind === 'proposals') return Array.from({ length: count }, (__, n) => proposal(n))
    const n = Number((input as { proposed: ProposedQuestion }).proposed.url.split('/').at(-1))
    tried.push(n)
    return prove(n)
  }
  return { tools: { run } as unknown as Parameters<typeof tryQuestions>[0]['tools'], tried }
}

function proposal(n: number): ProposedQuestion {
  const page = `https://docs.example/${n}`
  return { question: `What is thing ${n}?`, url: page, title: 'Things', page, part: { start: 0, end: 9 } }
}

async function storeWithSource() {
  const store = await makeStore('sqlite')
  const { id } = await insertSource(store, { url: 'https://docs.example/', type: 'docs' })
  await updateSourceRow(store.write, id, { segments: '["a"]' })
  return { store, id, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() }
}

test('tries at most 24 questions, and keeps at most 12 that are answered, the surest first', async () => {
  await using place = await storeWithSource()
  const none = poolOf(100, () => null)
  expect(await tryQuestions({ ...place, tools: none.tools }, place.id, signal)).toEqual({
    segments: '["a"]',
    questions: [],
  })
  expect(none.tried).toHaveLength(24)

  const all = poolOf(100, (n) => (n % 2 === 0 ? 'medium' : 'high'))
  const tried = await tryQuestions({ ...place, tools: all.tools }, place.id, signal)
  expect(all.tried).toHaveLength(12)
  expect(tried?.questions.map(({ url }) => Number(url.split('/').at(-1)))).toEqual([
    1, 3, 5, 7, 9, 11, 0, 2, 4, 6, 8, 10,
  ])
  expect(tried?.questions[0]).toEqual({ question: 'What is thing 1?', url: 'https://docs.example/1', title: 'Things' })

  const last = poolOf(24, (n) => (n === 23 ? 'high' : null))
  expect((await tryQuestions({ ...place, tools: last.tools }, place.id, signal))?.questions).toHaveLength(1)
})

test('tries a version of a source once, and the next one again', async () => {
  await using place = await storeWithSource()
  const { store, id } = place
  const pool = poolOf(3, () => 'high')
  const once = await tryQuestions({ store, tools: pool.tools }, id, signal)
  if (once) await saveQuestions(store.write, id, once)
  expect(await tryQuestions({ store, tools: pool.tools }, id, signal)).toBeNull()
  expect(pool.tried).toHaveLength(3)
  await updateSourceRow(store.write, id, { segments: '["b"]' })
  expect(await tryQuestions({ store, tools: pool.tools }, id, signal)).toMatchObject({ segments: '["b"]' })
  expect(await tryQuestions({ store, tools: pool.tools }, 'src_none', signal)).toBeNull()
})

test('skips a question whose trial is ended, and gives up for now while the threads are full', async () => {
  await using place = await storeWithSource()
  const { store, id } = place
  const slow = poolOf(3, (n) => {
    if (n === 1) throw new ToolError('failed', 'The call took too long and was ended.')
    return 'high'
  })
  expect((await tryQuestions({ store, tools: slow.tools }, id, signal))?.questions).toHaveLength(2)
  const full = poolOf(3, () => {
    throw new DocentError('too_busy')
  })
  expect(await tryQuestions({ store, tools: full.tools }, id, signal)).toBeNull()
  const broken = poolOf(3, () => {
    throw new TypeError('A bug')
  })
  await expect(tryQuestions({ store, tools: broken.tools }, id, signal)).rejects.toThrow('A bug')
})
