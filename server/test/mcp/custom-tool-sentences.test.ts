import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { disposeAll } from '../support/lib/keep-open.ts'
import { sampleOf } from '../support/lib/sample-of.ts'
import { judgeSentence, type Sentence } from '../support/service/judge-sentence.ts'
import { startHeron, startKestrel } from '../support/sites/kestrel/start-kestrel.ts'

const read = (file: string) =>
  readFileSync(new URL(`../support/sites/kestrel/${file}`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Sentence)

/** What the tools of the examples in docs/custom-tools.md return, by their kind. */
const DOCUMENTED: Readonly<Record<string, Omit<Sentence, 'sentence'>>> = {
  'Look-up': { args: ['backoff_seconds'], has: ['`10`'], instruction: true },
  List: { args: ['kestrel worker run'], has: ['--exec', '--once'], lacks: ['--listen'] },
  Comparison: { args: ['memory', 'postgres'], has: ['60,000', 'PostgreSQL 14'] },
  Changes: { args: ['2.9', '3.0'], has: ['`retry_limit` is now called'], lacks: ['payload_limit'] },
  'Newest release': { args: [], has: ['3.1.0'], lacks: ['3.0.0'] },
  Examples: { args: ['push a job'], has: ['```python', '```javascript'], lacks: ['```bash'] },
  Schema: { args: ['Job'], has: ['"leased"'] },
  Glossary: { args: ['Lease'], has: ['another worker gets the job'], instruction: true },
  Troubleshooting: { args: ['KQ2007'], has: ['two producers pushed the same work'] },
  Checklist: { args: [], has: ['- [ ] The broker is reachable over TLS only'] },
  'How-to': { args: ['deploy'], has: ['useradd', 'systemctl enable'], instruction: true },
  Summary: { args: ['/guides/deployment'], has: ['Deploying to production'] },
  Search: { args: ['tokens'], has: ['token'] },
  Answers: { args: ['How often are jobs retried?'], has: ['`max_attempts` to 12'], only: 'Harbor Wiki' },
  'Remote tool': { args: ['Oslo'], has: ['High tide at Oslo'] },
}

/** The examples of the document, as requests. */
function documented(): Sentence[] {
  const text = readFileSync(new URL('../../../docs/custom-tools.md', import.meta.url), 'utf8')
  return [...text.matchAll(/^\| ([^|]+?) +\| “([^”|]+)” +\|/gm)].map(([, kind = '', sentence = '']) => ({
    sentence,
    ...(DOCUMENTED[kind] ?? { refused: 'The test has no expectation for this example.' }),
  }))
}

const WORLDS = [
  {
    name: 'Kestrel',
    start: startKestrel,
    sentences: [...documented(), ...sampleOf([...read('tool-sentences.jsonl'), ...read('own-sentences.jsonl')], 0, 3)],
  },
  { name: 'Heron', start: startHeron, sentences: sampleOf(read('heron-sentences.jsonl'), 0, 3) },
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

test('has an expectation for each example of the document, and no other', () => {
  expect(documented().filter(({ refused }) => refused !== undefined)).toEqual([])
  expect(documented()).toHaveLength(Object.keys(DOCUMENTED).length)
})
