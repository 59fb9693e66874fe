import { parseArgs } from 'node:util'
import { connect } from '#service/docent-client.ts'
import { untilDone } from '#indexing/index-site.ts'
import { driveLoad, type LoadResult, WARM_SECONDS } from './drive-load.ts'
import { judgeSearch, type Quality, readQuestions } from '#eval/questions.ts'
import { residentMb } from '#service/read-process.ts'
import { startService } from '#service/start-service.ts'
import { UsageError } from '#lib/usage-error.ts'

/** Default questions, which fit any documentation. */
const QUERIES = [
  'how to install',
  'getting started guide',
  'configuration file options',
  'environment variables',
  'deploy to production',
  'error handling',
  'write a plugin',
  'testing',
  'migrate to the next version',
  'performance tips',
]

/**
 * Cost of a search over HTTP: `npm run bench -- search --site URL [--questions FILE] [--clients 1,8,32] [--seconds
 * 10] [--warm 15] [--repeated]`. Indexes the site first. With a file of questions, also measures if the right page is
 * found. With `--repeated`, answers come from memory.
 */
export async function run(args: string[]): Promise<Record<string, unknown>> {
  const { values } = parseArgs({
    args,
    options: {
      site: { type: 'string' },
      questions: { type: 'string' },
      clients: { type: 'string', default: '1,8,32' },
      seconds: { type: 'string', default: '10' },
      warm: { type: 'string', default: WARM_SECONDS },
      repeated: { type: 'boolean', default: false },
    },
  })
  if (!values.site) throw new UsageError('Name the site with --site URL.')
  await using service = await startService()
  const client = connect(service)
  const { serverId, slug, url } = await client.createServer(values.site)
  await untilDone(client, serverId)

  const sets = values.questions ? readQuestions(values.questions) : new Map<string, never[]>()
  const quality: Record<string, Quality> = {}
  for (const [name, questions] of sets) quality[name] = await judgeSearch(client, slug, questions)

  const asked = [...sets.values()].flat().map(({ q }) => q)
  const queries = asked.length > 0 ? asked : QUERIES
  const load: Record<string, LoadResult> = {}
  for (const clients of values.clients.split(',').map(Number)) {
    const [seconds, warmSeconds] = [Number(values.seconds), Number(values.warm)]
    const times = { clients, seconds, warmSeconds, isRepeated: values.repeated }
    load[clients] = await driveLoad({ urls: [url], ...times, queries, pid: service.pid })
  }
  const sizes = await Promise.all(queries.slice(0, 50).map((query) => client.search(slug, query)))
  return {
    site: values.site,
    quality,
    answerBytes: Math.round(sizes.reduce((sum, { textBytes }) => sum + textBytes, 0) / sizes.length),
    answerBytesMost: Math.max(...sizes.map(({ textBytes }) => textBytes)),
    load,
    rssMb: residentMb(service.pid),
  }
}
