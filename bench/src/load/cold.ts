import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { loadBlobs } from '@docent/server/lib/blob-settings.ts'
import { wordAt } from '#lib/generated-site.ts'
import { median } from '#lib/median.ts'
import { connect } from '#service/docent-client.ts'
import { cpuMs } from '#service/read-process.ts'
import { type ServiceProcess, startService } from '#service/start-service.ts'
import { LARGE, addLargeServer } from './large-server.ts'

/** Until the service has opened its client of the bucket and its first thread. */
const SETTLE_MS = 4_000

type Bucket = { rounds: number; requests: number; cpuMs: number }
/** `cpuMs` is that of the service. */
type Run = Pick<Bucket, 'rounds' | 'requests'> & Record<'ms' | 'cpuMs' | 'secondMs' | 'bucketCpuMs', number>

/**
 * Duration of the first search of a large server on a node that has just started, with everything in a test bucket:
 * `npm run bench -- cold [--passages 100000] [--runs 7] [--delay 30] [--realtime]`. The bucket waits `delay`
 * milliseconds before each answer, and sends objects from memory after the first run. As root, `--realtime` keeps other programs off the processors meanwhile.
 */
export async function run(args: string[]): Promise<Record<string, unknown>> {
  const options = {
    passages: { type: 'string', default: '100000' },
    runs: { type: 'string', default: '7' },
    delay: { type: 'string', default: '30' },
    realtime: { type: 'boolean', default: false },
  } as const
  const { values } = parseArgs({ args, options })
  await using stack = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'docent-cold-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  const bucket = fork(join(import.meta.dirname, 'bucket-worker.ts'))
  stack.defer(async () => {
    bucket.disconnect()
    await once(bucket, 'exit')
  })
  const [given] = (await once(bucket, 'message')) as [Record<string, string>]
  const environment = { ...given, DOCENT_BLOBS: 's3' }
  const ask = async (message: { delayMs?: number }) => {
    bucket.send(message)
    return ((await once(bucket, 'message')) as [Bucket])[0]
  }
  let figures: Record<string, unknown> = {}
  const first = await startService({
    environment,
    prepare: async (dataDir) => {
      figures = await addLargeServer(dataDir, Number(values.passages), {
        blobs: loadBlobs(environment, dataDir),
      })
      cpSync(dataDir, folder, { recursive: true })
    },
  })
  await first[Symbol.asyncDispose]()
  const runs: Run[] = []
  for (let n = 0; n < Number(values.runs); n++) {
    const prepare = async (dataDir: string) => cpSync(folder, dataDir, { recursive: true })
    await using service = await startService({ environment, prepare })
    await sleep(SETTLE_MS)
    const processes = [process.pid, service.pid, bucket.pid ?? 0]
    if (values.realtime) for (const pid of processes) execFileSync('chrt', ['-a', '-r', '-p', '5', String(pid)])
    const before = await ask({ delayMs: Number(values.delay) })
    const search = await searchOnce(service, 25)
    const after = await ask({})
    const again = await searchOnce(service, 26)
    if (values.realtime) execFileSync('chrt', ['-a', '-o', '-p', '0', String(process.pid)])
    const { rounds, requests } = after
    runs.push({ ...search, secondMs: again.ms, rounds, requests, bucketCpuMs: Math.round(after.cpuMs - before.cpuMs) })
  }
  const of = (name: 'ms' | 'cpuMs' | 'secondMs') => median(runs.map((one) => one[name]))
  return { ...figures, p50Ms: of('ms'), cpuMs: of('cpuMs'), secondMs: of('secondMs'), runs }
}

async function searchOnce(service: ServiceProcess, word: number) {
  const { search } = connect(service)
  const before = cpuMs(service.pid)
  const started = performance.now()
  const { results } = await search(LARGE, `${wordAt(word)} ${wordAt(word + 35)} how to configure it`)
  const ms = Math.round(performance.now() - started)
  if (results.length === 0) throw new Error('The search found nothing.')
  return { ms, cpuMs: cpuMs(service.pid) - before }
}
