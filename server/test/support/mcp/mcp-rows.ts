import { expect, test } from 'vitest'
import type { McpRequest } from '#mcp/protocol/message.ts'
import { fakeMcp, jsonOf } from './mcp-fakes.ts'

/** A test of one request: the status, and members of the body. Without a body, the response must have none. */
type Row = { title: string; request: Partial<McpRequest>; status: number; body?: object }

export function testRows(rows: Row[]) {
  test.each(rows)('$title', async ({ request, status, body }) => {
    const response = await fakeMcp().send(request)
    expect(response.status).toBe(status)
    if (body === undefined) expect(response.body).toBeNull()
    else expect(jsonOf(response)).toMatchObject(body)
    if (response.body !== null) expect(response.headers['content-type']).toBe('application/json')
    expect(Object.keys(response.headers)).not.toContain('mcp-session-id')
  })
}

export const errorReply = (code: number, more: object = {}) => ({ jsonrpc: '2.0', error: { code, ...more } })
