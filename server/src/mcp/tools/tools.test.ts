import { expect, test } from 'vitest'
import { BUILT_IN_TOOLS } from '@docent/contract/values/tools'
import { listTools } from '../dispatch/endpoint.ts'
import { TOOLS } from './tools.ts'

test('matches the reviewed snapshot of tool descriptions', async () => {
  const tools = Object.values(TOOLS)
  const members = Buffer.from(listTools(tools, { structured: false })).toString()
  const { tools: listed } = JSON.parse(`{${members}}`) as { tools: unknown }
  await expect(`${JSON.stringify(listed, null, 2)}\n`).toMatchFileSnapshot('../fixtures/listed-tools.json')
  const outputs = Object.fromEntries(tools.map((tool) => [tool.listed.name, tool.listed.outputSchema]))
  await expect(`${JSON.stringify(outputs, null, 2)}\n`).toMatchFileSnapshot('../fixtures/output-schemas.json')
})

test('keeps every tool name short enough for the prefixes of clients', () => {
  for (const { name } of BUILT_IN_TOOLS) expect(name).toMatch(/^[a-z][a-z0-9_]{0,20}$/)
})

test('lists exactly the names of the interface in the catalogue, in order', () => {
  expect(BUILT_IN_TOOLS.map(({ name }) => name).join(' ')).toBe(
    'search_docs query_source get_code_examples summarize_content find_api_reference get_changelog search_issues get_quickstart extract_schema ask_question',
  )
})

test('gives every tool the same name and title as the catalogue', () => {
  for (const [name, { listed }] of Object.entries(TOOLS)) {
    expect(listed.name).toBe(name)
    expect(BUILT_IN_TOOLS).toContainEqual(expect.objectContaining({ name: listed.name, title: listed.title }))
  }
})
