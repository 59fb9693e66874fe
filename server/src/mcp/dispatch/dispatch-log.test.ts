import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { fakeMcp, legacy, modern } from '../../../test/support/mcp/mcp-fakes.ts'

const search = { name: 'search_docs', arguments: { query: 'oil' } }

describe('request log', () => {
  test('records an answered call with client, time and citations', async () => {
    const { send, calls } = fakeMcp()
    await send(modern('tools/call', search))
    expect(calls).toEqual([])
    await turn()
    expect(calls).toEqual([
      {
        tool: 'search_docs',
        arguments: { query: 'oil' },
        client: { name: 'probe', version: '9' },
        outcome: 'answered',
        durationMs: expect.any(Number),
        citations: [
          {
            sourceId: 'src_one',
            url: 'https://widgets.example/docs/sprockets#oiling',
            title: 'Sprockets',
            rank: 1,
            score: 12.5,
          },
        ],
      },
    ])
  })

  test('identifies legacy clients by their User-Agent and failures by their message', async () => {
    const { send, calls } = fakeMcp()
    await send(legacy('tools/call', { name: 'search_docs' }, { 'User-Agent': 'codex/1.4 (linux)' }))
    await turn()
    expect(calls).toMatchObject([
      {
        client: { name: 'codex', version: '1.4' },
        outcome: 'refused',
        error: expect.stringContaining('"query"'),
        citations: [],
      },
    ])
  })

  test('identifies a legacy client by its initialize request, if it matches', async () => {
    const { send, calls } = fakeMcp()
    const agent = (version: string) => ({ 'User-Agent': `node/${version}` })
    const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'agent', version: '3' } }
    await send(legacy('initialize', hello, agent('24')))
    await send(legacy('tools/call', search, agent('24')))
    await send(legacy('tools/call', { name: 'nope' }, agent('24')))
    await send(legacy('tools/call', search, agent('22')))
    await send({ ...legacy('tools/call', search, agent('24')), address: '192.0.2.2' })
    await turn()
    const itself = { name: 'agent', version: '3' }
    const clients = calls.map(({ client }) => client)
    expect(clients).toEqual([itself, itself, { name: 'node', version: '22' }, { name: 'node', version: '24' }])
  })

  test.each<[string, (params: Record<string, unknown>) => ReturnType<typeof legacy>, string]>([
    ['a handshake', (params) => legacy('tools/call', params, { 'User-Agent': 'codex/1.4' }), 'codex'],
    ['no state', (params) => modern('tools/call', params, { 'Mcp-Name': 'nope' }), 'probe'],
  ])('records calls of unknown tools over revisions with %s', async (_, request, name) => {
    const { send, calls } = fakeMcp()
    await send(request({ name: 'nope', arguments: { query: 'oil' } }))
    await turn()
    expect(calls).toEqual([
      {
        tool: 'nope',
        isUnknown: true,
        arguments: { query: 'oil' },
        client: expect.objectContaining({ name }),
        outcome: 'refused',
        durationMs: 0,
        error: expect.stringContaining('There is no tool "nope".'),
        citations: [],
      },
    ])
  })

  test.each([{}, { name: '' }, { name: 5 }, { name: { deep: true } }])(
    'records a call of the tool %j under a name that no tool has',
    async (params) => {
      const { send, calls } = fakeMcp()
      await send(legacy('tools/call', params))
      await turn()
      expect(calls).toMatchObject([{ tool: '(none)', isUnknown: true, outcome: 'refused' }])
    },
  )
})
