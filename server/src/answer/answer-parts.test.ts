import { describe, expect, test } from 'vitest'
import { fakePassage } from '../../test/support/mcp/mcp-fakes.ts'
import type { Passage } from '#search/passage.ts'
import { answerFromPassages } from './extractive.ts'
import { findForQuestion } from './question-parts.ts'

const page = (heading: string, text: string, score = 10): Passage =>
  fakePassage({
    title: 'Widgets',
    heading,
    score,
    url: `https://widgets.example/docs#${heading.toLowerCase().replaceAll(' ', '-')}`,
    passage: `## ${heading}\n\n${text}`,
  })

const SPROCKET = page('Sprocket', 'A sprocket is a toothed wheel. It drives a chain over long distances.')
const GEAR = page('Gear', 'A gear is a toothed wheel that drives another gear directly.')
const OILING = page('Oil the sprocket', 'To oil the sprocket, run `sprocket oil --all` twice a year.')
const SELLING = page('Sell old machines', 'To sell old machines, write to the market in spring.')

/** Answers from a search that finds the passages with a word of the query, those with most words first. */
async function answer(question: string, passages: readonly Passage[]) {
  const asked: string[] = []
  const found = await findForQuestion(question, async (query) => {
    asked.push(query)
    const words = new Set(query.toLowerCase().match(/[a-z]{3,}/g))
    const hits = ({ passage }: Passage) =>
      new Set((passage.toLowerCase().match(/[a-z]{3,}/g) ?? []).filter((word) => words.has(word))).size
    const ranked = passages.filter((one) => hits(one) > 0).toSorted((a, b) => hits(b) - hits(a))
    return { passages: ranked.map((one, at) => ({ ...one, score: 10 - at })), words: [], agreement: 0.6 }
  })
  return { asked, ...answerFromPassages(question, found) }
}

describe('an answer to a comparison', () => {
  test('describes each side of a comparison from a separate section', async () => {
    const { answer: text, citations } = await answer('What is the difference between a sprocket and a gear?', [
      SPROCKET,
      OILING,
      GEAR,
    ])
    expect(text).toMatch(
      /^\*\*sprocket\*\*\n\n## Sprocket\n\nA sprocket is a toothed wheel\..* \[1\]\n\n\*\*gear\*\*\n\n## Gear\n\nA gear is a toothed wheel.* \[2\]/,
    )
    expect(citations.slice(0, 2).map(({ heading }) => heading)).toEqual(['Sprocket', 'Gear'])
  })

  test('answers a comparison from one section if it compares both sides', async () => {
    const both = page('Sprocket or gear', 'A sprocket drives a chain, and a gear drives another gear.')
    const { answer: text } = await answer('What is the difference between a sprocket and a gear?', [
      both,
      SPROCKET,
      GEAR,
    ])
    expect(text).toContain('A sprocket drives a chain, and a gear drives another gear.')
    expect(text).not.toContain('**sprocket**')
  })

  test('does not take a long signature that names both sides for a section about them', async () => {
    const signature = page(
      'send(chain, gear=None, sprocket=None, wheel=None, lid=None, oil=None, brass=None, sand=None)',
      'Sends a gear and a sprocket.',
    )
    const { answer: text } = await answer('What is the difference between a sprocket and a gear?', [
      signature,
      SPROCKET,
      GEAR,
    ])
    expect(text).toMatch(/^\*\*sprocket\*\*\n\n## Sprocket/)
  })

  test.each([
    ['Wheels of a gearbox', true],
    ['Notes', false],
  ])('answers a comparison from a sentence about both sides below the heading %s', async (heading, isShared) => {
    const shared = page(
      heading,
      'A gearbox has two kinds of wheels: while a gear drives a gear, a sprocket drives a chain.',
    )
    const { answer: text } = await answer('What is the difference between a gearbox gear and a gearbox sprocket?', [
      shared,
      page('Gearbox', 'A gearbox is closed.'),
      page('Oil for old wheels', 'A gear needs oil.'),
    ])
    expect(text.includes('**gearbox gear**')).toBe(!isShared)
    expect(text.startsWith(`## ${heading}\n\nA gearbox has two kinds`)).toBe(isShared)
  })

  test('says which side of a comparison the sources do not cover', async () => {
    const { answer: text, confidence } = await answer('What is the difference between a sprocket and a flywheel?', [
      SPROCKET,
      GEAR,
    ])
    expect(text).toContain('**flywheel**\n\nThe sources do not answer this.')
    expect(text).toContain('A sprocket is a toothed wheel.')
    expect(confidence).not.toBe('high')
  })
})

describe('an answer to several questions', () => {
  test('answers each question of several from a separate section', async () => {
    const question = 'How do I oil the sprocket and how do I sell old machines?'
    const { answer: text, asked } = await answer(question, [OILING, SELLING, GEAR])
    expect(asked).toEqual([question, 'How do I oil the sprocket', 'how do I sell old machines?'])
    expect(text).toMatch(/\*\*How do I oil the sprocket\?\*\*\n\n## Oil the sprocket\n\nTo oil the sprocket.* \[1\]/)
    expect(text).toMatch(/\*\*How do I sell old machines\?\*\*\n\n## Sell old machines\n\nTo sell old machines.* \[2\]/)
  })

  test('says which question of several the sources do not answer', async () => {
    const { answer: text } = await answer('How do I oil the sprocket? Who painted the Mona Lisa in Florence?', [
      OILING,
      GEAR,
    ])
    expect(text).toContain('**Who painted the Mona Lisa in Florence?**\n\nThe sources do not answer this.')
  })

  test('declines several questions if the sources answer none', async () => {
    const { confidence } = await answer('Who painted the Mona Lisa? And who sculpted the David in Florence?', [GEAR])
    expect(confidence).toBe('none')
  })

  test('answers several questions from one section if it answers all of them', async () => {
    const both = page('Care', 'To oil the sprocket, open the lid. To clean the sprocket brush, use warm water.')
    const { answer: text } = await answer('How do I oil the sprocket and how do I clean the sprocket brush?', [
      both,
      GEAR,
    ])
    expect(text).toContain('To oil the sprocket, open the lid. To clean the sprocket brush, use warm water.')
    expect(text).not.toContain('**')
  })
})

test('searches once for a question that asks for one thing', async () => {
  const { asked } = await answer('How do I oil the sprocket?', [OILING, GEAR])
  expect(asked).toHaveLength(1)
})
