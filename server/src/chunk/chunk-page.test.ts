import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { markdownBlocks } from '#documents/model/markdown-blocks.ts'
import { codeIn, headingsAbove } from '#search/page.ts'
import { closeFences, passageOfChunk } from '#search/passage.ts'
import { chunkPage, SIZES } from './chunk-page.ts'

const chunksOf = (markdown: string, title = 'Title') => chunkPage({ title, markdown, blocks: markdownBlocks(markdown) })
const texts = (markdown: string) => chunksOf(markdown).map(({ start, end }) => markdown.slice(start, end))
const prose = (length: number) =>
  'Some words of prose that say a thing. '
    .repeat(Math.ceil(length / 38))
    .slice(0, length)
    .trim()

const word = fc.stringMatching(/^[a-zA-Z0-9é語`*_.-]{1,12}$/)
const sentence = fc.array(word, { minLength: 1, maxLength: 60 }).map((words) => `w${words.join(' ')}.`)
const block = fc.oneof(
  fc.tuple(fc.integer({ min: 1, max: 4 }), word).map(([level, text]) => `${'#'.repeat(level)} H${text}`),
  sentence,
  fc.array(sentence, { minLength: 1, maxLength: 30 }).map((items) => items.map((item) => `- ${item}`).join('\n')),
  fc
    .array(
      fc.string({ maxLength: 60 }).map((line) => line.replaceAll(/[`~\n\r]/g, '')),
      { maxLength: 90 },
    )
    .map((lines) => `\`\`\`js\n${lines.join('\n')}\n\`\`\``),
  fc
    .array(word, { minLength: 1, maxLength: 80 })
    .map((rows) => `| a | b |\n| --- | --- |\n${rows.map((row) => `| ${row.replaceAll('|', '')} | x |`).join('\n')}`),
  fc.integer({ min: 1, max: 5_000 }).map((length) => 'x'.repeat(length)),
)
const page = fc.array(block, { maxLength: 25 }).map((blocks) => blocks.join('\n\n'))

describe('chunking of generated pages', () => {
  it('covers all text in order, without overlap, in passages of bounded size', () => {
    fc.assert(
      fc.property(page, (markdown) => {
        let at = 0
        for (const { start, end } of chunksOf(markdown)) {
          expect(start).toBeGreaterThanOrEqual(at)
          expect(markdown.slice(at, start).trim()).toBe('')
          expect(end - start).toBeGreaterThan(0)
          expect(end - start).toBeLessThanOrEqual(SIZES.most)
          at = end
        }
        expect(markdown.slice(at).trim()).toBe('')
      }),
    )
  })

  it('assigns each passage to one section', () => {
    fc.assert(
      fc.property(page, (markdown) => {
        const blocks = markdownBlocks(markdown)
        for (const { start, end, headings } of chunksOf(markdown)) {
          const inside = blocks.filter((part) => part.start < end && part.end > start)
          const own = inside.findLast((part) => part.kind === 'heading')
          if (own?.kind !== 'heading') continue
          // Text below an API member belongs to it.
          const isMember = inside.some((part, at) => inside[at - 1]?.kind === 'heading' && part.kind === 'code')
          const text = inside.findIndex((part) => part.kind !== 'heading')
          const later = inside.slice(text < 0 ? inside.length : text).some((part) => part.kind === 'heading')
          if (!isMember) expect(later).toBe(false)
          if (!later && own.text !== 'Title') expect(headings.at(-1)).toBe(own.text)
        }
      }),
    )
  })

  it('keeps fences and tables whole if they fit into a passage', () => {
    fc.assert(
      fc.property(page, (markdown) => {
        const chunks = chunksOf(markdown)
        for (const { kind, start, end } of markdownBlocks(markdown)) {
          if ((kind !== 'code' && kind !== 'table') || end - start > SIZES.most) continue
          expect(chunks.some((chunk) => chunk.start <= start && chunk.end >= end)).toBe(true)
        }
      }),
    )
  })

  it('returns all code in order', () => {
    fc.assert(
      fc.property(page, (markdown) => {
        const whole = markdownBlocks(markdown).flatMap((part) =>
          part.kind === 'code' ? markdown.slice(part.codeStart, part.codeEnd) : [],
        )
        const found = chunksOf(markdown).flatMap(({ blocks }) =>
          codeIn(blocks).map(({ start, end }) => markdown.slice(start, end)),
        )
        expect(found.join('').replaceAll(/\s/g, '')).toBe(whole.join('').replaceAll(/\s/g, ''))
      }),
    )
  })
})

describe('chunking of a page', () => {
  it('begins a passage at each heading with enough text', () => {
    const markdown = `# Title\n\n${prose(500)}\n\n## One\n\n${prose(500)}\n\n### Two\n\n${prose(500)}`
    expect(chunksOf(markdown).map(({ headings, anchor }) => [headings, anchor])).toEqual([
      [[], 'title'],
      [['One'], 'one'],
      [['One', 'Two'], 'two'],
    ])
  })

  it('joins a heading without text to the subheading that follows', () => {
    expect(chunksOf(`## Outer\n\n### Inner\n\n${prose(600)}`)).toMatchObject([
      { headings: ['Outer', 'Inner'], anchor: 'inner' },
    ])
  })

  it.each([
    ['## Title', 'Title'],
    ['# Title Manual Page', 'Title'],
    ['## Title', 'Title — what it is for'],
  ])('treats a first heading "%s" of the page "%s" as its title', (heading, title) => {
    expect(chunksOf(`${heading}\n\n${prose(500)}\n\n### One\n\n${prose(500)}`, title)).toMatchObject([
      { headings: [] },
      { headings: ['One'] },
    ])
  })

  it('returns to the enclosing section after a definition ends', () => {
    const markdown = `## One\n\n${prose(500)}\n\n### a()\n\n${prose(500)}\n\n${prose(400)}\n\n${prose(300)}\n\n### b()\n\nx`
    const blocks = markdownBlocks(markdown).map((part, index) =>
      index === 4 && part.kind !== 'heading' ? { ...part, resumes: 2 } : part,
    )
    expect(chunkPage({ title: 'Title', markdown, blocks })).toMatchObject([
      { headings: ['One'], anchor: 'one' },
      { headings: ['One', 'a()'], anchor: 'a' },
      { headings: ['One'], anchor: 'one' },
      { headings: ['One', 'b()'], anchor: 'b' },
    ])
  })

  it('uses the anchor of the enclosing section for a heading without one', () => {
    const markdown = `## One\n\n${prose(500)}\n\n### Two\n\n${prose(500)}`
    const blocks = markdownBlocks(markdown).map((part) =>
      part.kind === 'heading' && part.level === 3 ? { ...part, anchor: null } : part,
    )
    expect(chunkPage({ title: 'Title', markdown, blocks })).toMatchObject([
      { headings: ['One'], anchor: 'one' },
      { headings: ['One', 'Two'], anchor: 'one' },
    ])
  })

  it('begins a passage at each heading, even with little text', () => {
    const sections = Array.from({ length: 6 }, (_, i) => `## Option ${i}\n\nA line about it.`)
    expect(texts(sections.join('\n\n'))).toEqual(sections)
  })

  it('ends a short introduction at the next heading', () => {
    const markdown = '# Title\n\nIt is short.\n\n## One\n\nSo is this.\n\n### Two\n\nAnd this.'
    expect(chunksOf(markdown).map(({ headings, anchor }) => [headings, anchor])).toEqual([
      [[], 'title'],
      [['One'], 'one'],
      [['One', 'Two'], 'two'],
    ])
  })

  it('keeps the anchors of leading headings without text', () => {
    const markdown = `# Title\n\n## 1.2.0\n\n### Fixed\n\n- A thing.\n\n### Added\n\n- Another.`
    const [fixed, added] = chunksOf(markdown)
    expect(fixed).toMatchObject({ headings: ['1.2.0', 'Fixed'], anchor: 'fixed' })
    expect(headingsAbove(fixed?.blocks ?? [])).toMatchObject([
      { start: 0, anchor: 'title' },
      {
        start: markdown.indexOf('## 1.2.0'),
        anchor: markdownBlocks(markdown).flatMap((part) => (part.kind === 'heading' ? part.anchor : []))[1],
      },
    ])
    expect(added).toMatchObject({ headings: ['1.2.0', 'Added'], anchor: 'added' })
    expect(headingsAbove(added?.blocks ?? [])).toEqual([])
  })

  it('keeps a heading without text or subheading separate', () => {
    expect(texts('## One\n\n## Two\n\nA line.')).toEqual(['## One', '## Two\n\nA line.'])
  })

  it('does not move a line of another section along with code', () => {
    const markdown = `## One\n\n${prose(500)}\n\n### a()\n\nIt does.\n\nIt gives:\n\n\`\`\`\nx\n\`\`\``
    const blocks = markdownBlocks(markdown).map((part) => (part.kind === 'code' ? { ...part, resumes: 2 } : part))
    const chunks = chunkPage({ title: 'Title', markdown, blocks })
    expect(chunks.map(({ headings }) => headings)).toEqual([['One'], ['One', 'a()'], ['One']])
    expect(markdown.slice(chunks[2]?.start)).toBe('```\nx\n```')
  })

  it('adds a short rest of a section to the previous passage', () => {
    const rest = 'One more line.'
    expect(texts(`## A\n\n${prose(900)}\n\n${prose(150)}\n\n${rest}\n\n## B\n\n${prose(500)}`)[0]).toMatch(
      /One more line\.$/,
    )
  })

  it('moves a line that introduces code along with the code', () => {
    const code = `\`\`\`js\n${'call()\n'.repeat(120)}\`\`\``
    const [, second] = texts(`## A\n\n${prose(700)}\n\nThen run:\n\n${code}`)
    expect(second).toMatch(/^Then run:\n\n```js/)
  })

  it('keeps a list with the sentence that announces it, and no other sentence', () => {
    const list = Array.from({ length: 12 }, (_, at) => `- item ${at} of the list that follows`).join('\n')
    expect(texts(`## A\n\n${prose(700)}\n\nCheck the following:\n\n${list}`)[1]).toMatch(
      /^Check the following:\n\n- item 0/,
    )
    expect(texts(`## A\n\n${prose(700)}\n\nThat is all.\n\n${list}`)[1]).toMatch(/^- item 0/)
  })

  it('splits long code at blank lines', () => {
    const part = `function f() {\n${'  work()\n'.repeat(60)}}`
    const pieces = texts(`\`\`\`js\n${[part, part, part, part, part].join('\n\n')}\n\`\`\``)
    expect(pieces.length).toBeGreaterThan(1)
    for (const piece of pieces.slice(0, -1)) expect(piece).toMatch(/\}$/)
  })

  it('splits a long table between rows', () => {
    const markdown = `| key | value |\n| --- | --- |\n${'| a key | some value of it |\n'.repeat(150)}`.trim()
    for (const piece of texts(markdown)) expect(piece).toMatch(/^\|.*\|$/s)
  })

  it.each(['', 'All keys.\n\n'])('makes passages of a long table that each begin with its header: %j', (before) => {
    const head = '| key | value |\n| --- | --- |\n'
    const markdown = `${before}${head}${'| a key | some value of it |\n'.repeat(150)}`.trim()
    const shown = chunksOf(markdown).map((chunk) => closeFences(passageOfChunk({ url: 'x:y', markdown, chunk })))
    expect(shown.length).toBeGreaterThan(2)
    for (const [at, text] of shown.entries()) expect(text.startsWith(at === 0 ? before + head : head)).toBe(true)
  })

  it('gives each API member a separate passage, even if it is short', () => {
    const member = (name: string) => `### ${name}\n\n\`\`\`java\npublic int ${name}(int at)\n\`\`\`\n\nDoes it.`
    const markdown = `## Methods\n\n${['size', 'cut', 'tie'].map(member).join('\n\n')}\n\n## Fields\n\nNone.`
    expect(chunksOf(markdown).map(({ headings, anchor }) => [headings, anchor])).toEqual([
      [['Methods', 'size'], 'size'],
      [['Methods', 'cut'], 'cut'],
      [['Methods', 'tie'], 'tie'],
      [['Fields'], 'fields'],
    ])
  })

  it('keeps the parts of an API member together if they fit', () => {
    const member = (length: number) =>
      `### cut()\n\n\`\`\`\nfn cut()\n\`\`\`\n\n${prose(length)}\n\n#### Panics\n\n${prose(400)}\n\n#### Examples\n\n${prose(400)}`
    expect(chunksOf(member(400)).map(({ headings }) => headings)).toEqual([['cut()']])
    expect(chunksOf(member(900)).map(({ headings }) => headings)).toEqual([
      ['cut()'],
      ['cut()', 'Panics'],
      ['cut()', 'Examples'],
    ])
  })

  it('does not treat headings above prose or above other code as API members', () => {
    const markdown = `## Use\n\n\`\`\`\nother()\n\`\`\`\n\n### One\n\n${prose(900)}\n\n### Two\n\n${prose(900)}`
    expect(chunksOf(markdown).map(({ headings }) => headings)).toEqual([['Use'], ['Use', 'One'], ['Use', 'Two']])
    const parts = `### sink\n\nUse it:\n\n\`\`\`\nsink()\n\`\`\`\n\n#### Notes\n\nA line.`
    expect(chunksOf(parts).map(({ headings }) => headings)).toEqual([['sink'], ['sink', 'Notes']])
  })

  it('handles a page of 4,000 API members', () => {
    const markdown = Array.from(
      { length: 4_000 },
      (_, at) => `${'#'.repeat((at % 6) + 1)} m${at}\n\n\`\`\`\nm${at}()\n\`\`\``,
    )
    expect(chunksOf(markdown.join('\n\n'))).toHaveLength(4_000)
  })

  it('splits a page of 100,000 headings by size after the section limit', () => {
    const markdown = '# a\n'.repeat(100_000)
    const chunks = chunksOf(markdown)
    expect(chunks.length).toBeGreaterThan(10_000)
    expect(chunks.length).toBeLessThan(11_000)
    expect(chunks.at(-1)?.end).toBe(markdown.length - 1)
  })

  it('returns no passages for a page without text', () => {
    expect(chunksOf('')).toEqual([])
  })
})
