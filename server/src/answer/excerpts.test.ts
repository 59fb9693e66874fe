import { describe, expect, test } from 'vitest'
import type { Passage } from '#search/passage.ts'
import { fakePassage } from '../../test/support/mcp/mcp-fakes.ts'
import { answerFromPassages } from './extractive.ts'

/** Simulates a search whose signals agree. */
const answerFrom = (question: string, passages: Passage[]) =>
  answerFromPassages(question, { passages, words: [], agreement: 0.6 })

describe('excerpt of a section', () => {
  test('keeps the heading of an excerpt', () => {
    const passage = fakePassage({
      passage: '# Sprockets\n\n## Oiling\n\nOil every sprocket twice a year with fine oil.',
    })
    const { answer } = answerFrom('How often do I oil a sprocket?', [passage])
    expect(answer).toMatch(/^## Oiling\n\nOil every sprocket twice a year with fine oil\. \[1\]/)
  })

  test('keeps a list with the sentence that introduces it', () => {
    const items = Array.from({ length: 9 }, (_, at) => `- Step ${at}: ${'turn the wheel '.repeat(5)}`)
    const prose = 'Wheels are round and made of brass. '.repeat(20)
    const passage = `${prose}\n\nTo oil a sprocket in winter:\n\n${items.join('\n')}\n\n${prose}`
    const { answer } = answerFrom('How do I oil a sprocket in winter?', [fakePassage({ passage })])
    expect(answer).toContain(`To oil a sprocket in winter: [1]\n\n${items.slice(0, 8).join('\n')}`)
  })

  test('omits repeated sentences, and trailing paragraphs about other subjects', () => {
    const card = 'Oil every sprocket twice a year.'
    const passage = `Oiling\n\n${card}\n\n${card}\n\nMoons are made of cheese and other things that melt in summer.`
    const { answer } = answerFrom('How often do I oil a sprocket?', [fakePassage({ heading: 'Oiling', passage })])
    expect(answer).toBe(`${card} [1]`)
  })

  test('omits repetitions that differ in spaces and marks', () => {
    const card = 'Tip: Oil every sprocket (twice) a year.'
    const passage = `Tip : Oil every sprocket ( twice ) a year.\n\n${card}`
    const { answer } = answerFrom('How often do I oil a sprocket?', [fakePassage({ heading: 'Oiling', passage })])
    expect(answer).toBe('Tip : Oil every sprocket ( twice ) a year. [1]')
  })

  test('limits the excerpt of a section to 1,200 characters', () => {
    const sentence = (at: number) => `Sentence ${at} says how to oil a sprocket ${'with care '.repeat(at % 7)}.`
    const passage = (from: number) => Array.from({ length: 40 }, (_, at) => sentence(from + at)).join(' ')
    const { answer } = answerFrom('how to oil a sprocket before winter starts', [
      fakePassage({ passage: passage(0) }),
      fakePassage({ passage: `${passage(50)} Winter starts in October.`, url: 'https://a.example/' }),
    ])
    expect(answer).toContain('[2]')
    expect(answer.length).toBeGreaterThan(600)
    expect(answer.length).toBeLessThan(1_250)
  })
})

/** More text than an excerpt needs. */
const REST = Array.from({ length: 9 }, (_, at) => `Take your time, in step ${at} too.`).join(' ')

test('quotes a second section only if it adds question terms', () => {
  const second = (passage: string) =>
    answerFrom('How do I oil a sprocket in winter?', [
      fakePassage({ passage: `Oil the sprocket with fine oil. ${REST}` }),
      fakePassage({ passage, rank: 2, score: 8, url: 'https://a.example/' }),
    ]).answer
  expect(second('In winter the oil freezes, so warm it first.')).toContain('so warm it first. [2]')
  expect(second('An oil for a sprocket is sold in cans.')).not.toContain('sold in cans')
})

test('quotes both sides of a comparison', () => {
  const side = (name: string, rank: number) =>
    fakePassage({
      rank,
      heading: name,
      url: `https://a.example/#${name}`,
      passage: `## ${name}\n\nA ${name} is turned by the other wheel, unlike a pulley or a sprocket.`,
    })
  const { answer } = answerFrom('What is the difference between a pulley and a sprocket?', [
    fakePassage({ passage: 'A pulley or a sprocket makes little difference.', heading: 'Wheels' }),
    side('Pulley', 2),
    side('Sprocket', 3),
  ])
  expect(answer).toContain('A Pulley is turned')
  expect(answer).toContain('A Sprocket is turned')
})

describe('the options of the best section', () => {
  const place = fakePassage({
    title: 'Commands',
    heading: 'Place pins',
    score: 10,
    url: 'https://a.example/pins#place',
    passage: `## Place pins\n\nThis command places the pins of a design on the tracks. ${'It reads the floorplan. '.repeat(12)}`,
  })
  const options = (heading: string, url: string) =>
    fakePassage({ title: 'Commands', heading, score: 3, url, passage: '| `-distance` | Least space between two. |' })
  const other = fakePassage({ score: 4, url: 'https://a.example/b', passage: 'A design of a chip has many things.' })
  const textFor = (last: Passage) =>
    answerFrom('How do I place the pins of a design in winter?', [place, other, other, last]).answer

  test('are quoted after it', () =>
    expect(textFor(options('Place pins › Options', 'https://a.example/pins#options'))).toContain('`-distance`'))

  test('have the description of the command beside them', () => {
    const [first, second] = [options('Place pins › Options', 'https://a.example/pins#options'), place]
    const passage = '| `-distance` | Least space of a winter design between pins to place. |'
    const { answer } = answerFrom('How do I place the pins of a design at a winter distance?', [
      { ...first, score: 10, passage },
      other,
      other,
      { ...second, score: 3 },
    ])
    expect(answer).toContain('`-distance`')
    expect(answer).toContain('This command places the pins')
  })

  test('are not taken from other sections or pages', () => {
    expect(textFor(options('Remove pins › Options', 'https://a.example/pins#remove'))).not.toContain('`-distance`')
    expect(textFor(options('Place pins › Options', 'https://a.example/other#options'))).not.toContain('`-distance`')
  })
})

describe('a second section', () => {
  const page = (score: number, passage: string) =>
    fakePassage({ score, title: 'Care', heading: '', url: `https://b.example/${score}`, passage })
  const more = (thing: string, count: number) =>
    Array.from({ length: count }, (_, at) => `The ${thing} number ${at} is painted red and stands in the garden.`).join(
      ' ',
    )

  test('leaves room for the first one, and gets room itself', () => {
    const { answer } = answerFrom('How do I oil a sprocket in winter?', [
      page(10, `Oil the sprocket with a brush. Let the oil dry for an hour. ${more('brush', 20)}`),
      page(
        3,
        `In winter the oil of a sprocket must be warm before you start to work with it, because cold oil never reaches the inner teeth. ${more('tooth', 20)}`,
      ),
    ])
    expect(answer).toContain('dry for an hour')
    expect(answer).toContain('In winter the oil of a sprocket must be warm')
  })

  test('is none about something else, even if the first one says little', () => {
    const { answer } = answerFrom('How do I oil a sprocket in winter?', [
      page(10, 'Oil the sprocket with a brush before winter comes.'),
      page(1, 'Swallows fly south to warm lands.'),
    ])
    expect(answer).toContain('brush')
    expect(answer).not.toContain('Swallows')
  })

  test('is none of the far ones, which only mention a word of the question', () => {
    const { answer } = answerFrom('How do I oil a sprocket in winter?', [
      page(10, `Oil the sprocket with a brush. ${more('brush', 9)} The oil of the sprocket costs nine crowns.`),
      page(9, `Oil the sprocket. ${more('sprocket', 5)}`),
      page(8, `Oil is thin. ${more('oil', 5)}`),
      page(2, 'Swallows fly south in winter.'),
    ])
    expect(answer).toContain('nine crowns')
    expect(answer).not.toContain('Swallows')
  })
})
