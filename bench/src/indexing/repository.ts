import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { connect } from '#service/docent-client.ts'
import { untilDone } from './index-site.ts'
import { cpuMs, watchMemory } from '#service/read-process.ts'
import { startService } from '#service/start-service.ts'
import { UsageError } from '#lib/usage-error.ts'

const FILES = 5_000
const READ = /\.(md|mdx|rst|ts|tsx|js|mjs|cjs|py|go|rs|java|c|h|cpp|cs|rb|php)$/
/** The service skips folders of these names, so they would measure nothing. */
const RENAMED: Record<string, string> = { node_modules: 'packages', dist: 'lib', test: 'checks', tests: 'checks' }

/**
 * Cost of indexing and refreshing a repository: `npm run bench -- repository --from FOLDER [--from FOLDER] [--files
 * 5000]`. Archives the folders' files, documentation first, and serves them as GitHub does. CPU is that of the whole
 * service, from the create request until everything is published.
 */
export async function run(args: string[]): Promise<Record<string, unknown>> {
  const { values } = parseArgs({
    args,
    options: { from: { type: 'string', multiple: true }, files: { type: 'string' } },
  })
  if (!values.from) throw new UsageError('Name the folders to make the repository of with --from FOLDER.')
  const { archive, files, bytes } = makeArchive(values.from, Number(values.files ?? FILES))
  await using github = await serveGithub(archive)
  await using service = await startService({ environment: { DOCENT_GITHUB_API_URL: `${github.url}/api` } })
  const client = connect(service)
  using memory = watchMemory(service.pid)
  const cpu = cpuMs(service.pid)
  const started = performance.now()
  const { serverId } = await client.createServer('https://github.com/acme/big')
  await untilDone(client, serverId)
  const indexCpu = cpuMs(service.pid) - cpu
  const peakRssMb = memory.most()
  const indexMs = performance.now() - started
  const { sources } = await client.getServer(serverId)
  const [source] = sources
  const before = cpuMs(service.pid)
  github.requests.length = 0
  await client.refresh(serverId)
  await untilDone(client, serverId)
  return {
    files,
    megabytes: round(bytes / 1e6),
    archiveMegabytes: round(archive.length / 1e6),
    status: source?.crawlStatus,
    error: source?.crawlError,
    indexed: source?.pagesIndexed,
    skipped: source?.skipped.map(({ reason, pages }) => `${pages} ${reason}`),
    chunks: source?.chunks,
    indexSeconds: round(indexMs / 1000),
    indexCpuSeconds: round(indexCpu / 1000),
    peakRssMb,
    refreshCpuSeconds: round((cpuMs(service.pid) - before) / 1000),
    refreshRequests: github.requests,
  }
}

function makeArchive(folders: string[], most: number): { archive: Buffer; files: number; bytes: number } {
  const found = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && READ.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => ({ path, name: rename(relative(folder, path)) })),
  )
  const isText = ({ name }: { name: string }) => /\.(md|mdx|rst)$/.test(name)
  const chosen = [...found.filter(isText), ...found.filter((file) => !isText(file))].slice(0, most)
  const blocks = chosen.flatMap(({ path, name }) => tarEntry(`acme-big-1a2b3c/${name}`, readFileSync(path)))
  const bytes = blocks.reduce((sum, block) => sum + block.length, 0)
  return { archive: gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)])), files: chosen.length, bytes }
}

function rename(path: string): string {
  return path
    .split('/')
    .map((part) => RENAMED[part] ?? part)
    .join('/')
}

/** POSIX 1003.1, ustar. A path too long for its two fields is shortened to a unique name. */
function tarEntry(path: string, body: Buffer): Buffer[] {
  const short =
    path.length <= 100
      ? path
      : `acme-big-1a2b3c/long/${createHash('sha1').update(path).digest('hex')}-${path.slice(-20).replaceAll('/', '-')}`
  const header = Buffer.alloc(512)
  header.write(short, 0)
  header.write('0000644\0', 100)
  header.write(`${body.length.toString(8).padStart(11, '0')}\0`, 124)
  header.write('00000000000\0', 136)
  header.write('        0', 148)
  header.write('ustar\u000000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return [header, body, Buffer.alloc((512 - (body.length % 512)) % 512)]
}

async function serveGithub(archive: Buffer) {
  const commit = 'c'.repeat(40)
  const requests: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    requests.push(path)
    const json = (body: unknown) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (path === '/api/repos/acme/big') return json({ private: false, default_branch: 'main' })
    if (path.startsWith('/api/repos/acme/big/commits')) return json([{ sha: commit }])
    if (path.includes('/tarball/')) return void response.end(archive)
    return json([])
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const round = (value: number): number => Math.round(value * 100) / 100
