import { operations } from '@docent/contract/operations'
import { z } from 'zod'
import { expect, test } from 'vitest'
import { type AnySchema, managementTools } from './account-tools.ts'

const tools = managementTools()

/** The tools of the specification with their arguments. */
const SPECIFIED: Record<string, string> = {
  list_servers: '',
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
  list_custom_tools: '',
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

test('marks reading tools as read-only and deleting ones as destructive', () => {
  const names = (hint: 'readOnlyHint' | 'destructiveHint') =>
    tools.flatMap(({ listed }) => (listed.annotations[hint] ? [listed.name] : [])).toSorted()
  expect(names('readOnlyHint')).toEqual(
    Object.keys(SPECIFIED)
      .filter((name) => /^(?:get|list)_/.test(name))
      .toSorted(),
  )
  expect(names('destructiveHint')).toEqual(
    Object.keys(SPECIFIED)
      .filter((name) => /^(?:delete|remove)_/.test(name))
      .toSorted(),
  )
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

test('omits only members that answers have', () => {
  for (const { tool, requests } of tools) {
    for (const path of tool.omits ?? []) {
      const [first = '', ...rest] = path.split('.')
      const part = requests.find(({ member }) => member === first)
      const id = (part ?? requests[0])?.id
      if (!id) throw new Error(`${tool.name} makes no request`)
      const output = z.toJSONSchema(operations[id].output as z.ZodType, { unrepresentable: 'any' }) as AnySchema
      expect([tool.name, path, hasMember(output, part ? rest : [first, ...rest])]).toEqual([tool.name, path, true])
    }
  }
})

/** True if the schema, of a list its items, has the member at the path. A build is described by its last line. */
function hasMember(schema: AnySchema & { oneOf?: AnySchema[] }, path: readonly string[]): boolean {
  const [name, ...rest] = path
  if (name === undefined) return true
  const variants = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  return variants.some(({ items, properties }) => {
    if (items) return hasMember(items, path)
    const tool = properties?.['tool']
    const member = properties?.[name] ?? tool?.properties?.[name]
    return member !== undefined && hasMember(member, rest)
  })
}
