import { describe, expect, test } from 'vitest'
import type { ServedSource } from '#store/servers/served.ts'
import { docs } from '../../../test/support/sites/gadgets.ts'
import { fakeMcp, jsonOf, legacy } from '../../../test/support/mcp/mcp-fakes.ts'
import type { ListedTool } from '../definition/tool.ts'

describe('tool listing', () => {
  const listedWith = async (...sources: Partial<ServedSource>[]) => {
    const fake = fakeMcp({
      server: { sources: sources.map((one) => ({ ...docs, ...one })), tools: ['query_source'] },
    })
    const { result } = jsonOf(await fake.send(legacy('tools/list'))) as { result: { tools: ListedTool[] } }
    return result.tools[0]
  }
  const argumentsOf = (tool: ListedTool | undefined) => Object.keys(Object(tool?.inputSchema['properties']))

  test('lists no remote arguments if no source is an MCP server', async () => {
    const tool = await listedWith({}, { type: 'repo', allowedTools: ['melt'] })
    expect(argumentsOf(tool)).toEqual(['source', 'query', 'page', 'limit', 'cursor'])
    expect(tool?.inputSchema['required']).toEqual(['source'])
    expect(tool?.description).not.toContain('MCP')
    expect(tool?.annotations).toEqual({
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    })
  })

  test('lists the tool as read-only and open-world with an MCP server', async () => {
    const tool = await listedWith({}, { type: 'mcp' })
    expect(argumentsOf(tool)).toEqual(['source', 'query', 'page', 'tool', 'arguments', 'limit', 'cursor'])
    expect(tool?.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false, openWorldHint: true })
  })

  test('lists the tool as destructive if the owner allows tools that are not read-only', async () => {
    const tool = await listedWith({ type: 'mcp' }, { type: 'mcp', allowedTools: ['melt'] })
    expect(tool?.annotations).toEqual({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    })
  })
})
