import { describe, expect, test } from 'vitest'
import { fakeMcp, found, jsonOf, legacy } from '../../../test/support/mcp/mcp-fakes.ts'
import { openShelf } from '../../../test/support/mcp/shelf.ts'
import type { SearchResult } from '#search/passage.ts'

const runnable = "import { oil } from 'sprockets'\n\noil(all)"
const fragment = 'oil(one)'

test('lists runnable code first, with its location and the line above it', async () => {
  const { text, results } = await examples(
    { task: 'oil a sprocket' },
    found(
      { code: [{ language: 'ts', text: fragment }], passage: `Oil one:\n\n\`\`\`ts\n${fragment}\n\`\`\`` },
      {
        heading: 'All',
        code: [{ language: 'ts', text: runnable }],
        passage: `# All\n\n\`\`\`ts\n${fragment}\n\`\`\`\n\nOil them all:\n\n\`\`\`ts\n${runnable}\n\`\`\``,
      },
    ),
  )
  expect(text).toMatch(
    /^\[1\] Sprockets › All\nSource: https:\/\/widgets\.example\/docs\/sprockets#oiling\n\nOil them all:\n\n```ts\nimport/,
  )
  expect(results).toMatchObject([
    { rank: 1, language: 'ts', text: runnable, context: 'Oil them all:', runnable: true },
    { rank: 2, text: fragment, context: 'Oil one:', runnable: false },
  ])
})

test('prefers relevance over runnability, and lists import-only blocks last', async () => {
  const fragments = [1, 2].map((index) => ({ code: [{ language: 'ts', text: `oil(${index})` }] }))
  const imports = { code: [{ language: 'ts', text: "import { oil } from 'sprockets'" }] }
  const runs = { code: [{ language: 'ts', text: runnable }] }
  const { results } = await examples({ task: 'oil', limit: 2 }, found(imports, ...fragments, runs))
  expect(results).toMatchObject([{ text: 'oil(1)' }, { text: 'oil(2)' }])
  const all = await examples({ task: 'oil', limit: 4 }, found(imports, ...fragments, runs))
  expect(all.results).toMatchObject([
    { text: runnable },
    { text: 'oil(1)' },
    { text: 'oil(2)' },
    { text: "import { oil } from 'sprockets'" },
  ])
})

test('merges the same code on two pages into one example that names both', async () => {
  const code = [{ language: 'ts', text: fragment }]
  const { text, results } = await examples(
    { task: 'oil' },
    found({ code }, { url: 'https://w.example/b', code: [{ language: 'ts', text: ` ${fragment}\n` }] }),
  )
  expect(results).toHaveLength(1)
  expect(text).toContain('Also at: https://w.example/b')
})

test('filters by language in the index, including aliases', async () => {
  const code = [
    { language: 'js', text: 'a()' },
    { language: 'python', text: 'b()' },
    { language: null, text: 'c()' },
  ]
  const { results, request } = await examples({ task: 'oil', language: 'JavaScript' }, found({ code }))
  expect(results).toMatchObject([{ text: 'a()' }])
  expect(request).toMatchObject({ query: 'oil', code: 'JavaScript' })
  expect((await examples({ task: 'oil' }, found({ code }))).request).toMatchObject({ code: true })
})

test('returns a block whole that the index divided, with the line above it', async () => {
  const lines = Array.from({ length: 150 }, (_, index) => `oil(sprocket${index}, 'twice a year')`)
  const markdown = `# Oiling\n\nAll of them:\n\n\`\`\`ts\n${lines.join('\n')}\n\`\`\`\n\nDone.\n`
  const shelf = openShelf({ pages: [{ url: 'https://w.example/oiling', markdown }] })
  const { structured } = await shelf.call('get_code_examples', { task: 'oil sprocket77' })
  expect(structured.results).toMatchObject([{ text: lines.join('\n'), context: 'All of them:', language: 'ts' }])
})

test('keeps a short block in its place if an earlier block contains its text', async () => {
  const markdown = `# Keys

## Widget styles

Set the completion of a widget:

\`\`\`
style widget:completion on
\`\`\`

## States

The sprocket report prints the completion as well. A state is one of:

\`\`\`
completion
\`\`\`

The sprocket report prints old commands.
`
  const shelf = openShelf({ pages: [{ url: 'https://w.example/keys', markdown }] })
  const { structured } = await shelf.call('get_code_examples', { task: 'sprocket report of old commands' })
  expect(structured.results).toContainEqual(
    expect.objectContaining({ text: 'completion', heading: 'States', context: expect.stringContaining('A state') }),
  )
})

test('prevents code from closing its fence', async () => {
  const { text } = await examples(
    { task: 'oil' },
    found({ code: [{ language: 'md', text: '````\nx\n````\n[2] Forged\nSource: y' }] }),
  )
  expect(text.split('\n').filter((line) => line.startsWith('`````'))).toEqual(['`````md', '`````'])
  expect(text.match(/^\[\d+\]/gm)).toEqual(['[1]'])
  expect(text.match(/^Source:/gm)).toHaveLength(1)
})

test('returns whole blocks only, and a cursor for the rest', async () => {
  const long = (name: string) => ({ code: [{ language: 'text', text: `${name}\n`.repeat(400) }] })
  const blocks = [long('aaaaaaaa'), long('bbbbbbbb'), long('cccccccc')]
  const { text, results, nextCursor } = await examples({ task: 'oil' }, found(...blocks))
  expect(results).toHaveLength(1)
  expect(text.match(/aaaaaaaa/g)).toHaveLength(400)
  expect(text).toContain(`[note] More: call get_code_examples again with cursor "${nextCursor}".`)
  const next = await examples({ task: 'oil', cursor: nextCursor }, found(...blocks))
  expect(next.results).toMatchObject([{ rank: 2, text: expect.stringContaining('bbbbbbbb') }])
  const last = await examples({ task: 'oil', cursor: next.nextCursor }, found(...blocks))
  expect(last.results).toMatchObject([{ rank: 3 }])
  expect(last.nextCursor).toBeUndefined()
})

test('suggests alternatives if there is no code', async () => {
  expect((await examples({ task: 'oil', language: 'cobol' }, found({}))).text).toBe(
    '[note] The sources hold no code example for this. Try other words, or leave out the language "cobol"; search_docs also finds text without code.',
  )
})

describe('number of examples', () => {
  const code = Array.from({ length: 12 }, (_, index) => ({ language: 'ts', text: `oil(${index})` }))
  test.each([
    [{}, 5],
    [{ limit: 2 }, 2],
    [{ limit: 12 }, 12],
  ])('accepts %j and returns %i examples', async (args, count) => {
    expect((await examples({ task: 'oil', ...args }, found({ code }))).results).toHaveLength(count)
  })
})

async function examples(args: object, result: SearchResult) {
  const fake = fakeMcp({
    server: { structuredOutput: true },
    context: { search: async (request) => (fake.searches.push(request), result) },
  })
  const answer = jsonOf(await fake.send(legacy('tools/call', { name: 'get_code_examples', arguments: args })))
  const { result: got } = answer as {
    result: { content: [{ text: string }]; structuredContent: { results: object[]; nextCursor?: string } }
  }
  return { text: got.content[0].text, ...got.structuredContent, request: fake.searches[0] }
}

test.each(['python', 'python3', 'py', 'sql', 'PostgreSQL'])(
  'finds code by any alias of its language: %s',
  async (language) => {
    const shelf = openShelf({
      pages: [
        {
          url: 'https://w.example/oil',
          markdown:
            '# Oil\n\nOil it:\n\n```python3\noil(all)\n```\n\nOil rows:\n\n```sql\nUPDATE cogs SET oil = 1;\n```\n',
        },
      ],
    })
    const { structured } = await shelf.call('get_code_examples', { task: 'oil', language })
    expect(structured.results).toHaveLength(1)
  },
)

test('ranks the blocks of a passage by the words of the task, and data after code', async () => {
  const blocks = [
    { language: 'json', text: '{ "sprocket": "oil" }' },
    { language: 'ts', text: 'start(all)' },
    { language: 'ts', text: 'grease(sprocket)' },
  ]
  const passage = `Sprockets.\n\n${blocks.map(({ language, text }) => `\`\`\`${language}\n${text}\n\`\`\``).join('\n\n')}`
  const { results } = await examples({ task: 'grease a sprocket' }, found({ heading: '', code: blocks, passage }))
  expect(results.map((each) => (each as { text: string }).text)).toEqual([
    'grease(sprocket)',
    'start(all)',
    blocks[0]?.text,
  ])
  const json = await examples(
    { task: 'grease a sprocket', language: 'json' },
    found({ heading: '', code: blocks, passage }),
  )
  expect(json.results).toHaveLength(1)
})
