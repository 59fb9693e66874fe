import { afterEach, describe, expect, test } from 'vitest'
import { makeSentenceModel, type SentenceModel } from '../../../test/support/models/sentence-model.ts'
import { type LocalEmbeddings, type LocalLimits, openLocalEmbeddings } from './local-embeddings.ts'

const odd = import.meta.resolve('../../../test/support/processes/odd-onnx-runtime.ts')
const ODD = { runtime: odd, tokenizers: odd, isNative: false }
const LIMITS: LocalLimits = { openMs: 60_000, groupMs: 60_000, memoryMb: null }

const open: (SentenceModel | LocalEmbeddings)[] = []
afterEach(async () => {
  for (const one of open.splice(0).toReversed())
    await (Symbol.dispose in one ? one[Symbol.dispose]() : one[Symbol.asyncDispose]())
})

async function start(limits: Partial<LocalLimits> = {}, runtime = ODD) {
  const model = makeSentenceModel()
  open.push(model)
  const embeddings = await openLocalEmbeddings({ path: model.folder, runtime }, { ...LIMITS, ...limits })
  open.push(embeddings)
  const embed = async (...texts: string[]) =>
    (await embeddings.embed(texts)).vectors.map((vector) => Array.from(vector)[0])
  return { model, embeddings, embed }
}

describe('a model in a child process', () => {
  test('returns one vector per text in order, for texts of any length', async () => {
    const { embeddings, embed } = await start()
    expect(embeddings.dimensions).toBe(2)
    const texts = ['a'.repeat(30), '', 'b'.repeat(3_000), 'c', 'd'.repeat(1_999)]
    expect(await embed(...texts)).toEqual(texts.map(({ length }) => length))
    expect(await embeddings.embed([])).toEqual({ vectors: [], tokens: 0 })
  })

  test.each([
    ['passes it no environment variables', false, 0],
    ['disables telemetry of the native runtime', true, 101],
  ])('isolates the model process from the network and %s', async (_, isNative, environment) => {
    const { embeddings } = await start({}, { ...ODD, isNative })
    const { vectors } = await embeddings.embed(['look around'])
    expect(Array.from(vectors[0] ?? [])).toEqual([3, environment])
  })

  test('reports one failure for a crash or timeout and restarts for the next text', async () => {
    const { embeddings, embed } = await start({ groupMs: 4_000 })
    for (const [text, failure] of [
      ['crash', 'unavailable'],
      ['hang', 'timeout'],
    ]) {
      await expect(embeddings.embed([text ?? ''])).rejects.toMatchObject({ name: 'ModelError', failure })
      expect(await embed('four')).toEqual([4])
    }
  })

  test.runIf(process.platform === 'linux')('ends the model process above its memory limit', async () => {
    const { embeddings, embed } = await start({ memoryMb: 400 })
    await expect(embeddings.embed(['fill memory'])).rejects.toMatchObject({ failure: 'unavailable' })
    expect(await embed('four')).toEqual([4])
  })

  test.each(['give no numbers', 'give too few'])('recovers after the model was asked to %s', async (text) => {
    const { embeddings, embed } = await start()
    await expect(embeddings.embed([text])).rejects.toMatchObject({ failure: 'malformed' })
    expect(await embed('four')).toEqual([4])
  })

  test('serves a question before queued passages and drops aborted work', async () => {
    const { embeddings } = await start()
    const done: string[] = []
    const passages = Array.from({ length: 40 }, (_, index) => 'p'.repeat(1_500 + index))
    const slow = embeddings.embed(passages).then(() => done.push('passages'))
    const quick = embeddings.embed(['why'], { kind: 'question' }).then(() => done.push('question'))
    const abort = new AbortController()
    const given = embeddings.embed(['x'], { signal: abort.signal })
    abort.abort()
    await expect(given).rejects.toMatchObject({ failure: 'aborted' })
    await expect(embeddings.embed(['y'], { signal: abort.signal })).rejects.toMatchObject({ failure: 'aborted' })
    await Promise.all([slow, quick])
    expect(done).toEqual(['question', 'passages'])
  })

  test('times out a question while the model is busy and answers the next one', async () => {
    const { embeddings, embed } = await start({ groupMs: 4_000 })
    const stuck = expect(embeddings.embed(['hang'])).rejects.toMatchObject({ failure: 'timeout' })
    const question = embeddings.embed(['why'], { kind: 'question', totalMs: 100 })
    await expect(question).rejects.toMatchObject({ failure: 'timeout' })
    await stuck
    expect(await embed('four')).toEqual([4])
  })

  test('refuses to restart with changed model files', async () => {
    const { embeddings, model } = await start()
    model.write('onnx/model.onnx', 'another')
    await expect(embeddings.embed(['crash'])).rejects.toMatchObject({ failure: 'unavailable' })
    await expect(embeddings.embed(['four'])).rejects.toMatchObject({ failure: 'refused' })
  })

  test('rejects queued and new work when closed', async () => {
    const { embeddings } = await start()
    const waiting = [embeddings.embed(['hang']), embeddings.embed(['four'])]
    const both = Promise.allSettled(waiting)
    await embeddings[Symbol.asyncDispose]()
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await expect(embeddings.embed(['four'])).rejects.toMatchObject({ failure: 'aborted' })
  })
})
