import { expect, test } from 'vitest'
import { fakePassage } from '../../../test/support/mcp/mcp-fakes.ts'
import { summarizeTopic } from './summarize.ts'

test('joins the passages of one section to one point of at most three sentences', async () => {
  const passages = [
    ['Sprockets turn the wheel by their teeth. Sprockets of brass turn slowly.', 'wheels#sprockets'],
    ['Chains connect the wheels of a machine with each other.', 'wheels#chains'],
    ['Oil keeps sprockets quiet in winter. Sprockets without oil wear out soon.', 'wheels#sprockets'],
  ].map(([passage = '', at = '']) => fakePassage({ passage, heading: at, url: `https://n.example/${at}`, score: 1 }))
  const found = { passages, nextOffset: null, repaired: [], words: [], agreement: 1, embeddings: 'off' as const }
  const points = await summarizeTopic(async () => found, { topic: 'sprockets', scope: {} }, undefined)
  expect(points.map(({ url }) => url)).toEqual([
    'https://n.example/wheels#sprockets',
    'https://n.example/wheels#chains',
  ])
  expect(points[0]?.sentences).toHaveLength(3)
})
