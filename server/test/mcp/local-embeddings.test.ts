import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ConfigError, loadConfig } from '#config.ts'
import { openLocalEmbeddings } from '#models/local/local-embeddings.ts'
import { sampleOf } from '../support/lib/sample-of.ts'
import { type Engine, makePlace, onSqliteAtLeast, type Place } from '../support/database/engines.ts'
import { hasTestPackages } from '../support/mcp/test-packages.ts'
import { startDocent } from '../support/service/harness.ts'
import { DIMENSIONS, makeSentenceModel, type SentenceModel, sentenceGraph } from '../support/models/sentence-model.ts'
import { page, type Site, startSite } from '../support/sites/site.ts'
import { resultsIn } from '../support/mcp/results-in.ts'
import { resolvePackage } from './clients/resolve.mjs'

/** The WebAssembly runtime is among the packages of tests. The native one is tried too where it is installed there. */
const hasPackages = hasTestPackages('models that run on this machine')
const tryToResolve = (name: string) => {
  try {
    return resolvePackage(name)
  } catch {
    return null
  }
}
const tokenizers = tryToResolve('@huggingface/tokenizers') ?? ''
const web = { runtime: tryToResolve('onnxruntime-web') ?? '', tokenizers, isNative: false }
const native = { runtime: tryToResolve('onnxruntime-node') ?? '', tokenizers, isNative: true }
if (hasPackages && native.runtime === '')
  process.stderr.write('\nSKIPPED: onnxruntime-node is not installed; the other runtime is tried alone.\n\n')
const RUNTIMES = [
  ['onnxruntime-web', web],
  ['onnxruntime-node', native],
] as const

describe.each(RUNTIMES)('sentence model run by %s', (_name, runtime) => {
  const runTest = test.skipIf(runtime.runtime === '')

  const embed = async (folder: string, texts: string[], kind: 'question' | 'passage' = 'passage') => {
    await using model = await openLocalEmbeddings({ path: folder, runtime })
    const { vectors, tokens } = await model.embed(texts, { kind })
    return { vectors: vectors.map((vector) => Array.from(vector)), tokens, name: model.name }
  }
  const unit = (...meanings: number[]) => {
    const vector: number[] = Array.from({ length: DIMENSIONS }, () => 0)
    for (const meaning of meanings) vector[meaning] = 1
    return vector
  }
  const directionOf = (vector: number[] = []) => vector.map((value) => Number(value > 0.1))

  runTest('makes of texts what its words mean', async () => {
    using model = makeSentenceModel()
    const { vectors, tokens } = await embed(model.folder, ['feline', 'Rain! Brass', 'cats'])
    expect(vectors.map(directionOf)).toEqual([unit(4), unit(6, 8), unit(4)])
    // Mean for `cats`: a row of ones and zeros, and two special tokens of a hundredth each.
    expect(vectors[2]?.[4]).toBeCloseTo((1 + 0.01 + 0.01) / 3, 5)
    // Three words and the exclamation mark; each text is between two special tokens.
    expect(tokens).toBe(11)
  })

  runTest.each(sampleOf(['model.onnx_data', 'model.onnx.data'], 0, 2))(
    'finds weights that lie beside it in %s',
    async (file) => {
      const whole = sentenceGraph()
      const weights = whole.weights.map(({ values }) => values as Float32Array)
      const bytes = Buffer.concat(weights.map(({ buffer }) => Buffer.from(buffer)))
      const outside = { file, bytes: bytes.byteLength }
      const graph = { ...whole, weights: whole.weights.map((tensor) => ({ ...tensor, values: outside })) }
      using model = makeSentenceModel(graph)
      await expect(embed(model.folder, ['cat'])).rejects.toThrow(/ONNX file cannot be used: .*model\.onnx/s)
      model.write(`onnx/${file}`, bytes)
      using inOne = makeSentenceModel()
      const [apart, together] = [await embed(model.folder, ['feline']), await embed(inOne.folder, ['feline'])]
      expect(apart.vectors).toEqual(together.vectors)
      // Other weights make another model.
      model.write(
        `onnx/${file}`,
        bytes.map((byte) => byte),
      )
      expect((await embed(model.folder, ['feline'])).name).toBe(apart.name)
      model.write(
        `onnx/${file}`,
        Buffer.from(Float32Array.from(weights.flatMap((one) => [...one].map((x) => x * 2))).buffer),
      )
      expect((await embed(model.folder, ['feline'])).name).not.toBe(apart.name)
    },
  )

  runTest('reads as much of a text as the model may, and closes it', async () => {
    using model = makeSentenceModel()
    const long = `${'brass '.repeat(30)} cat`
    const { vectors, tokens } = await embed(model.folder, [long, `${'brass '.repeat(29)} cat`])
    expect(vectors.map(directionOf)).toEqual([unit(8), unit(8)])
    expect([vectors[0]?.[4] ?? 1, vectors[1]?.[4] ?? 0].map((value) => value > 0.02)).toEqual([false, true])
    expect(tokens).toBe(64)
  })

  runTest('obeys what the folder says of prefixes, and takes the same files for the same model', async () => {
    using model = makeSentenceModel()
    using same = makeSentenceModel()
    model.write('config_sentence_transformers.json', '{"prompts": {"query": "query: "}}')
    const question = await embed(model.folder, ['cat'], 'question')
    expect(directionOf(question.vectors[0])).toEqual(unit(4, 9))
    expect(directionOf((await embed(model.folder, ['cat'])).vectors[0])).toEqual(unit(4))
    const fingerprint = (given: string) => given.split(':').at(-1)
    const [one, other] = [await embed(same.folder, []), await embed(same.folder, [])]
    expect(fingerprint(one.name)).toBe(fingerprint(other.name))
    expect(fingerprint(one.name)).not.toBe(fingerprint(question.name))
  })

  runTest.each<[string, (model: SentenceModel) => void, RegExp]>([
    ['is no model', ({ write }) => write('onnx/model.onnx', 'not a model'), /ONNX file cannot be used/],
    ['has no tokens', ({ write }) => write('tokenizer.json', '{}'), /tokenizer\.json cannot be used/],
  ])('says so when it %s', async (_, spoil, expected) => {
    using model = makeSentenceModel()
    spoil(model)
    const error: unknown = await openLocalEmbeddings({ path: model.folder, runtime }).catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(ConfigError)
    expect(String(error)).toMatch(expected)
  })

  runTest('says so when its dimensions or its inputs are no sentence model’s', async () => {
    const graph = sentenceGraph()
    using flat = makeSentenceModel({
      ...graph,
      nodes: [...graph.nodes, { op: 'ReduceMean', inputs: ['last_hidden_state'], outputs: ['one'] }],
      outputs: [{ name: 'one', type: 'float', dims: [1, 1, 1] }],
    })
    await expect(openLocalEmbeddings({ path: flat.folder, runtime })).rejects.toThrow(
      /dimensions 1 × 1 × 1 for 2 texts/,
    )
    const pixels = { name: 'pixel_values', type: 'float' as const, dims: ['batch', 3] }
    using seeing = makeSentenceModel({ ...graph, inputs: [...graph.inputs, pixels] })
    await expect(openLocalEmbeddings({ path: seeing.folder, runtime })).rejects.toThrow(
      /takes input_ids.* pixel_values/,
    )
  })
})

onSqliteAtLeast('embeddings by a local model', (engine: Engine) => {
  let site: Site
  let place: Place
  let model: SentenceModel

  beforeEach(async () => {
    site = await startSite({
      '/': page('Home', 'Welcome to the handbook of the house.', ['/cats', '/rain', '/spoons']),
      '/cats': page('Cats', 'Every cat gets its food twice a day, in the morning and in the evening.'),
      '/rain': page('Weather', 'It rains in autumn, and everybody stays inside the house for weeks.'),
      '/spoons': page('Spoons', 'Spoons are kept in the drawer below the window of the kitchen.'),
    })
    place = await makePlace(engine)
    model = makeSentenceModel()
  })
  afterEach(async () => {
    model[Symbol.dispose]()
    await place[Symbol.asyncDispose]()
    await site[Symbol.asyncDispose]()
  })

  test.skipIf(!hasPackages)('finds a page that shares no word with the question', async () => {
    await using docent = await startDocent({
      place,
      embeddings: { kind: 'local', path: model.folder, runtime: web },
    })
    const made = await docent.createServer({
      name: 'House',
      sources: [{ url: `${site.url}/` }],
    })
    for (const [query, title] of [
      ['feline nourishment', 'Cats'],
      ['precipitation', 'Weather'],
    ]) {
      const { result } = await docent.callTool(made.slug, 'search_docs', { query })
      expect(resultsIn(result)[0]?.title).toBe(title)
    }
    const { body: calls } = await docent.request('GET', `/api/analytics/${made.slug}/calls`)
    const trace = await docent.request('GET', `/api/mcp/${made.slug}/calls/${calls.calls[0].id}/trace`)
    expect(trace.body.searches[0]).toMatchObject({ embeddings: 'used' })
    expect((await docent.request('GET', '/api/account/entitlements')).body.features.embeddings).toBe(true)
  })
})

describe('embeddings model setting', () => {
  const embeddingsOf = (environment: Record<string, string>) => loadConfig(environment).embeddings

  test.each([
    ['/models/e5', '/models/e5'],
    ['file:///models/e5%20small', '/models/e5 small'],
    ['./e5', `${process.cwd()}/e5`],
    ['file:e5', `${process.cwd()}/e5`],
    ['~/e5', `${process.cwd()}/~/e5`],
  ])('reads %s as a local folder', (value, path) => {
    expect(embeddingsOf({ DOCENT_EMBEDDINGS_MODEL: value })).toEqual({ kind: 'local', path })
  })

  test.each(['text-embedding-3-small', 'BAAI/bge-small-en-v1.5'])('reads %s as the name of a remote model', (model) => {
    expect(embeddingsOf({ DOCENT_EMBEDDINGS_MODEL: model })).toMatchObject({ kind: 'endpoint', model })
  })

  test('reads a path as a model name when a base URL is set, and refuses a file: URL', () => {
    const base = { DOCENT_EMBEDDINGS_BASE_URL: 'http://127.0.0.1:1/v1' }
    expect(embeddingsOf({ ...base, DOCENT_EMBEDDINGS_MODEL: '/models/e5' })).toMatchObject({ kind: 'endpoint' })
    expect(() => embeddingsOf({ ...base, DOCENT_EMBEDDINGS_MODEL: 'file:/models/e5' })).toThrow(/leave one out/)
    expect(() => embeddingsOf({ DOCENT_EMBEDDINGS_MODEL: 'file://host/e5' })).toThrow(/no address of a folder/)
  })

  test('stops startup with a sentence when the folder does not exist', async () => {
    const environment = { DOCENT_EMBEDDINGS_MODEL: '/no/such/folder' }
    await expect(startDocent({ environment })).rejects.toThrow(/names a folder that is not there: \/no\/such\/folder/)
  })
})
