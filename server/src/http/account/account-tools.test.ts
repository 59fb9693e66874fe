import type { Operation } from '@docent/contract/operation'
import { operations } from '@docent/contract/operations'
import { expect, test } from 'vitest'
import { managementTools } from './account-tools.ts'

const tools = managementTools()

/** The tools of the specification with their arguments, and the position in a list. */
const SPECIFIED: Record<string, string> = {
  list_servers: 'limit cursor',
  get_server: 'server',
  create_server: 'name sources description tools visibility',
  delete_server: 'server confirm',
  set_server_visibility: 'server visibility',
  reindex_server: 'server source_id',
  get_indexing_progress: 'server',
  add_source: 'server url label',
  remove_source: 'server source_id url confirm',
  get_server_tools: 'server',
  update_server_tools: 'server tools add remove',
  list_custom_tools: 'limit cursor',
  build_custom_tool: 'prompt sources',
  delete_custom_tool: 'tool_id confirm',
  list_retrieval_rules: 'server',
  create_retrieval_rule: 'server rule source_id',
  update_retrieval_rule: 'rule_id enabled priority',
  delete_retrieval_rule: 'rule_id confirm',
  get_server_analytics: 'server',
  get_request_log: 'server range tool client status page',
  get_account: '',
}

test('lists exactly the specified tools with their arguments', () => {
  const found = tools.map(({ listed: { name }, inputSchema }) => [name, Object.keys(inputSchema.properties).join(' ')])
  expect(Object.fromEntries(found)).toEqual(SPECIFIED)
  expect(found).toHaveLength(21)
})

test('lists the tools as in the snapshot (update it with: npm test -- account-tools --update)', async () => {
  const listed = JSON.stringify(
    tools.map(({ listed: tool }) => tool),
    null,
    1,
  )
  await expect(`${listed}\n`).toMatchFileSnapshot('account-tools.json')
})

test('marks reading tools as read-only, and those that delete, publish or replace as destructive', () => {
  const names = (hint: 'readOnlyHint' | 'destructiveHint') =>
    tools.flatMap(({ listed }) => (listed.annotations[hint] ? [listed.name] : [])).toSorted()
  expect(names('readOnlyHint')).toEqual(
    Object.keys(SPECIFIED)
      .filter((name) => /^(?:get|list)_/.test(name))
      .toSorted(),
  )
  expect(names('destructiveHint')).toEqual(
    Object.keys(SPECIFIED)
      .filter((name) => /^(?:delete|remove|set|update)_/.test(name))
      .toSorted(),
  )
})

test('has hints that follow from the operations of the contract', () => {
  for (const { requests, listed } of tools) {
    const rows = requests.map(({ id }): Operation => operations[id])
    const { readOnlyHint, destructiveHint } = listed.annotations
    const told = { name: listed.name, readOnlyHint, destructiveHint }
    const changes = rows.some(({ needs }) => needs?.[1] === 'write' || needs?.[1] === 'publish')
    expect(told).toEqual({ ...told, readOnlyHint: !changes })
    const isAdding = rows.every(({ method, needs }) => method === 'POST' && needs?.[1] !== 'publish')
    expect(told).toEqual({ ...told, destructiveHint: changes && !isAdding })
  }
})

test('uses names and schemas that every client accepts', () => {
  const keywords = new Set<string>()
  const walk = (schema: object) => {
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword === 'properties') Object.values(value as object).forEach(walk)
      else if (keyword === 'items') walk(value as object)
      keywords.add(keyword)
    }
  }
  for (const { listed, inputSchema } of tools) {
    expect(listed.name).toMatch(/^[a-z][a-z0-9_]{0,20}$/)
    expect(listed.description.length).toBeLessThan(600)
    walk(inputSchema)
  }
  expect([...keywords].toSorted()).toEqual(
    'default description enum items maxLength maximum minLength minimum properties required type'.split(' '),
  )
})
