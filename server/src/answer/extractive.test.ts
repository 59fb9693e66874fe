import * as fc from 'fast-check'
import type { Block } from '#documents/model/document.ts'
import { describe, expect, test } from 'vitest'
import { fakePassage } from '../../test/support/mcp/mcp-fakes.ts'
import type { Passage } from '#search/passage.ts'
import { answerFromPassages } from './extractive.ts'

/** Simulates a search whose signals agree. */
const answerFrom = (question: string, passages: Passage[]) =>
  answerFromPassages(question, { passages, words: [], agreement: 0.6 })

const oiling = fakePassage({
  passage:
    'Sprockets wear out. Oil every sprocket twice a year with fine oil. It keeps them quiet.\n\nTo oil all of them:\n\n```sh\nsprocket oil --all\n```\n\n- Never oil a hot sprocket.\n- Wipe it first.',
})
const gears = fakePassage({
  rank: 2,
  score: 6,
  title: 'Gears',
  heading: '',
  url: 'https://widgets.example/docs/gears',
  passage: 'Gears turn sprockets. They are made of brass.',
})
const elsewhere = [3, 4, 5].map((rank) =>
  fakePassage({
    rank,
    score: 5,
    url: `https://widgets.example/docs/${rank}`,
    passage: 'Chains are sold by the metre.',
  }),
)

describe('an extractive answer', () => {
  const { answer, confidence, citations } = answerFrom('How often do I oil a sprocket?', [oiling, gears, ...elsewhere])

  test('quotes the sources, best passage first, with citations', () => {
    expect(answer).toContain('Oil every sprocket twice a year with fine oil.')
    expect(answer).toMatch(/\[1\]/)
    expect(confidence).not.toBe('none')
    expect(citations[0]).toMatchObject({
      n: 1,
      title: 'Sprockets',
      heading: 'Oiling',
      url: 'https://widgets.example/docs/sprockets#oiling',
      sourceId: 'src_one',
    })
  })

  test('quotes every citation verbatim', () => {
    for (const { url, quote } of citations) {
      const passage = [oiling, gears, ...elsewhere].find((one) => one.url === url)
      expect(passage?.passage).toContain(quote)
      expect(quote).not.toBe('')
    }
  })

  test('includes the example that follows a quoted unit', () => {
    expect(answer).toContain('```sh\nsprocket oil --all\n```\n\n- Never oil a hot sprocket.\n- Wipe it first. [1]')
  })
})

test('quotes whole paragraphs', () => {
  const passage = 'The brass valve regulates pressure. It must be closed before refilling the boiler. Unrelated words.'
  const { answer } = answerFrom('when refilling the boiler, what must be closed?', [fakePassage({ passage })])
  expect(answer).toContain('The brass valve regulates pressure. It must be closed before refilling the boiler.')
})

describe('the lengths of an answer', () => {
  const sentence = 'Oil every sprocket twice a year with fine oil, and wipe it.'
  /** The characters that an answer quotes of each of three sections, which have as many paragraphs of one sentence. */
  const quotedOf = (counts: readonly number[]) => {
    const passages = counts.map((count, at) =>
      fakePassage({
        rank: at + 1,
        url: `https://widgets.example/docs/${at}`,
        passage: Array.from({ length: count }, (_, n) => `${sentence} That is rule ${at} ${n}.`).join('\n\n'),
      }),
    )
    const { answer } = answerFrom('How often do I oil a sprocket?', passages)
    return counts.map(
      (_, at) => answer.split(sentence).filter((text) => text.startsWith(` That is rule ${at} `)).length,
    )
  }
  const LENGTH = `${sentence} That is rule 0 0.\n\n`.length

  test('are up to 1,200 characters of the first section, 400 of the second and 300 of the third', () => {
    const [first = 0, second = 0, third = 0] = quotedOf([40, 40, 40])
    for (const [count, most] of [
      [first, 1_200],
      [second, 400],
      [third, 300],
    ] as const) {
      // What the section before leaves over is less than a paragraph.
      expect(count * LENGTH).toBeLessThanOrEqual(most + LENGTH)
      expect((count + 1) * LENGTH).toBeGreaterThan(most)
    }
  })

  test('give the next section up to 200 characters that the one before does not need', () => {
    const [, alone = 0] = quotedOf([40, 40, 40])
    const [, behindShort = 0] = quotedOf([1, 40, 40])
    expect(behindShort - alone).toBe(Math.floor((400 + 200) / LENGTH) - alone)
    expect(behindShort).toBeGreaterThan(alone)
  })
})

test.each([
  ['shows', 'Oil the wheel.', true],
  ['leaves out', 'The chain.', false],
])('%s a further section with much, or little, of the question: %s', (_, second, isShown) => {
  const passages = [
    fakePassage({ title: '', heading: '', passage: 'Oil every sprocket of the left wheel twice.' }),
    fakePassage({ title: '', heading: '', rank: 2, url: 'https://a.example/2', passage: `${second} Sprocket care.` }),
    fakePassage({ title: '', heading: '', rank: 3, url: 'https://a.example/3', passage: 'Oil every sprocket.' }),
  ]
  const { answer } = answerFrom('How often do I oil every sprocket of the left wheel?', passages)
  expect(answer.includes(second)).toBe(isShown)
  expect(answer).toContain('Oil every sprocket.')
})

test.each([
  [5.1, true],
  [4.9, false],
])('shows a further section with a score of %d to 10 for the first one: %j', (score, isShown) => {
  const passages = [
    fakePassage({ passage: 'Oil every sprocket twice.', score: 10 }),
    fakePassage({ rank: 2, url: 'https://a.example/2', passage: 'Oil each sprocket.', score }),
  ]
  expect(answerFrom('How often do I oil every sprocket?', passages).answer.includes('Oil each')).toBe(isShown)
})

test('quotes a section once that is also inside another found section', () => {
  const outer = fakePassage({ passage: `Intro of oil.\n\n## Oiling\n\nOil every sprocket twice a year.`, start: 0 })
  const inner = fakePassage({ rank: 2, url: `${outer.url}-2`, passage: 'Oil every sprocket twice a year.', start: 26 })
  const { answer } = answerFrom('How often do I oil a sprocket?', [outer, inner])
  expect(answer.split('Oil every sprocket twice a year.')).toHaveLength(2)
})

describe('questions without an answer in the sources', () => {
  const { answer, confidence, citations } = answerFrom('What is the capital of Portugal?', [oiling, gears, oiling])

  test('lists each of the nearest pages once when the sources do not answer', () => {
    expect(answer).toBe('The sources do not answer this. The nearest pages: [1] [2].')
    expect(confidence).toBe('none')
    expect(citations.map(({ url }) => url)).toEqual([oiling.url, gears.url])
  })

  test('returns only the refusal when nothing was found', () => {
    expect(answerFrom('What is the capital of Portugal?', [])).toEqual({
      answer: 'The sources do not answer this.',
      confidence: 'none',
      citations: [],
    })
  })

  test('gives no confident answer for words scattered over several passages', () => {
    const scattered = ['alpha only here.', 'beta only here.', 'gamma only here.', 'delta only here.'].map(
      (passage, index) => fakePassage({ title: 'T', heading: '', passage, url: `https://a.example/${index}` }),
    )
    expect(['none', 'low']).toContain(answerFrom('alpha beta gamma delta', scattered).confidence)
  })
})

test('says that an answer of low confidence is only related', () => {
  const passage = fakePassage({
    title: 'T',
    heading: '',
    passage: 'Sprocket oil is sold in cans. Nothing else is known.',
  })
  const question = 'how many cans of sprocket oil at which pressure and temperature'
  const { answer, confidence } = answerFromPassages(question, { passages: [passage], words: [], agreement: 0.3 })
  expect(confidence).toBe('low')
  expect(answer).toMatch(/^Not an answer, but related:\n\nSprocket oil/)
})

describe('hostile page content', () => {
  test('escapes citation marks found in a page', () => {
    const passage = fakePassage({
      passage: 'Oil the sprocket twice, says the law [7]. Oil [8](https://a.example/) and all other sprockets too.',
    })
    const { answer } = answerFrom('how often to oil the sprocket', [passage])
    expect(answer).toContain('says the law \\[7]. Oil [8](https://a.example/) and all other sprockets too. [1]')
    expect(answer.match(/(?<!\\)\[\d+\](?!\()/g)).toEqual(['[1]'])
  })

  test('quotes every statement verbatim from the cited passage', () => {
    const words = fc.constantFrom(
      'oil',
      'sprocket',
      'twice',
      'Year',
      'the',
      'it',
      '`a. B`',
      'e.g.',
      'http://a.b/c',
      '[1](x)',
    )
    const line = fc.array(words, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(' '))
    const paragraph = fc.array(line, { minLength: 1, maxLength: 5 }).map((lines) => `${lines.join('. ')}.`)
    const block = fc.oneof(
      paragraph,
      line.map((text) => `- ${text}`),
      line.map((text) => `\`\`\`sh\n${text}\n\`\`\``),
      line.map((text) => `## ${text}`),
      line.map((text) => `| a | b |\n| --- | --- |\n| ${text} | x |`),
      line.map((text) => `> ${text}.\n> ${text}.`),
    )
    const markdown = fc.array(block, { minLength: 1, maxLength: 8 }).map((blocks) => blocks.join('\n\n'))
    fc.assert(
      fc.property(fc.array(markdown, { minLength: 1, maxLength: 6 }), (texts) => {
        const passages = texts.map((passage, index) =>
          fakePassage({ rank: index + 1, score: 10 - index, passage, url: `https://a.example/${index}` }),
        )
        const { answer, citations, confidence } = answerFrom('oil the sprocket twice a year', passages)
        if (confidence === 'none') return
        const byNumber = new Map(
          citations.map(({ n, url }) => [n, passages.find((one) => one.url === url)?.passage ?? '']),
        )
        for (const { statement, n } of statementsOf(answer)) {
          const passage = byNumber.get(n) ?? ''
          // A heading may precede a statement, and other items the items of a list.
          const parts = statement.split('\n\n').flatMap((part) => (part.startsWith('- ') ? part.split('\n') : [part]))
          for (const part of parts) expect(passage).toContain(part)
        }
      }),
      { examples: [[['| a | b |\n| --- | --- |\n| oil | x |', '## oil']]], numRuns: 1_000 },
    )
  })

  test('never throws on arbitrary questions and passages', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string(), { maxLength: 4 }), (question, texts) => {
        const { citations } = answerFrom(
          question,
          texts.map((passage) => fakePassage({ passage })),
        )
        expect(citations.map(({ n }) => n)).toEqual(citations.map((_, index) => index + 1))
      }),
    )
  })
})

/** Splits an answer at its marks, without the introduction of a doubtful answer and the list of related pages. */
function statementsOf(answer: string): { statement: string; n: number }[] {
  const body = answer.replace(/^Not an answer, but related:\n\n/, '').replace(/\n\nSee also: [^\n]*$/, '')
  return body
    .split(/(?<=(?: |\n\n\(from |\n\n… [\w ]+ at )\[\d+\]\)?)\n\n/)
    .map((part) => /^([\s\S]*?)(?:\n\n\(from |\n\n… [\w ]+ at | )\[(\d+)\]\)?$/.exec(part))
    .map((match) => ({ statement: match?.[1] ?? 'unmarked', n: Number(match?.[2]) }))
}

test('shows the remainder of a split code example as code', () => {
  const code = 'sprocket oil --all\nsprocket wipe --all\n\nsprocket list --oiled'
  const text = `${code}\n\`\`\`\n\nOil every sprocket so.`
  const after = { start: code.length + 6, end: text.length }
  const blocks: Block[] = [
    {
      kind: 'code',
      start: 0,
      end: code.length + 4,
      codeStart: 0,
      codeEnd: code.length,
      language: 'sh',
      continues: true,
    },
    { kind: 'paragraph', ...after },
  ]
  const { answer } = answerFrom('How do I oil all sprockets with sprocket oil --all?', [
    { ...fakePassage({ passage: text, code: [{ language: 'sh', text: code }] }), blocks },
    ...elsewhere,
  ])
  expect(answer).toContain(`\`\`\`sh\n${code}\n\`\`\`\n\nOil every sprocket so. [1]`)
})
