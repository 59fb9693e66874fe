import process from 'node:process'
import { serveChild } from '#workers/serve-child.ts'
import { type Targets, tryToEscape } from './escapes.ts'

/** Invalid bytes on the pipe to its parent, or a message of Node's internal protocol. */
export type EscapeTask = Targets | 'send an inner message'

// An unhandled error is an outcome of an attempt too.
process.on('uncaughtException', () => undefined)

serveChild(async (task: EscapeTask): Promise<unknown> => {
  if (task !== 'send an inner message') {
    // eslint-disable-next-line node/no-process-env -- the test checks its content
    return { attempts: await tryToEscape(task), environment: Object.keys(process.env) }
  }
  process.send?.({ cmd: 'NODE_HANDLE_ACK' })
  return 'sent'
})
