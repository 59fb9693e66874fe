import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { newId } from '@docent/server/lib/ids.ts'
import { type BuildTask, runBuildTask } from '@docent/server/search/build-tasks.ts'
import { openSegment } from '@docent/server/search/segment/open-segment.ts'
import type { Store } from '@docent/server/store/db.ts'
import { openStore } from '@docent/server/store/engine/open.ts'
import { packTexts } from '@docent/server/store/pages/pack-texts.ts'
import { SEGMENT_FORMAT } from '@docent/server/search/segment/layout.ts'
import { startsOfGroups } from '@docent/server/search/segment/sections.ts'
import { writeSegment } from '@docent/server/store/pages/segments.ts'
import { insertServer } from '@docent/server/store/servers/servers.ts'
import { insertSourceRow, newSourceRow } from '@docent/server/store/sources/sources.ts'
import { generatePage, wordAt } from '#lib/generated-site.ts'
import { addPages } from './add-pages.ts'
import { driveLoad, type LoadResult, WARM_SECONDS } from './drive-load.ts'
import { measureResources } from './resource-load.ts'
import { residentMb } from '#service/read-process.ts'
import { startService } from '#service/start-service.ts'
import { seededRandom } from '#lib/typo.ts'

/** Pages of one build, as in a crawl. */
const PAGES_PER_BUILD = 2_000
/** Slug of the server. */
export const LARGE = 'large'

/**
 * Cost of a search, and of lists and reads of pages, on one large server over HTTP: `npm run bench -- large [--passages 100000] [--clients 8] [--seconds
 * 10] [--warm 15]`. Its pages are generated. A third of the questions consist of the most frequent words only.
 */
export async function run(args: string[]): Promise<Record<string, unknown>> {
  const options = {
    passages: { type: 'string', default: '100000' },
    clients: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '10' },
    warm: { type: 'string', default: WARM_SECONDS },
  } as const
  const { passages, clients, seconds, warm } = parseArgs({ args, options }).values
  const figures: Record<string, unknown> = {}
  await using service = await startService({
    prepare: async (dataDir) => void Object.assign(figures, await addLargeServer(dataDir, Number(passages))),
  })
  const load: Record<string, LoadResult> = {}
  for (const [name, queries] of Object.entries(makeQueries()))
    load[name] = await driveLoad({
      urls: [`${service.url}/api/mcp/${LARGE}`],
      clients: Number(clients),
      seconds: Number(seconds),
      warmSeconds: Number(warm),
      queries,
      pid: service.pid,
    })
  const resources = await measureResources(`${service.url}/api/mcp/${LARGE}`, generatePage(0).page.url)
  return { ...figures, clients: Number(clients), load, resources, rssMb: residentMb(service.pid) }
}

/** Questions of two to seven words, from all ranks or from the words of most passages. */
export function makeQueries(): Record<string, string[]> {
  const random = seededRandom(11)
  const pick = (ranks: number) => wordAt(20 + random(ranks))
  const ask = (...ranks: number[]) => ranks.map(pick).join(' ')
  const mixed = Array.from({ length: 200 }, () => `how to ${ask(60, 60, 2_000, 20_000)}`)
  const rare = Array.from({ length: 100 }, () => ask(20_000, 50_000))
  const common = Array.from({ length: 150 }, () => `how do I ${ask(60, 60, 60, 60)} with the ${ask(60)}`)
  return { mixed: [...mixed, ...rare, ...common], common }
}

type Added = Pick<Parameters<typeof openStore>[0], 'blobs'> & {
  /** Sections of a page. */
  sections?: number
  slug?: string
}

/** Adds the server to the database of a data folder. Its index and texts go to a place of `blobs`. */
export async function addLargeServer(
  dataDir: string,
  passages: number,
  { sections, slug = LARGE, ...blobs }: Added = {},
): Promise<Record<string, unknown>> {
  const database = { engine: 'sqlite' as const, path: join(dataDir, 'docent.sqlite') }
  await using store = await openStore({ database, onError: () => {}, ...blobs })
  const { id: accountId } = await store.read.selectFrom('accounts').select('id').executeTakeFirstOrThrow()
  const server = {
    id: newId('srv'),
    slug,
    name: 'Large',
    description: '',
    visibility: 'public' as const,
    tools: '["search_docs","ask_question","get_code_examples"]',
    updatedAt: 1,
    createdAt: 1,
    deletedAt: null,
    purgeAt: null,
  }
  await insertServer(store.write, { ...server, accountId, refresh: 'off' })
  const address = { url: 'https://large.example.com/docs/', type: 'docs' as const, label: null }
  const row = newSourceRow({ ...address, id: newId('src'), serverId: server.id, createdAt: 1 })
  await insertSourceRow(store.write, row)
  const built = await buildPages(store, row.id, { passages, sections })
  const merged = timed({ kind: 'merge', segments: built.segments, keep: null })
  const segmentId = newId('seg')
  const data = merged.bytes
  const starts = startsOfGroups(data)
  await writeSegment(store, { id: segmentId, sourceId: row.id, data, format: SEGMENT_FORMAT, starts })
  const { pageCount, chunkCount, vectors } = openSegment(merged.bytes)
  await store.write
    .updateTable('sources')
    .set({
      segments: JSON.stringify([segmentId]),
      crawlStatus: 'complete',
      pagesIndexed: pageCount,
      chunks: chunkCount,
    })
    .where('id', '=', row.id)
    .execute()
  await packTexts(store, row.id, {})
  return {
    pages: pageCount,
    passages: chunkCount,
    buildCpuMsPerPage: round(built.cpuMs / pageCount),
    mergeCpuMsPerPage: round(merged.cpuMs / pageCount),
    latent: vectors !== null,
    segmentBytes: merged.bytes.byteLength,
    segmentToCompressedText: round(merged.bytes.byteLength / built.textBytes),
    buildPeakRssMb: Math.round(process.resourceUsage().maxRSS / 1024),
  }
}

type Wanted = { passages: number; sections: number | undefined }

async function buildPages(store: Store, sourceId: string, { passages, sections }: Wanted) {
  const segments: Uint8Array[] = []
  let [cpuMs, textBytes, chunks, number] = [0, 0, 0, 0]
  while (chunks < passages) {
    const pages = Array.from({ length: PAGES_PER_BUILD }, () => generatePage(number++, sections))
    await addPages(store, sourceId, pages)
    const built = timed({ kind: 'build', pages })
    segments.push(built.bytes)
    cpuMs += built.cpuMs
    for (const { page, compressed } of pages) {
      chunks += page.chunks.length
      textBytes += compressed.byteLength
    }
  }
  return { segments, cpuMs, textBytes }
}

function timed(task: BuildTask): { bytes: Uint8Array; cpuMs: number } {
  const before = process.cpuUsage()
  const bytes = runBuildTask(task)
  const { user, system } = process.cpuUsage(before)
  if (bytes === null) throw new TypeError('There is nothing to build.')
  return { bytes, cpuMs: (user + system) / 1000 }
}

function round(value: number): number {
  return Number(value.toFixed(3))
}
