import type { CustomToolPlan } from '@docent/contract/values/custom-tool-plan'
import { expect, test } from 'vitest'
import { customTool } from './custom-tool.ts'

const plan = (operation: 'search_docs' | 'query_source', given: Record<string, string>) =>
  ({
    name: 'a',
    displayName: 'A',
    description: 'Reads.',
    inputSchema: { type: 'object', properties: {} },
    steps: [{ operation, arguments: given }],
    output: { form: 'list' },
  }) as unknown as CustomToolPlan

test.each([
  ['a search', plan('search_docs', { query: 'x' }), [], { readOnlyHint: true, openWorldHint: false }],
  [
    'a remote tool that declares itself read-only',
    plan('query_source', { tool: 'look' }),
    ['write'],
    { readOnlyHint: true, openWorldHint: true },
  ],
  [
    'a remote tool that the owner allows',
    plan('query_source', { tool: 'write' }),
    ['write'],
    { readOnlyHint: false, destructiveHint: true },
  ],
])('tells clients the truth about a custom tool with %s', (_, of, allowedTools, hints) => {
  expect(customTool(of, () => undefined, [{ allowedTools }]).listed.annotations).toMatchObject(hints)
})
