import { expect, test } from 'vitest'
import { preflight } from './endpoint.ts'

const origins = { own: 'https://docent.example', allowed: [] }
const key = 'Bearer dk_live_abc'

test.each([
  ['GET', {}],
  ['GET', { Accept: 'application/json' }],
  ['GET', { Accept: 'text/event-stream', Authorization: key }],
  ['GET', { 'MCP-Protocol-Version': '2025-11-25', Authorization: key }],
  ['DELETE', {}],
  ['DELETE', { Authorization: 'Bearer dat_abc' }],
  ['DELETE', { Authorization: key }],
  ['DELETE', { Authorization: key, 'Mcp-Session-Id': 'x' }],
  ['PATCH', {}],
  ['POST', {}],
  ['POST', { Origin: 'https://docent.example' }],
])('passes %s with %j to the next handler', (method, headers) => {
  expect(preflight(origins, { method, headers: new Headers(headers) })).toBeNull()
})

test.each([
  ['GET', { Accept: 'text/event-stream' }],
  ['GET', { Accept: 'application/json, text/event-stream', Authorization: 'Bearer other' }],
  ['GET', { Accept: '*/*', 'MCP-Protocol-Version': '2024-11-05' }],
  ['GET', { 'MCP-Protocol-Version': '2025-11-25', Authorization: 'Bearer dat_abc' }],
  ['GET', { 'Mcp-Session-Id': 'x' }],
  ['DELETE', { 'Mcp-Session-Id': 'x' }],
  ['DELETE', { 'Mcp-Session-Id': 'x', Authorization: 'Bearer dat_abc' }],
])('answers %s with %j, a client probe, with 405', (method, headers) => {
  const answer = preflight(origins, { method, headers: new Headers(headers) })
  expect(answer).toMatchObject({ status: 405, headers: { allow: 'POST' }, body: '{"error":"Method not allowed"}' })
})
