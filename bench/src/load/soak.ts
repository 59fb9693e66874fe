import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { median } from '#lib/median.ts'
import { readUsage, type Usage } from '#service/read-process.ts'
import { startSoakLoad } from './soak-load.ts'
import { startService } from '#service/start-service.ts'
import { UsageError } from '#lib/usage-error.ts'

const SAMPLE_MS = 10_000
const IDLE_MS = 3_000
/** Fraction of the time that fills caches and is not counted. */
const WARM_UP = 0.5

/**
 * Growth of memory and descriptors under load: `npm run bench -- soak [--minutes 30] [--rate 100]`. Mixed requests at a
 * fixed rate while servers are created, crawled and deleted. Slopes are least squares over the second half.
 */
export async function run(args: string[]): Promise<Record<string, unknown>> {
  const options = { minutes: { type: 'string', default: '30' }, rate: { type: 'string', default: '100' } } as const
  const { values } = parseArgs({ args, options })
  const [minutes, rate] = [Number(values.minutes), Number(values.rate)]
  if (!(minutes > 0 && rate > 0)) throw new UsageError('--minutes and --rate want numbers above 0.')
  await using service = await startService()
  await sleep(IDLE_MS)
  const idle = readUsage(service.pid)
  await using load = await startSoakLoad(service, rate)
  const samples: Sample[] = []
  const started = performance.now()
  for (let at = 1; at * SAMPLE_MS <= minutes * 60_000; at++) {
    await sleep(Math.max(0, started + at * SAMPLE_MS - performance.now()))
    const usage = readUsage(service.pid)
    if (usage.threads === 0) throw new Error('The service has ended.')
    samples.push({ minute: (performance.now() - started) / 60_000, ...usage })
  }
  const warm = samples.slice(Math.floor(samples.length * WARM_UP))
  return { minutes, rate, idle, ...summary(warm), last: samples.at(-1), counts: { ...load.counts }, samples }
}

type Sample = Usage & { minute: number }

function summary(samples: readonly Sample[]) {
  const names = ['rssMb', 'anonymousMb', 'treePssMb', 'threads', 'descriptors'] as const
  const each = (of: (name: (typeof names)[number]) => number) =>
    Object.fromEntries(names.map((name) => [name, of(name)]))
  return {
    medians: each((name) => median(samples.map((sample) => sample[name]))),
    perMinute: each((name) => slope(samples.map((sample) => [sample.minute, sample[name]]))),
  }
}

/** Least-squares slope; 0 for fewer than two points. */
function slope(points: readonly (readonly [number, number])[]): number {
  const mean = (of: (point: readonly [number, number]) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length
  const [x, y] = [mean(([at]) => at), mean(([, value]) => value)]
  const [covariance, variance] = [mean(([at, value]) => (at - x) * (value - y)), mean(([at]) => (at - x) ** 2)]
  return variance > 0 ? Math.round((100 * covariance) / variance) / 100 : 0
}
