import { operations } from '@docent/contract/operations'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { serveMcp } from './mcp-door.ts'

type Deps = Parameters<typeof serveMcp>[0]

/** Answers the request, or returns null to pass it to the app. */
type Shortcut = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> | null

const ENDPOINT = /^\/api\/mcp\/([\w-]{1,80})$/
/** Hosts that need no parsing by the framework. */
const PLAIN_HOST = /^[a-z\d.-]+(?::(?:\d{1,4}|[1-5]\d{4}))?$/

/**
 * Fast path around the app for calls to hosted servers, which are nearly all traffic and have one form. Any other form
 * goes through the app and gets the same response.
 */
export function mcpShortcut(deps: Deps): Shortcut {
  const fixed = new Set(Object.values(operations).map(({ path }) => path.slice(path.lastIndexOf('/') + 1)))
  return (incoming, outgoing) => {
    if (incoming.method !== 'POST' || !PLAIN_HOST.test(incoming.headers.host ?? '')) return null
    const name = ENDPOINT.exec(incoming.url ?? '')?.[1]
    if (name === undefined || fixed.has(name)) return null
    return serveMcp(deps, name, { incoming, outgoing })
  }
}
