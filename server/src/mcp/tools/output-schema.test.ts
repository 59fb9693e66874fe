import { BUILT_IN_TOOLS } from '@docent/contract/values/tools'
import { describe, expect, test } from 'vitest'
import { checkStructured } from '../../../test/support/mcp/check-structured.ts'
import { fakeMcp, jsonOf, modern } from '../../../test/support/mcp/mcp-fakes.ts'
import { openShelf } from '../../../test/support/mcp/shelf.ts'
import { TOOLS } from './tools.ts'

const ARGUMENTS: Record<string, object> = {
  search_docs: { query: 'oil sprocket' },
  query_source: { source: 'Handbook', query: 'oil sprocket' },
  get_code_examples: { task: 'oil sprocket' },
  summarize_content: { topic: 'oil sprocket' },
  find_api_reference: { name: 'oil' },
  get_changelog: {},
  search_issues: { query: 'sprocket' },
  get_quickstart: {},
  extract_schema: { name: 'Sprocket' },
  ask_question: { question: 'How do I oil a sprocket?' },
}

const ISSUE = (n: number) => `# Sprocket ${n} squeaks (Issue #${n})

Issue #${n}, closed (completed), opened 2026-01-0${n} by ann. Labels: bug.

The sprocket squeaks.

## eve (maintainer), 2026-01-05

Oil the sprocket.
`

const full = openShelf(
  {
    label: 'Handbook',
    pages: [
      {
        url: 'https://w.example/guide/getting-started',
        markdown:
          '# Getting started\n\nOil every sprocket twice a year, so that the sprocket turns without a sound.\n\n## Install\n\nInstall the oil of each sprocket:\n\n```sh\nnpm install oil\n```\n\n## Use\n\nOil a sprocket:\n\n```ts\nimport { oil } from "oil"\noil(sprocket)\n```\n',
      },
      {
        url: 'https://w.example/api/oil',
        markdown:
          '# oil()\n\nOils a sprocket.\n\n```ts\nfunction oil(drops: number): boolean\n```\n\n## Parameters\n\n| Name | Type | Description |\n|---|---|---|\n| drops | number | How many drops |\n\n## Returns\n\nWhether the sprocket turns.\n\n## Example\n\n```ts\noil(3)\n```\n',
      },
      {
        url: 'https://w.example/schema',
        markdown:
          '# Sprocket\n\nThe fields of a Sprocket:\n\n| Field | Type | Required | Description |\n|---|---|---|---|\n| size | integer | yes | In teeth |\n| oil.kind | string | no | Of which kind |\n\n```ts\ninterface Sprocket {\n  size: number\n}\n```\n',
      },
      {
        url: 'https://w.example/changelog',
        markdown:
          '# Changelog\n\n## 2.0.0 (2026-02-01)\n\nBreaking: sprockets need oil.\n\n## 1.0.0 (2026-01-01)\n\nThe first sprocket.\n',
      },
    ],
  },
  {
    label: 'Code',
    type: 'repo',
    pages: [1, 2, 3].map((n) => ({ url: `https://github.com/acme/widgets/issues/${n}`, markdown: ISSUE(n) })),
  },
)
const words = openShelf({
  label: 'Handbook',
  pages: [{ url: 'https://w.example/winches', markdown: '# Winches\n\nThe winch lifts its load.' }],
})
const empty = openShelf({ label: 'Handbook', pages: [] })

const names = BUILT_IN_TOOLS.map(({ name }) => name)

test('tests the structured content of every tool', () => {
  expect(Object.keys(ARGUMENTS).toSorted()).toEqual(names.toSorted())
})

describe.each(names)('structured content of %s', (name) => {
  const args = ARGUMENTS[name] ?? {}

  test('matches the schema with results and with further pages', async () => {
    const { text, structured } = await full.call(name, args)
    expect(text).toMatch(/^Source: https:/m)
    for (const note of structured.notes) expect(text).toContain(`[note] ${note}`)
    if (name === 'ask_question') return
    let page = await full.call(name, { ...args, limit: 1 })
    for (let n = 0; n < 3 && page.structured.nextCursor; n++) {
      page = await full.call(name, { ...args, limit: 1, cursor: page.structured.nextCursor })
    }
    expect(page.structured.notes).toBeInstanceOf(Array)
  })

  test.each([
    ['speak of something else', words],
    ['are empty', empty],
  ])('matches the schema and repeats the notes in the text if the sources %s', async (_, shelf) => {
    const { text, structured } = await shelf.call(name, { ...args, surplus: true })
    expect(structured.notes.at(-1)).toContain('There is no argument "surplus"')
    for (const note of structured.notes) expect(text).toContain(`[note] ${note}`)
  })

  test('declares structured content as one plain object', () => {
    const { outputSchema } = TOOLS[name].listed
    expect(outputSchema).toMatchObject({ type: 'object', properties: { notes: { type: 'array' } } })
    expect(JSON.stringify(outputSchema)).not.toMatch(/\$ref|\$schema|\$defs|allOf|oneOf/)
  })
})

test('detects an undeclared member', () => {
  const structured = { query: 'oil', results: [], notes: [], code: [] }
  expect(() => checkStructured('search_docs', structured, [])).toThrow('search_docs answers what it does not declare')
})

test('refuses a call without structured content', async () => {
  const { send } = fakeMcp({ server: { structuredOutput: true } })
  expect(jsonOf(await send(modern('tools/call', { name: 'search_docs', arguments: {} })))).toMatchObject({
    result: { isError: true, content: [{ text: expect.stringContaining('Give "query" to search') }] },
  })
  const answer = jsonOf(await send(modern('tools/call', { name: 'search_docs', arguments: {} })))
  expect(answer).not.toHaveProperty('result.structuredContent')
})
