import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findOnnxRuntime } from '@docent/server/models/local/read-model-folder.ts'
import { openLocalEmbeddings } from '@docent/server/models/local/local-embeddings.ts'
import { makeSentenceModel } from '../../../server/test/support/models/sentence-model.ts'
import { encoderGraph } from './encoder-graph.ts'

/** Shape of all-MiniLM-L6-v2, the usual small model. */
const SMALL = { layers: 6, hidden: 384, between: 1_536, heads: 12, words: 30_522, positions: 512 }
/** Characters of a passage, as in chunks of pages. */
const PASSAGE = 1_000
const BATCH = 32
const QUESTIONS = 21

/**
 * Cost of a local model: embeds `--passages N` (default 100) of Docent's own documents, and questions. Uses the model
 * in `--model FOLDER`, or a generated one with the shape of a usual small model and meaningless vectors.
 */
export async function run(args: string[]): Promise<Record<string, unknown>> {
  const { values } = parseArgs({
    args,
    options: { passages: { type: 'string', default: '100' }, model: { type: 'string' } },
  })
  const text = readDocuments()
  using made = values.model === undefined ? makeModel(text) : null
  const folder = values.model ?? made?.folder ?? ''
  const begun = performance.now()
  await using model = await openLocalEmbeddings({ path: folder })
  const openMs = performance.now() - begun
  const count = Number(values.passages)
  const passages = Array.from({ length: count }, (_, n) => passageOf(text, n))
  const child = childOf()
  const before = cpuMs(child)
  const started = performance.now()
  let tokens = 0
  for (let at = 0; at < count; at += BATCH) tokens += (await model.embed(passages.slice(at, at + BATCH))).tokens
  const ms = performance.now() - started
  const passagesCpu = cpuMs(child) - before
  const questions: number[] = []
  for (let n = 0; n < QUESTIONS; n++) {
    const asked = performance.now()
    await model.embed([`How do I set the limit of the service for number ${n}?`], { kind: 'question' })
    questions.push(performance.now() - asked)
  }
  return {
    runtime: findOnnxRuntime().isNative ? 'onnxruntime-node' : 'onnxruntime-web',
    dimensions: model.dimensions,
    openMs: Math.round(openMs),
    tokensPerPassage: Math.round(tokens / count),
    msPerPassage: Number((ms / count).toFixed(1)),
    cpuMsPerPassage: Number((passagesCpu / count).toFixed(1)),
    questionMs: Number((questions.toSorted((a, b) => a - b)[QUESTIONS >> 1] ?? 0).toFixed(1)),
    peakMb: Math.round(peakMb(child)),
  }
}

function readDocuments(): string {
  const folder = join(import.meta.dirname, '../../..')
  const files = globSync('{*.md,docs/*.md}', { cwd: folder }).toSorted()
  return files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n')
}

/** Passages with different starts in the documents, so that no two are equal. */
function passageOf(text: string, n: number): string {
  const at = (n * 7_919) % Math.max(1, text.length - PASSAGE)
  return text.slice(at, at + PASSAGE)
}

/** A model whose vocabulary is the words of the text. */
function makeModel(text: string): ReturnType<typeof makeSentenceModel> {
  const words = new Set(text.toLowerCase().match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu))
  const model = makeSentenceModel(encoderGraph(SMALL))
  const tokenizer = JSON.parse(readFileSync(join(model.folder, 'tokenizer.json'), 'utf8')) as {
    model: { vocab: Record<string, number> }
  }
  const { vocab } = tokenizer.model
  let next = Object.keys(vocab).length
  for (const word of words) if (!Object.hasOwn(vocab, word) && next < SMALL.words) vocab[word] = next++
  model.write('tokenizer.json', JSON.stringify(tokenizer))
  model.write('tokenizer_config.json', '{"model_max_length": 256}')
  return model
}

/** The model's process: the only child of this process. */
function childOf(): string {
  const [child] = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ')
  if (!child) throw new Error('The process with the model is not there.')
  return child
}

/** CPU milliseconds of all its threads so far. Linux counts in hundredths of a second. */
function cpuMs(pid: string): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

const peakMb = (pid: string): number =>
  Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024
