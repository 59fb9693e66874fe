import { truncateSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { makeSentenceModel } from '../../../test/support/models/sentence-model.ts'
import { readModelFolder, findOnnxRuntime } from './read-model-folder.ts'

const pooling = (mode: object) => JSON.stringify({ word_embedding_dimension: 16, ...mode })

test('reads the settings in a model folder and fills in defaults', () => {
  using model = makeSentenceModel()
  const { folder } = model
  expect(readModelFolder(folder)).toMatchObject({
    modelFile: join(folder, 'onnx/model.onnx'),
    pooling: 'mean',
    maxTokens: 32,
    prefixes: { question: '', passage: '' },
  })
  model.write('1_Pooling/config.json', pooling({ pooling_mode_cls_token: true, pooling_mode_mean_tokens: false }))
  model.write('sentence_bert_config.json', '{"max_seq_length": 16, "do_lower_case": false}')
  model.write('config_sentence_transformers.json', '{"prompts": {"query": "query: ", "document": "passage: "}}')
  expect(readModelFolder(folder)).toMatchObject({
    pooling: 'first',
    maxTokens: 16,
    prefixes: { question: 'query: ', passage: 'passage: ' },
  })
})

test('limits a model without a maximum length to 512 tokens', () => {
  using model = makeSentenceModel()
  model.write('tokenizer_config.json', '{"model_max_length": 1000000000000000019884624838656}')
  expect(readModelFolder(model.folder).maxTokens).toBe(512)
  model.write('config.json', '{"max_position_embeddings": 514}')
  expect(readModelFolder(model.folder).maxTokens).toBe(512)
})

test('chooses the plain model of several, unless one is named', () => {
  using model = makeSentenceModel()
  model.write('onnx/model_quantized.onnx', 'x')
  expect(readModelFolder(model.folder).modelFile).toMatch(/onnx.model\.onnx$/)
  const named = join(model.folder, 'onnx/model_quantized.onnx')
  expect(readModelFolder(named)).toMatchObject({
    modelFile: named,
    tokenizerFile: join(model.folder, 'tokenizer.json'),
  })
})

test.each<[string, (model: ReturnType<typeof makeSentenceModel>) => string, RegExp]>([
  ['that does not exist', ({ folder }) => join(folder, 'none'), /folder that is not there: .*none/],
  ['without tokenizer.json', ({ folder }) => join(folder, 'onnx'), /no tokenizer\.json/],
  [
    'with an unknown pooling mode',
    (model) => {
      model.write('1_Pooling/config.json', pooling({ pooling_mode_mean_tokens: false, pooling_mode_max_tokens: true }))
      return model.folder
    },
    /way to make one vector of many is not known/,
  ],
  [
    'with invalid JSON',
    (model) => {
      model.write('config.json', '{')
      return model.folder
    },
    /cannot be read.*config\.json/,
  ],
  [
    'with two models and no default',
    (model) => {
      for (const name of ['a', 'b']) model.write(`two/${name}.onnx`, 'x')
      model.write('two/tokenizer.json', '{}')
      return join(model.folder, 'two')
    },
    /several models\. Name one of them: .*a\.onnx, .*b\.onnx/,
  ],
  [
    'without an ONNX file',
    (model) => {
      model.write('empty/tokenizer.json', '{}')
      return join(model.folder, 'empty')
    },
    /has no \.onnx file/,
  ],
  [
    'with a model of more than 2 GB',
    (model) => {
      truncateSync(join(model.folder, 'onnx/model.onnx'), 2_000_000_001)
      return model.folder
    },
    /more than 2 GB/,
  ],
])('refuses a folder %s', (_, prepare, expected) => {
  using model = makeSentenceModel()
  const path = prepare(model)
  expect(() => readModelFolder(path)).toThrow(expected)
})

test('accepts a model of exactly 2 GB', () => {
  using model = makeSentenceModel()
  truncateSync(join(model.folder, 'onnx/model.onnx'), 2_000_000_000)
  expect(readModelFolder(model.folder).modelBytes).toBe(2_000_000_000)
})

test("finds external weights by the model's name and counts their size", () => {
  using model = makeSentenceModel()
  const plain = readModelFolder(model.folder)
  expect(plain.dataFiles).toEqual([])
  for (const name of ['model.onnx_data', 'model.onnx_data_1', 'model.onnx.data']) model.write(`onnx/${name}`, 'x')
  for (const name of ['model.onnx_database', 'other.onnx_data', 'model.onnx_data.md']) model.write(`onnx/${name}`, 'x')
  const { dataFiles, modelBytes } = readModelFolder(model.folder)
  expect(dataFiles.map((file) => basename(file))).toEqual(['model.onnx.data', 'model.onnx_data', 'model.onnx_data_1'])
  expect(modelBytes).toBe(plain.modelBytes + 3)
  truncateSync(join(model.folder, 'onnx/model.onnx_data'), 2_000_000_000 - plain.modelBytes - 2)
  expect(readModelFolder(model.folder).modelBytes).toBe(2_000_000_000)
  truncateSync(join(model.folder, 'onnx/model.onnx_data'), 2_000_000_000 - plain.modelBytes - 1)
  expect(() => readModelFolder(model.folder)).toThrow(/more than 2 GB/)
})

const installed =
  (...names: string[]) =>
  (name: string) => {
    if (!names.includes(name)) throw new Error(`Cannot find package '${name}'`)
    return `file:///${name}`
  }
const TOKENIZERS = '@huggingface/tokenizers'

test('prefers the native runtime and reports which one it found', () => {
  expect(findOnnxRuntime(installed(TOKENIZERS, 'onnxruntime-web', 'onnxruntime-node'))).toEqual({
    runtime: 'file:///onnxruntime-node',
    tokenizers: `file:///${TOKENIZERS}`,
    isNative: true,
  })
  expect(findOnnxRuntime(installed(TOKENIZERS, 'onnxruntime-web'))).toMatchObject({ isNative: false })
})

test.each([[[]], [[TOKENIZERS]], [['onnxruntime-web']]])(
  'names the packages to install if only %j is installed',
  (names) => {
    expect(() => findOnnxRuntime(installed(...names))).toThrow(
      /is not installed.*npm install .*tokenizers onnxruntime-web/,
    )
  },
)
