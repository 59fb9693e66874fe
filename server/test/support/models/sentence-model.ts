import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type OnnxGraph, writeOnnx } from './onnx-writer.ts'

export type SentenceModel = Disposable & { folder: string; write(file: string, content: string | Uint8Array): void }

/** Dimensions of a vector. */
export const DIMENSIONS = 16

/** Each line is a set of synonyms. */
const MEANINGS = [
  ['[PAD]'],
  ['[UNK]'],
  ['[CLS]'],
  ['[SEP]'],
  ['cat', 'cats', 'feline'],
  ['food', 'eat', 'nourishment'],
  ['rain', 'rains', 'precipitation'],
  ['spoon', 'spoons'],
  ['brass'],
  ['query', ':'],
]

const VOCABULARY = MEANINGS.flat()

/** As exporters write it: one row per word, with equal rows for synonyms. */
export function sentenceGraph(dimensions = DIMENSIONS): OnnxGraph {
  const rows = VOCABULARY.flatMap((word) => {
    const meaning = MEANINGS.findIndex((words) => words.includes(word))
    return Array.from({ length: dimensions }, (_, at) => (meaning < 4 ? 0.01 : Number(at === meaning)))
  })
  const input = (name: string) => ({ name, type: 'int64' as const, dims: ['batch', 'tokens'] })
  return {
    nodes: [{ op: 'Gather', inputs: ['words', 'input_ids'], outputs: ['last_hidden_state'] }],
    weights: [{ name: 'words', dims: [VOCABULARY.length, dimensions], values: Float32Array.from(rows) }],
    inputs: [input('input_ids'), input('attention_mask')],
    outputs: [{ name: 'last_hidden_state', type: 'float', dims: ['batch', 'tokens', dimensions] }],
  }
}

const TOKENIZER = {
  version: '1.0',
  added_tokens: ['[PAD]', '[UNK]', '[CLS]', '[SEP]'].map((content, id) => ({
    id,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  })),
  normalizer: {
    type: 'BertNormalizer',
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: null,
    lowercase: true,
  },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: {
    type: 'TemplateProcessing',
    single: [
      { SpecialToken: { id: '[CLS]', type_id: 0 } },
      { Sequence: { id: 'A', type_id: 0 } },
      { SpecialToken: { id: '[SEP]', type_id: 0 } },
    ],
    pair: [],
    special_tokens: {
      '[CLS]': { id: '[CLS]', ids: [2], tokens: ['[CLS]'] },
      '[SEP]': { id: '[SEP]', ids: [3], tokens: ['[SEP]'] },
    },
  },
  decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(VOCABULARY.map((word, id) => [word, id])),
  },
}

/** A minimal model folder: a dozen words, but every file that a large model has. */
export function makeSentenceModel(graph = sentenceGraph()): SentenceModel {
  const folder = mkdtempSync(join(tmpdir(), 'docent-model-'))
  const write = (file: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), content)
  }
  write('tokenizer.json', JSON.stringify(TOKENIZER))
  write('tokenizer_config.json', JSON.stringify({ model_max_length: 32, tokenizer_class: 'BertTokenizer' }))
  write('onnx/model.onnx', writeOnnx(graph))
  return { folder, write, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) }
}
