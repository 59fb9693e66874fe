import { startS3 } from '../../../server/test/support/sites/s3-server.ts'

const s3 = await startS3()
// A bucket is on another machine, and must not take the processors of the measured node.
s3.isInMemory = true
process.send?.(s3.environment)
/** A delay in milliseconds starts the count of requests anew. Each message is answered with those so far. */
process.on('message', ({ delayMs }: { delayMs?: number }) => {
  if (delayMs !== undefined) Object.assign(s3, { delayMs, rounds: 0 }).seen.length = 0
  const cpu = process.cpuUsage()
  process.send?.({ rounds: s3.rounds, requests: s3.seen.length, cpuMs: (cpu.user + cpu.system) / 1000 })
})
process.once('disconnect', () => void s3[Symbol.asyncDispose]())
