import { describe, expect, test } from 'vitest'
import { drawPdf } from '../../../test/support/lib/draw-pdf.ts'
import { joinLines } from './region-blocks.ts'
import { readPdf } from './read-pdf.ts'

const LEFT = 72
const line = (x: number, y: number, text: string, size = 10) => ({ x, y, text, size, font: 'sans' as const })
const code = (x: number, y: number, text: string) => ({ x, y, text, size: 10, font: 'mono' as const })
/** Places lines below each other. */
const lines = (x: number, y: number, texts: string[]) => texts.map((text, i) => line(x, y - 12 * i, text))

async function read(...pages: Parameters<typeof drawPdf>[0]) {
  const result = await readPdf({ bytes: drawPdf(pages) })
  if (result.kind === 'rejected') throw new Error(result.detail)
  return result
}

describe('the text of a PDF', () => {
  test('recognises headings by font size, paragraphs, and words broken across lines', async () => {
    const { title, markdown } = await read([
      line(LEFT, 760, 'Keeping bees', 20),
      line(LEFT, 720, 'The hive', 14),
      ...lines(LEFT, 700, [
        'A hive stands where the morn-',
        'ing sun reaches it early and a long-',
        'lived colony finds water near by.',
      ]),
      ...lines(LEFT, 650, ['Nothing else is as long-lived as a colony that', 'is left alone in winter and in spring.']),
    ])
    expect(title).toBe('Keeping bees')
    expect(markdown).toBe(
      '# Keeping bees\n\n## The hive\n\n' +
        'A hive stands where the morning sun reaches it early and a long-lived colony finds water near by.\n\n' +
        'Nothing else is as long-lived as a colony that is left alone in winter and in spring.',
    )
  })

  test('keeps the lines of a page that has facts instead of paragraphs', async () => {
    const { title, markdown } = await read([
      line(LEFT, 780, 'Pump quick reference', 18),
      line(LEFT, 740, 'Limits', 13),
      ...lines(LEFT, 720, ['Pressure: 6 bar', 'Temperature: 60 degrees', 'Flow: 20 litres']),
      line(LEFT, 660, 'Before each start', 13),
      ...lines(LEFT, 640, ['Fill the tank', 'Close the valve', 'Press the green button for', 'at least two seconds']),
    ])
    expect(title).toBe('Pump quick reference')
    expect(markdown).toBe(
      '# Pump quick reference\n\n## Limits\n\nPressure: 6 bar\n\nTemperature: 60 degrees\n\nFlow: 20 litres\n\n' +
        '## Before each start\n\nFill the tank\n\nClose the valve\n\nPress the green button for at least two seconds',
    )
  })

  test('takes a short bold line alone for a heading, but no bold words, sentences and captions', async () => {
    const bold = (x: number, y: number, text: string) => ({ x, y, text, size: 10, font: 'bold' as const })
    const prose = [
      'A hive stands where the morning sun reaches it early, near to clean',
      'water and out of the wind that comes from the north in winter.',
    ]
    const { markdown } = await read([
      line(LEFT, 760, 'Keeping bees', 20),
      bold(LEFT, 720, '1. The hive'),
      ...lines(LEFT, 706, prose),
      bold(LEFT, 670, 'Where it stands, and why it does not stand anywhere else'),
      ...lines(LEFT, 656, prose),
      bold(LEFT, 620, 'Never open a hive in the rain.'),
      bold(LEFT, 600, 'Figure 2'),
      bold(LEFT, 580, 'Smoker:'),
      line(116, 580, 'calms the bees.'),
      ...lines(LEFT, 560, prose),
    ])
    const headings = markdown.split('\n').filter((text) => text.startsWith('#'))
    expect(headings).toEqual([
      '# Keeping bees',
      '## 1. The hive',
      '## Where it stands, and why it does not stand anywhere else',
    ])
    expect(markdown).toContain('Smoker: calms the bees.')
  })

  test('takes no line for a heading in a document that is bold throughout', async () => {
    const { markdown } = await read(
      ['Oil the chain', 'Wipe it', 'Wait for a day'].map((text, i) => ({
        ...line(LEFT, 760 - 40 * i, text),
        font: 'bold' as const,
      })),
    )
    expect(markdown).toBe('Oil the chain\n\nWipe it\n\nWait for a day')
  })

  test('reads two columns one after the other below a common headline', async () => {
    const column = (name: string) =>
      Array.from({ length: 8 }, (_, i) => `${name} row ${i + 1} has words to fill its column`)
    // Some programs draw text row by row.
    const rows = column('left').flatMap((text, i) => [
      line(LEFT, 700 - 12 * i, text),
      line(320, 700 - 12 * i, column('right')[i] ?? ''),
    ])
    const { markdown } = await read([line(LEFT, 740, 'A headline that goes across both of the columns', 16), ...rows])
    const order = [...markdown.matchAll(/(left|right) row (\d)/g)].map(([, side, row]) => `${side}${row}`)
    const side = (name: string) => Array.from({ length: 8 }, (_, i) => `${name}${i + 1}`)
    expect(order).toEqual([...side('left'), ...side('right')])
    expect(markdown.startsWith('# A headline')).toBe(true)
  })

  test('keeps lists, tables and code', async () => {
    const { markdown } = await read([
      ...lines(LEFT, 760, ['- First a smoker', '- Then a veil', '1. Open the lid', '2. Look inside']),
      ...[
        ['Month', 'Work', 'Hours'],
        ['May', 'Swarms', '12'],
        ['July', 'Honey', '20'],
      ].flatMap((cells, row) => cells.map((cell, column) => line(LEFT + 120 * column, 650 - 14 * row, cell))),
      code(LEFT, 560, 'if (swarming) {'),
      code(LEFT + 12, 548, 'catchIt()'),
      code(LEFT, 536, '}'),
    ])
    expect(markdown).toBe(
      '- First a smoker\n- Then a veil\n1. Open the lid\n2. Look inside\n\n' +
        '| Month | Work | Hours |\n| --- | --- | --- |\n| May | Swarms | 12 |\n| July | Honey | 20 |\n\n' +
        '```\nif (swarming) {\n  catchIt()\n}\n```',
    )
  })

  test('keeps a term in a code font together with its definition', async () => {
    const { markdown } = await read([
      code(LEFT, 760, 'honey'),
      line(LEFT + 60, 760, 'If set, the hive fills each comb that the keeper has'),
      line(LEFT + 60, 748, 'put into it since the last harvest of the year.'),
      code(LEFT, 736, 'wax'),
      line(LEFT + 60, 736, 'If set, the hive mends each comb.'),
    ])
    expect(markdown).toBe(
      'honey If set, the hive fills each comb that the keeper has put into it since the last harvest of the year.\n\n' +
        'wax If set, the hive mends each comb.',
    )
  })

  test('joins a line that begins with a number to its paragraph', async () => {
    const { markdown } = await read([
      line(LEFT + 15, 760, 'If a bee is not found, the hive that was asked for it returns a status of'),
      line(LEFT, 748, '127. If a bee is found but asleep, the hive returns the other status, 126.'),
    ])
    expect(markdown).toBe(
      'If a bee is not found, the hive that was asked for it returns a status of ' +
        '127. If a bee is found but asleep, the hive returns the other status, 126.',
    )
  })

  test('begins a list after a line without a full stop', async () => {
    const { markdown } = await read([
      ...lines(LEFT, 760, ['Before the first warm day of the year, do these', '1. Open the lid of each of the hives']),
      ...lines(LEFT, 600, ['and look into the hive for a while', '2. Close the lid of each of the hives again']),
    ])
    expect(markdown).toContain('\n1. Open')
    expect(markdown).toContain('\n2. Close')
  })

  test('removes running lines and adds an anchor for each page', async () => {
    const page = (number: number) => [
      line(LEFT, 800, 'The beekeeper’s handbook'.replace('’', "'")),
      line(LEFT, 700, `Chapter text number ${'one two three four'.split(' ')[number - 1]}.`),
      line(290, 40, String(number)),
    ]
    const { markdown, anchors } = await read(page(1), page(2), page(3), page(4))
    expect(markdown).toBe(['one', 'two', 'three', 'four'].map((word) => `Chapter text number ${word}.`).join('\n\n'))
    expect(anchors.map(({ offset, anchor }) => `${anchor} ${markdown.slice(offset, offset + 12)}`)).toEqual([
      'page=1 Chapter text',
      'page=2 Chapter text',
      'page=3 Chapter text',
      'page=4 Chapter text',
    ])
  })
})

test('adds an anchor inside a paragraph where its second page starts', async () => {
  const rows = (from: number, count: number) =>
    Array.from(
      { length: count },
      (_, i) => `row ${from + i} of a paragraph that goes on and on over the end of its page,`,
    )
  const { markdown, anchors } = await read(
    lines(LEFT, 700, rows(0, 10)),
    [...lines(LEFT, 700, rows(10, 8)), line(LEFT, 400, 'Another paragraph of that page.')],
    [line(LEFT, 700, 'The third page.')],
  )
  expect(anchors.map(({ offset, anchor }) => `${anchor} ${markdown.slice(offset, offset + 7)}`)).toEqual([
    'page=1 row 0 o',
    'page=2 row 10 ',
    'page=3 The thi',
  ])
})

describe('parts of a PDF that answer nothing', () => {
  const dots = '. '.repeat(30)
  const entry = (y: number, title: string, number: string) => [
    line(LEFT, y, title),
    line(LEFT + 150, y, dots),
    line(LEFT + 420, y, number),
  ]
  const text = [line(LEFT, 660, 'The text of this chapter is about bees and their hives.')]

  test('leaves out tables of contents and indexes', async () => {
    const { markdown } = await read(
      [line(LEFT, 760, 'Keeping bees', 20), line(LEFT, 730, 'A foreword of this book that has more than a few words.')],
      [
        line(LEFT, 760, 'Table of Contents', 16),
        ...entry(700, '1  The hive', '4'),
        line(LEFT, 688, '1.1  Where a hive stands in winter and in summer, and the reasons'),
        ...entry(676, 'why', '4, 5'),
        ...entry(664, 'Preface', 'iii'),
        line(LEFT, 652, 'Honey........................................ 5'),
        line(LEFT, 640, 'Wax . . 4'),
      ],
      [...text, ...entry(600, 'Bees', '4'), ...entry(588, 'Hives', '4'), ...entry(576, 'Honey', '4-5')],
      [...text, line(LEFT, 600, 'A box with wax . . 5')],
      text,
    )
    expect(markdown).not.toMatch(/\. \. \.|\.\.\.|Contents|Honey|Wax|why|reasons|\biii\b/)
    expect(markdown).toContain('# Keeping bees\n\nA foreword of this book')
    expect(markdown.match(/The text of this chapter/g)).toHaveLength(3)
  })

  test('keeps dotted lines that are prices, or too few', async () => {
    const prices = [...entry(700, 'Honey', '12'), ...entry(688, 'Wax', '8'), ...entry(676, 'Mead', '15')]
    const { markdown } = await read(prices, [...text, ...entry(600, 'Page two', '2')])
    for (const word of ['Honey', 'Wax', 'Mead', 'Page two']) expect(markdown).toContain(word)
  })

  test('does not treat fragments of formulas as code', async () => {
    const { markdown } = await read([...text, code(300, 640, '2 2'), code(LEFT, 600, 'x = {'), code(LEFT, 588, '}')])
    expect(markdown.match(/```/g)).toHaveLength(2)
    expect(markdown).toContain('```\nx = {\n}\n```')
  })
})

test.each([
  ['see https://mac.', 'r-project.org/tools for it', 'see https://mac.r-project.org/tools for it'],
  ['see https://x.example/a-', 'b.html.', 'see https://x.example/a-b.html.'],
  ['see https://x.example', '/path', 'see https://x.example/path'],
  ['see https://x.example/', 'for details.', 'see https://x.example/ for details.'],
  ['see https://x.example.', 'Then go on.', 'see https://x.example. Then go on.'],
  ['the encoding UTF-', '8 is usual', 'the encoding UTF-8 is usual'],
  ['the X-', 'Window system', 'the X-Window system'],
  ['hard-', 'to-find bugs', 'hardto-find bugs'],
  ['short-', 'and long-term', 'short- and long-term'],
  ['a long-', 'lived bee', 'a longlived bee'],
  ['a dash -', 'after it', 'a dash - after it'],
])('joins the lines %j and %j', (before, after, joined) => {
  expect(joinLines(before, after, new Set())).toBe(joined)
})

describe('files without text', () => {
  const bytesOf = (text: string) => new TextEncoder().encode(text)

  test.each([
    ['not_a_pdf', bytesOf('<!doctype html><title>Sign in</title>')],
    ['not_a_pdf', new Uint8Array()],
    ['damaged', bytesOf('%PDF-1.7\nnothing that follows')],
    ['scanned', drawPdf([[]])],
  ])('rejects a file as %s with a sentence', async (reason, bytes) => {
    const result = await readPdf({ bytes })
    expect(result).toMatchObject({ kind: 'rejected', reason, detail: expect.stringMatching(/^[A-Z].+\.$/) })
  })
})
