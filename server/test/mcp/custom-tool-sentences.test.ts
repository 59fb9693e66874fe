import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { disposeAll } from '../support/lib/keep-open.ts'
import { judgeSentence, type Sentence } from '../support/service/judge-sentence.ts'
import { startHeron, startKestrel } from '../support/sites/kestrel/start-kestrel.ts'

const read = (file: string) =>
  readFileSync(new URL(`../support/sites/kestrel/${file}`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Sentence)

const WORLDS = [
  {
    name: 'Kestrel',
    start: startKestrel,
    sentences: [...read('tool-sentences.jsonl'), ...read('own-sentences.jsonl')],
  },
  { name: 'Heron', start: startHeron, sentences: read('heron-sentences.jsonl') },
]

/** Requests of owners in eight languages over two products, with what the tool of each must return. */
describe.each(WORLDS)('tool of a sentence about $name', ({ name, start, sentences }) => {
  let sources: Awaited<ReturnType<typeof start>>
  let docent: Docent
  let server: any

  beforeAll(async () => {
    sources = await start()
    docent = await startDocent({ environment: { DOCENT_RATE_LIMITS: 'off' } })
    server = await docent.createServer({ name, sources: sources.sources })
  })
  afterAll(() => disposeAll(docent, sources))

  test.each(sentences.map((each) => [each.sentence, each] as const))('does what it says: %s', async (_, sentence) => {
    const { problems, tool } = await judgeSentence({ docent, server }, sentence)
    expect({ problems, understood: tool?.understood }).toEqual({ problems: [], understood: tool?.understood })
  })
})
