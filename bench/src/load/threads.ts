import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { connect } from '#service/docent-client.ts'
import { pssMb } from '#service/read-process.ts'
import { type ServiceProcess, startService } from '#service/start-service.ts'
import { driveLoad } from './drive-load.ts'
import { addLargeServer, makeQueries } from './large-server.ts'

const METRICS_TOKEN = 'a-token-for-benchmarks'
/** Short pages: a long one costs twice as much to make as to index. */
const SECTIONS = 2
/** As many at once as the threads of the smallest machine have in hand. */
const FIRST_CALLS = 3

/**
 * What threads cost on large servers: `npm run bench -- threads [--servers 2] [--passages 200000] [--threads 2,16,64]
 * [--seconds 20]`. Their pages are generated, with two passages each. For each count of threads, a new service answers
 * three searches of each server at once, and then as many clients as threads. Counts the indexes that were loaded, and measures
 * the memory of all processes (PSS).
 */
export async function run(args: string[]): Promise<Record<string, unknown>> {
  const options = {
    servers: { type: 'string', default: '2' },
    passages: { type: 'string', default: '200000' },
    threads: { type: 'string', default: '2,16,64' },
    seconds: { type: 'string', default: '20' },
  } as const
  const { values } = parseArgs({ args, options })
  const folder = mkdtempSync(join(tmpdir(), 'docent-threads-'))
  using stack = new DisposableStack()
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  const slugs = Array.from({ length: Number(values.servers) }, (_, n) => `large-${n}`)
  let figures: Record<string, unknown> = {}
  const prepare = async (dataDir: string) => {
    for (const slug of slugs)
      figures = await addLargeServer(dataDir, Number(values.passages), { sections: SECTIONS, slug })
    cpSync(dataDir, folder, { recursive: true })
  }
  await (await startService({ prepare }))[Symbol.asyncDispose]()
  const runs: Record<string, unknown> = {}
  for (const threads of values.threads.split(','))
    runs[threads] = await measure(folder, { slugs, threads: Number(threads), seconds: Number(values.seconds) })
  return { servers: slugs.length, ...figures, runs }
}

type Asked = { slugs: readonly string[]; threads: number; seconds: number }

async function measure(folder: string, { slugs, threads, seconds }: Asked): Promise<Record<string, unknown>> {
  await using service = await startService({
    environment: { DOCENT_THREADS: String(threads), DOCENT_METRICS_TOKEN: METRICS_TOKEN },
    prepare: async (dataDir) => cpSync(folder, dataDir, { recursive: true }),
  })
  const idlePssMb = pssMb(service.pid)
  const { search } = connect(service)
  const { mixed = [] } = makeQueries()
  const first = slugs.flatMap((slug) => mixed.slice(0, FIRST_CALLS).map((query) => search(slug, query)))
  await Promise.all(first)
  const loadsOfFirst = await countLoads(service)
  const load = await driveLoad({
    urls: mixed.map((_, n) => `${service.url}/api/mcp/${slugs[n % slugs.length]}`),
    queries: mixed,
    clients: threads,
    seconds,
    warmSeconds: seconds,
    pid: service.pid,
  })
  return { idlePssMb, loadsOfFirst, loads: await countLoads(service), pssMb: pssMb(service.pid), ...load }
}

/** Indexes that were read from the store since the start. */
async function countLoads({ url }: ServiceProcess): Promise<number> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  const text = await (await fetch(`${url}/metrics`, { headers })).text()
  return Number(/^docent_index_reads_total (\d+)$/m.exec(text)?.[1])
}
