import { expect, test } from 'vitest'
import { createReaderMemory } from '#workers/reader-memory.ts'
import { parseInChild } from '#readers/parse-in-child.ts'
import { descriptionLimits } from '#sources/api-description.ts'
import { sampleOf } from '../support/lib/sample-of.ts'
import { craftDescriptions } from '../../../bench/src/indexing/crafted-descriptions.ts'

/** The default of `DOCENT_READER_MEMORY`. */
const MEMORY_MB = 320

async function read(text: string) {
  const bytes = new Uint8Array(Buffer.from(text))
  const root = { url: 'https://api.example.test/a', bytes, contentType: null }
  const reading = { signal: new AbortController().signal, memory: createReaderMemory(MEMORY_MB) }
  return parseInChild({ name: 'api', input: { root, files: null } }, descriptionLimits(bytes.byteLength), reading)
}

test.each(sampleOf(Object.entries(craftDescriptions()), 0, 2))(
  'reads a description of %s within the memory shared by readers',
  async (_, text) => {
    expect(text.length).toBeGreaterThan(4_000_000)
    const result = await read(text)
    expect(result).toMatchObject({ kind: 'done', value: { kind: 'description' } })
  },
)

test('ends the reader of a description that exceeds its share', async () => {
  expect(await read(`openapi: 3.0.0\nx-many:\n${'- {a: 1}\n'.repeat(3_000_000)}`)).toEqual({
    kind: 'killed',
    reason: 'memory',
  })
})
