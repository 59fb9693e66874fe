import { expect, test } from 'vitest'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { startDocent } from '../support/service/harness.ts'
import { page, startSite } from '../support/sites/site.ts'

onSqliteAtLeast('trial of a tool', (engine) => {
  test('answers for the owner of a private server, without a record or a limit', async () => {
    await using site = await startSite({ '/': page('Sprockets', 'Oil every sprocket twice a year.') })
    await using docent = await startDocent({ engine })
    const source = { url: `${site.url}/` }
    const { slug } = await docent.createServer({
      name: 'Shop',
      visibility: 'private',
      sources: [source],
    })
    const attempt = (body: object) => docent.request('POST', `/api/mcp/${slug}/try`, body)

    const { status, body } = await attempt({ tool: 'search_docs', arguments: { query: 'oil a sprocket' } })
    expect({ status, request: body.request }).toMatchObject({
      status: 200,
      request: { method: 'tools/call', params: { name: 'search_docs', arguments: { query: 'oil a sprocket' } } },
    })
    expect(body.response.result.content[0].text).toContain('Oil every sprocket')
    // Clients of this server get text only.
    expect(body.response.result).not.toHaveProperty('structuredContent')
    expect(JSON.stringify(body.data)).toContain('Oil every sprocket')

    await docent.request('PATCH', `/api/mcp/${slug}`, { structuredOutput: true })
    const shared = await attempt({ tool: 'search_docs', arguments: { query: 'oil' } })
    expect(shared.body.response.result.structuredContent).toEqual(shared.body.data)

    const wrong = await attempt({ tool: 'search_docs', arguments: {} })
    expect(wrong.body).toMatchObject({ data: null, response: { error: { message: expect.any(String) } } })
    const unknown = await attempt({ tool: 'fly' })
    expect(unknown.body).toMatchObject({ data: null, response: { error: { message: expect.any(String) } } })

    expect((await docent.request('GET', `/api/analytics/${slug}/summary`)).body.totalCalls).toBe(0)
    expect((await docent.request('GET', '/api/billing/usage')).body.mcpRequests.used).toBe(0)
  })
})
