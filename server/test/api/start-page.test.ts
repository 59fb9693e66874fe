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
