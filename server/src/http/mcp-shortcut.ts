import { operations } from '@docent/contract/operations'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { serveMcp } from './mcp-door.ts'

type Deps = Parameters<typeof serveMcp>[0]

/** Answers the request, or returns null where it is one for the app. */
type Shortcut = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> | null

const ENDPOINT = /^\/api\/mcp\/([\w-]{1,80})$/
/** What no framework has to be asked about. */
const PLAIN_HOST = /^[a-z\d.-]+(?::(?:\d{1,4}|[1-5]\d{4}))?$/

/**
 * The way past the app for calls of hosted servers, which are nearly all of the traffic and come in one form. Whatever
 * has another one goes through the app, to the same answer.
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
