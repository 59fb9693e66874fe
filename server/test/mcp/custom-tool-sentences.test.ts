import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { disposeAll } from '../support/lib/keep-open.ts'
import { judgeSentence, type Sentence } from '../support/service/judge-sentence.ts'
import { startKestrel } from '../support/sites/kestrel/start-kestrel.ts'

const read = (file: string) =>
  readFileSync(new URL(`../support/sites/kestrel/${file}`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Sentence)

/** Requests of owners in eight languages over one product, with what the tool of each must return. */
describe('tool of a sentence', () => {
  let kestrel: Awaited<ReturnType<typeof startKestrel>>
  let docent: Docent
  let server: any

  beforeAll(async () => {
    kestrel = await startKestrel()
    docent = await startDocent({ environment: { DOCENT_RATE_LIMITS: 'off' } })
    server = await docent.createServer({ name: 'Kestrel', sources: kestrel.sources })
  })
  afterAll(() => disposeAll(docent, kestrel))

  const sentences = [...read('tool-sentences.jsonl'), ...read('own-sentences.jsonl')]
  test.each(sentences.map((each) => [each.sentence, each] as const))('does what it says: %s', async (_, sentence) => {
    const { problems, tool } = await judgeSentence({ docent, server }, sentence)
    expect({ problems, understood: tool?.understood }).toEqual({ problems: [], understood: tool?.understood })
  })
})
