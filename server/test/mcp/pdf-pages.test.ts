import { expect, test } from 'vitest'
import { openShelf } from '../support/mcp/shelf.ts'

/** A section of a PDF that goes on over a page break. Both pages have code. */
const MARKDOWN = `# Gears

## Oiling gears

Oil a gear with a brush before the winter starts.

\`\`\`
oil --brush gear
\`\`\`

A sprocket needs a different tool in every season.

\`\`\`
wipe --cloth sprocket
\`\`\`

A sprocket that squeaks wants graphite from the yellow tin.`

const anchors = [
  { offset: 0, anchor: 'page=7' },
  { offset: MARKDOWN.indexOf('A sprocket needs'), anchor: 'page=8' },
]

const shelf = openShelf({
  type: 'pdf',
  pages: [{ url: 'https://w.example/gears.pdf', title: 'Gears', markdown: MARKDOWN, anchors }],
})

test('cites each code example of a PDF with the page that it is on', async () => {
  const { structured } = await shelf.call('get_code_examples', { task: 'oil a gear and wipe a sprocket' })
  expect(structured.results.map(({ text, url }: any) => [text, url]).toSorted()).toEqual([
    ['oil --brush gear', 'https://w.example/gears.pdf#page=7'],
    ['wipe --cloth sprocket', 'https://w.example/gears.pdf#page=8'],
  ])
})

test('cites a quote of a PDF with the page on which it begins', async () => {
  const { structured } = await shelf.call('ask_question', { question: 'Which graphite for a sprocket that squeaks?' })
  expect(structured.citations).toMatchObject([
    { quote: expect.stringMatching(/^Oil a gear/), url: 'https://w.example/gears.pdf#page=7' },
  ])
})

test('cites a passage of a PDF with the page that it begins on', async () => {
  const { structured } = await shelf.call('search_docs', { query: 'graphite' })
  expect(structured.results).toMatchObject([{ url: 'https://w.example/gears.pdf#page=7' }])
})

test('cites a code block of a PDF that is longer than a passage with the page that it begins on', async () => {
  const lines = Array.from({ length: 120 }, (_, line) => `wipe --cloth sprocket${line} --slowly`)
  const markdown = `# Wiping\n\nWipe all of them:\n\n\`\`\`\n${lines.join('\n')}\n\`\`\`\n\nDone.`
  const long = openShelf({
    type: 'pdf',
    pages: [
      {
        url: 'https://w.example/wiping.pdf',
        title: 'Wiping',
        markdown,
        anchors: [
          { offset: 0, anchor: 'page=1' },
          { offset: markdown.indexOf('```'), anchor: 'page=2' },
          { offset: markdown.indexOf(lines[70] ?? ''), anchor: 'page=3' },
        ],
      },
    ],
  })
  const { structured } = await long.call('get_code_examples', { task: 'wipe sprocket111' })
  expect(structured.results).toMatchObject([
    { text: lines.join('\n'), url: 'https://w.example/wiping.pdf#page=2', alsoAt: [] },
  ])
})

test('cites the points of a summary with the page of their first sentence', async () => {
  const markdown = `# Gears\n\n## Oiling gears\n\nRun it:\n\n\`\`\`\noil\n\`\`\`\n\nA sprocket that squeaks needs a sprocket brush.`
  const at = markdown.indexOf('A sprocket')
  const anchors = [
    { offset: 0, anchor: 'page=7' },
    { offset: at, anchor: 'page=8' },
  ]
  const url = 'https://w.example/summary.pdf'
  const { call } = openShelf({ type: 'pdf', pages: [{ url, title: 'Gears', markdown, anchors }] })
  for (const asked of [{ url }, { topic: 'squeaking sprocket' }]) {
    const { structured } = await call('summarize_content', asked)
    expect(structured.results).toMatchObject([{ url: `${url}#page=8` }])
  }
})

test('lists a second sentence on another page as a separate point', async () => {
  const sentences = ['A sprocket that squeaks needs a sprocket brush.', 'A sprocket brush of a sprocket is red.']
  const markdown = `# Gears\n\n${sentences.join(' ')}`
  const anchors = [
    { offset: 0, anchor: 'page=7' },
    { offset: markdown.indexOf(sentences[1] ?? ''), anchor: 'page=8' },
  ]
  const url = 'https://w.example/points.pdf'
  const { call } = openShelf({ type: 'pdf', pages: [{ url, title: 'Gears', markdown, anchors }] })
  for (const asked of [{ url }, { topic: 'sprocket brush' }]) {
    const { structured } = await call('summarize_content', asked)
    expect(structured.results).toMatchObject(
      sentences.map((sentence, at) => ({ url: `${url}#page=${at + 7}`, sentences: [sentence] })),
    )
  }
})
