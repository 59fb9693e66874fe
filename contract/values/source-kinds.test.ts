import { expect, test } from 'vitest'
import { SOURCE_KINDS, SOURCE_TYPES, suggestedType } from './source-kinds.ts'
import { BUILT_IN_TOOLS, kindsFor } from './tools.ts'

test('names the kinds of source that feed each tool', () => {
  const every = ['website', 'docs', 'repo', 'api', 'mcp', 'pdf']
  expect(Object.fromEntries(BUILT_IN_TOOLS.map(({ name }) => [name, kindsFor(name)]))).toEqual({
    search_docs: every,
    query_source: every,
    get_code_examples: ['website', 'docs', 'repo', 'api', 'pdf'],
    summarize_content: every,
    find_api_reference: ['website', 'docs', 'repo', 'api', 'mcp'],
    get_changelog: ['website', 'docs', 'repo'],
    search_issues: ['repo'],
    get_quickstart: ['website', 'docs', 'repo', 'pdf'],
    extract_schema: ['website', 'docs', 'repo', 'api', 'mcp'],
    ask_question: every,
  })
})

test.each([
  ['https://example.com/about', 'website'],
  ['https://docs.example.com/guide', 'docs'],
  ['https://example.com/docs/intro', 'docs'],
  ['https://github.com/acme/gadgets', 'repo'],
  ['https://github.com/features', 'website'],
  ['https://example.com/tools/gadgets.git', 'repo'],
  ['https://gitlab.example.com/acme/gadgets', 'repo'],
  ['https://example.com/manual.pdf', 'pdf'],
  ['https://docs.example.com/v2/openapi.yaml', 'api'],
  ['https://docs.example.com/mcp', 'mcp'],
  ['https://mcp.example.com/', 'mcp'],
])('guesses the kind of %s from the address: %s', (address, type) => {
  expect(suggestedType(new URL(address))).toBe(type)
})

test('prefers a repository over its files, and a file over a documentation host', () => {
  expect(suggestedType(new URL('https://github.com/acme/gadgets/blob/main/openapi.pdf'))).toBe('repo')
  expect(suggestedType(new URL('https://docs.example.com/openapi.json'))).toBe('api')
  expect(new Set(SOURCE_TYPES.map((type) => SOURCE_KINDS[type].suggestedBy.rank)).size).toBe(SOURCE_TYPES.length)
})
