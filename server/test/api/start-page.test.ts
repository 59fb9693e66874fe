import { expect, test } from 'vitest'
import { startDocent } from '../support/service/harness.ts'

test('shows a browser what the service is and what to do next', async () => {
  await using docent = await startDocent({ engine: 'sqlite' })
  const open = async (accept?: string) => fetch(`${docent.url}/`, accept === undefined ? {} : { headers: { accept } })
  const response = await open('text/html,application/xhtml+xml,*/*;q=0.8')
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8'])
  const html = await response.text()
  expect(html).toContain('turns documentation into MCP servers')
  expect(html).toContain(`curl ${docent.url}/api/mcp/create`)
  expect(html).not.toMatch(/<script|<link|src=/)
  for (const [, path = ''] of html.matchAll(/href="([^"]+)"/g))
    expect((await fetch(docent.url + path)).status).toBe(200)
  for (const accept of [undefined, 'application/json', '*/*']) {
    const other = await open(accept)
    expect([other.status, await other.json()]).toEqual([404, { error: 'Not found' }])
  }
})

test('tells a browser what the address of a hosted server is', async () => {
  await using docent = await startDocent({ engine: 'sqlite' })
  const open = async (headers: Record<string, string>) => {
    const response = await fetch(`${docent.url}/api/mcp/my-docs`, { headers })
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      body: (await response.json()) as Record<string, string>,
    }
  }
  const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
  const opened = await open({ accept })
  expect(opened).toMatchObject({ status: 401, type: 'application/json', body: { error: 'mcp_endpoint' } })
  expect(opened.body['message']).toMatch(/^This is the address of an MCP server\. Add it to an MCP client/)
  expect(opened.body['docsUrl']).toBe(`${docent.url}/docs/clients`)
  expect((await fetch(`${docent.url}/docs/clients`)).status).toBe(200)
  for (const headers of [{ accept: '*/*' }, { accept, authorization: 'Bearer dk_live_wrong' }]) {
    const { status, body } = await open(headers)
    expect([status, body['message'], body['docsUrl']]).toEqual([
      401,
      expect.stringMatching(/needs a valid API key/),
      undefined,
    ])
  }
})
