import { parse as parseYaml } from 'yaml'
import { describe, expect, test } from 'vitest'
import { CLIENTS, snippetOf, whyUnreachable } from './client-snippets.ts'

const URL_HERE = 'http://127.0.0.1:8787/api/mcp/my-docs'
const URL_OUT = 'https://docs.example.org/api/mcp/my-docs'
const TOKEN = 'dat_0123456789abcdefghijABCDEFGHIJ0123456789'
const open = { slug: 'my-docs', url: URL_HERE, token: null }
const closed = { ...open, token: TOKEN }
const codeOf = (id: string, target: typeof open | typeof closed) =>
  CLIENTS.find((client) => client.id === id)?.steps(target)[0]?.code ?? ''

test('knows at least twelve clients, each by its own id', () => {
  expect(new Set(CLIENTS.map(({ id }) => id)).size).toBe(CLIENTS.length)
  expect(CLIENTS.length).toBeGreaterThanOrEqual(12)
})

describe.each(CLIENTS.map((client) => [client.title, client] as const))('%s', (_, client) => {
  test('shows the address of the server, and its token only to clients that send one', () => {
    const [without, with_] = [client.steps(open), client.steps(closed)].map((steps) => JSON.stringify(steps))
    expect(without).toContain(URL_HERE)
    expect(without).not.toMatch(/Bearer|Authorization/)
    expect(with_?.includes(TOKEN)).toBe(client.sendsToken)
  })

  test('puts no token into the address that opens a client', () => {
    expect(client.link?.(closed) ?? null).toBeNull()
    const link = client.link?.(open)
    if (link) expect(new URL(link).protocol).toBe('https:')
  })
})

test('has a way to sign in for each client without a fixed token, and for those that were tried', () => {
  const signing = CLIENTS.filter(({ signIn }) => signIn).map(({ id }) => id)
  expect(CLIENTS.filter(({ sendsToken, signIn }) => !sendsToken && !signIn)).toEqual([])
  expect(signing).toEqual(expect.arrayContaining(['claude-code', 'codex', 'gemini-cli', 'opencode']))
})

test('produces JSON, TOML and YAML that the clients accept', () => {
  const headers = { Authorization: `Bearer ${TOKEN}` }
  const at = (id: string) => JSON.parse(codeOf(id, closed)) as unknown
  expect(at('cursor')).toEqual({ mcpServers: { 'my-docs': { url: URL_HERE, headers } } })
  expect(at('vscode')).toEqual({ servers: { 'my-docs': { type: 'http', url: URL_HERE, headers } } })
  expect(at('zed')).toEqual({ context_servers: { 'my-docs': { url: URL_HERE, headers } } })
  expect(at('cline')).toEqual({ mcpServers: { 'my-docs': { type: 'streamableHttp', url: URL_HERE, headers } } })
  expect(at('copilot-cli')).toEqual({
    mcpServers: { 'my-docs': { type: 'http', url: URL_HERE, tools: ['*'], headers } },
  })
  expect(at('devin')).toEqual({ mcpServers: { 'my-docs': { url: URL_HERE, headers } } })
  expect(at('windsurf')).toEqual({ mcpServers: { 'my-docs': { serverUrl: URL_HERE, headers } } })
  expect(at('other')).toEqual(JSON.parse(snippetOf(closed)))
  expect(parseYaml(codeOf('goose', closed))).toMatchObject({
    extensions: { 'my-docs': { type: 'streamable_http', uri: URL_HERE, headers } },
  })
  expect(codeOf('codex', closed)).toBe(
    `[mcp_servers.my-docs]\nurl = "${URL_HERE}"\nhttp_headers = { Authorization = "Bearer ${TOKEN}" }`,
  )
})

test.each([
  ['Claude', URL_HERE, '127.0.0.1 exists only here'],
  ['ChatGPT', 'https://10.0.0.8/api/mcp/x', '10.0.0.8 exists only here'],
  ['ChatGPT', 'http://docs.example.org/api/mcp/x', 'https addresses only'],
  ['Claude', URL_OUT, null],
  ['Cursor', URL_HERE, null],
] as const)('knows whether %s can use %s', (title, url, reason) => {
  const client = CLIENTS.find((one) => one.title === title)
  if (!client) throw new Error(title)
  const told = whyUnreachable(client, { url })
  if (reason === null) expect(told).toBeNull()
  else expect(told).toContain(reason)
})
