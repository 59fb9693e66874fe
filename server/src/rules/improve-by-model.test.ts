import { expect, test } from 'vitest'
import { type ChatModel, type ChatRequest, ModelError } from '#models/chat-model.ts'
import type { LookUpPlaces } from '#grammar/read-with-places.ts'
import { createRuleCompiler } from './compile-rule.ts'
import { improveByModel } from './improve-by-model.ts'

const compile = createRuleCompiler()
const server = {
  sources: [{ id: 'src_docs', type: 'docs' as const, url: 'https://docs.rivet.example/', label: null }],
  sourceId: null,
}
const ODD = 'Lean hard into the material that Ada wrote.'
const effect = { kind: 'prefer_path', glob: '*/ada/*', weight: 1.5 }
const WORDING = ['Lean hard into', 'wrote']
const draftOf = (effects: object[], removed: string[] = [], wording: string[] = WORDING) =>
  JSON.stringify({ effects, removed, wording })

/** Improves a sentence by a model that answers with `text`, or throws it. */
async function improve(
  sentence: string,
  text: string | Error,
  { signal = new AbortController().signal, pages = null }: { signal?: AbortSignal; pages?: string[] | null } = {},
) {
  const requests: ChatRequest[] = []
  const failures: unknown[] = []
  const model: ChatModel = {
    async complete(request) {
      requests.push(request)
      if (text instanceof Error) throw text
      return { text, isWhole: true, usage: { inputTokens: 1, outputTokens: 1 } }
    },
  }
  const compiled = compile(sentence, server)
  const deps = { model, onFailure: (error: unknown) => failures.push(error) }
  const lookUp: LookUpPlaces = async (questions) =>
    pages &&
    questions.map((question) => ({
      globs: 'glob' in question ? pages.filter((glob) => glob === question.glob) : [],
      nearest: [],
    }))
  const improved = await improveByModel(deps, compiled, { sentence, server, lookUp, signal })
  return { requests, failures, compiled, improved }
}

test('asks no model about a sentence that the grammar understands', async () => {
  const { requests, compiled, improved } = await improve('Prefer the docs. Never cite them.', '{}')
  expect(requests).toEqual([])
  expect(improved).toBe(compiled)
})

test('takes the effects of a valid draft, in a fence or not', async () => {
  const draft = draftOf([effect])
  for (const text of [draft, `\`\`\`json\n${draft}\n\`\`\``]) {
    const { requests, improved } = await improve(ODD, text)
    expect(improved).toMatchObject({ effects: [effect], removed: [], unknown: [], unclear: [], reasons: WORDING })
    expect(requests[0]?.user).toContain('src_docs')
  }
})

test('keeps what the grammar refused among the removed parts', async () => {
  const sentence = `${ODD} Never say that you do not know.`
  const { improved } = await improve(sentence, draftOf([effect], ['no part of it']))
  expect(improved).toMatchObject({ effects: [effect], removed: ['Never say that you do not know'] })
})

test.each<[what: string, text: string | Error]>([
  ['no JSON', 'I cannot do that.'],
  ['an effect of another kind', draftOf([{ kind: 'hide_citations' }])],
  ['another member', draftOf([{ ...effect, tone: 'warm' }])],
  ['no effect', draftOf([], [ODD])],
  ['a source of another server', draftOf([{ kind: 'only_source', sourceId: 'src_x' }], [ODD])],
  ['no part for some words', draftOf([effect], [], ['Lean hard into'])],
  ['no part for a name', draftOf([{ ...effect, glob: '*/bob/*' }], [], [...WORDING, 'Ada'])],
  ['an error', new ModelError('over_budget', 'The tokens of today are used up.')],
])('falls back to the grammar when the model gives %s', async (_, text) => {
  const { compiled, improved, failures } = await improve(ODD, text)
  expect(improved).toBe(compiled)
  expect(failures).toHaveLength(1)
})

test('uses no draft about pages that the server does not have', async () => {
  const { improved, failures } = await improve(ODD, draftOf([effect]), { pages: ['*/ada/*'] })
  expect([improved.effects, failures]).toEqual([[effect], []])
  const other = await improve(ODD, draftOf([effect]), { pages: ['*/bob/*'] })
  expect([other.improved, other.failures]).toEqual([other.compiled, [expect.any(ModelError)]])
})

test('finds the contradictions of a draft', async () => {
  const { improved } = await improve(ODD, draftOf([effect, { kind: 'exclude_path', glob: '*/ada/*' }]))
  expect(improved.contradictions).toMatchObject([{ isTotal: true }])
})

test('rejects with the reason of the signal', async () => {
  const reason = new Error('The caller has left.')
  await expect(improve(ODD, new ModelError('cut_off', 'Cut.'), { signal: AbortSignal.abort(reason) })).rejects.toBe(
    reason,
  )
})
