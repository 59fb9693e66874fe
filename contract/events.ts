import { z } from 'zod'
import { defineOperation } from './operation.ts'
import { getProgress } from './servers.ts'

/** Open streams per account and node: enough for several tabs of several people. */
export const MAX_EVENT_STREAMS = 16

export const watchEvents = defineOperation({
  method: 'GET',
  path: '/api/events',
  auth: 'key',
  produces: 'text/event-stream',
  summary: 'Watch how far the servers of the account are',
  description: `First comes one \`progress\` for each server that the caller sees, then a \`heartbeat\`, and from there on
a \`progress\` whenever something changed, \`removed\` when a server is gone, and a \`heartbeat\` every 15 seconds without
news. A stream that is opened again tells everything anew, so that \`Last-Event-ID\` is of no importance. It ends when the
key or session does, and when the node stops, after a comment that says so. At most ${MAX_EVENT_STREAMS} can be open for each account and node.`,
  input: z.object({}),
  output: z.discriminatedUnion('type', [
    z.object({ type: z.literal('progress'), serverId: z.string(), ...getProgress.output.shape }),
    z.object({ type: z.literal('removed'), serverId: z.string() }),
    z.object({ type: z.literal('heartbeat'), at: z.iso.datetime() }),
  ]),
  errors: ['unauthorized', 'stream_limit'],
})
