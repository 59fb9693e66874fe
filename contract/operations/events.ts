import { z } from 'zod'
import { getProgress } from './crawls.ts'
import { serverId } from '#fields.ts'
import { defineOperation } from '#operation.ts'

/** Open streams per account and node: enough for several tabs of several people. */
export const MAX_EVENT_STREAMS = 16

export const watchEvents = defineOperation({
  method: 'GET',
  path: '/api/events',
  auth: 'key',
  needs: ['viewer', 'read'],
  produces: 'text/event-stream',
  summary: 'Watch the progress and the calls of the account’s servers',
  description: `The stream starts with a \`progress\` event for each server that the caller sees, then a \`heartbeat\`. After
that, it sends \`progress\` for each change, \`called\` at most once a second for a server whose request log has new calls,
\`removed\` for each server that is gone, and a \`heartbeat\` after 15 seconds
without other events. A new stream starts with the full state again, so \`Last-Event-ID\` is ignored. The stream ends with
the key or the session. It also ends when the node stops, after a comment that says so. Each account can have
${MAX_EVENT_STREAMS} open streams per node.`,
  input: z.object({}),
  output: z.discriminatedUnion('type', [
    z.object({
      type: z.literal('progress').describe('A server made progress or changed'),
      serverId,
      ...getProgress.output.shape,
    }),
    z.object({
      type: z.literal('called').describe('Clients have called tools of a server since the last event'),
      serverId,
      at: z.iso.datetime().describe('Time of the last call'),
    }),
    z.object({
      type: z.literal('removed').describe('A server was deleted, or is out of reach of the caller'),
      serverId,
    }),
    z.object({
      type: z.literal('heartbeat').describe('The connection is alive'),
      at: z.iso.datetime().describe('Time of the event'),
    }),
  ]),
  errors: ['unauthorized', 'stream_limit'],
})

export const eventOperations = {
  'events.watch': watchEvents,
} as const
