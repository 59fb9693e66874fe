import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { FROZEN, type GateQuestion, readGateQuestions } from '#gate/gate-questions.ts'
import { untilDone } from '#indexing/index-site.ts'
import { generatePage } from '#lib/generated-site.ts'
import { connect } from '#service/docent-client.ts'
import { cpuMs, watchMemory } from '#service/read-process.ts'
import { startService } from '#service/start-service.ts'

const PEERS = join(import.meta.dirname, '../../peers')

/** Figures of one system. `results` has the addresses that it found for each question, best first. */
export type Measured = {
  pages: number | null
  indexCpuMs: number
  peakMb: number | null
  searchCpuMs: number
  p99: number
  bytes: number
  results: string[][]
}
type Work = { site: string; folder: string; questions: string[]; rounds: number }

/**
 * Docent beside other systems: `npm run bench -- peers`. All crawl the same site on this machine: the frozen documents of
 * the gate, as HTML, among generated pages. Docent answers over HTTP, and the others in their own process.
 */
export async function run(args: string[]): Promise<Record<string, unknown>> {
  const { values } = parseArgs({
    args,
    options: { generated: { type: 'string', default: '300' }, rounds: { type: 'string', default: '5' } },
  })
  if (!existsSync(join(PEERS, 'node_modules'))) runNow('npm', ['ci', '--silent', '--ignore-scripts', '--prefix', PEERS])
  const folder = mkdtempSync(join(tmpdir(), 'docent-peers-'))
  try {
    await using site = await serve(makeSite(join(folder, 'pages'), Number(values.generated)))
    const asked = readGateQuestions().filter(({ places }) => places.length > 0)
    const questions = asked.map(({ question }) => question)
    const figures: Record<string, object> = {}
    for (const [name, measure] of SYSTEMS) {
      process.stderr.write(`${name} …\n`)
      const work = { site: site.url, folder: join(folder, name), questions, rounds: Number(values.rounds) }
      const measured = await measure(work)
      if (measured) figures[name] = { ...figuresOf(measured, site.pages), ...hitsOf(asked, measured.results) }
    }
    process.stderr.write(`\n${tableOf(figures)}\n`)
    return { pages: site.pages, questions: questions.length, ...figures }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const SYSTEMS: readonly [name: string, measure: (work: Work) => Promise<Measured | null>][] = [
  ['Docent', measureDocent],
  ['crawlee, Readability, MiniSearch', (work) => measureProgram('assembled.mjs', ['minisearch'], work)],
  ['crawlee, Readability, SQLite FTS5', (work) => measureProgram('assembled.mjs', ['fts5'], work)],
  [
    'docs-mcp-server',
    async (work) => {
      // eslint-disable-next-line node/no-process-env -- names a checkout that is not on the registry
      const checkout = process.env['DOCENT_PEER_DIR']
      if (checkout) return await measureProgram('docs-mcp-server.mjs', [checkout], work)
      process.stderr.write('SKIPPED: docs-mcp-server. DOCENT_PEER_DIR does not name its checkout.\n')
      return null
    },
  ],
]

async function measureDocent({ site, questions, rounds }: Work): Promise<Measured> {
  let dataDir = ''
  await using service = await startService({
    prepare: (folder) => {
      dataDir = folder
      return Promise.resolve()
    },
  })
  const client = connect(service)
  using memory = watchMemory(service.pid)
  const started = cpuMs(service.pid)
  const { serverId, slug } = await client.createServer(site)
  await untilDone(client, serverId)
  const indexCpuMs = cpuMs(service.pid) - started
  const peakMb = memory.most()
  const results: string[][] = []
  for (const question of questions) results.push((await client.search(slug, question)).results.map(({ url }) => url))
  const times: number[] = []
  const before = cpuMs(service.pid)
  for (let round = 0; round < rounds; round++)
    for (const question of questions) {
      const begun = performance.now()
      await client.search(slug, question)
      times.push(performance.now() - begun)
    }
  const searchCpuMs = (cpuMs(service.pid) - before) / times.length
  const pages = (await client.getServer(serverId)).sources[0]?.pagesIndexed ?? 0
  const p99 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0
  return { pages, indexCpuMs, peakMb, searchCpuMs, p99, bytes: sizeOf(dataDir), results }
}

/** Runs a program of the folder of peers, which prints its figures. */
async function measureProgram(name: string, args: string[], { site, folder, ...rest }: Work): Promise<Measured> {
  mkdirSync(folder, { recursive: true })
  const child = spawn(process.execPath, [join(PEERS, name), ...args, site, folder], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(JSON.stringify(rest))
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  if (code !== 0) throw new Error(`${name} ended with ${String(code)}`)
  return JSON.parse(output) as Measured
}

/** Shares of the questions whose first result, and one of whose first five, is on a page that answers. */
export function hitsOf(asked: readonly Pick<GateQuestion, 'places'>[], results: readonly string[][]) {
  const ranks = asked.map(({ places }, at) => {
    const pages = places.map((place) => `/${place.replace(/#.*/s, '').replace(/md$/, 'html')}`)
    return (results[at] ?? []).slice(0, 5).findIndex((url) => pages.includes(new URL(url).pathname))
  })
  const share = (isHit: (rank: number) => boolean) => round(ranks.filter(isHit).length / ranks.length, 3)
  return { hit1: share((rank) => rank === 0), hit5: share((rank) => rank >= 0) }
}

function figuresOf({ pages, indexCpuMs, peakMb, searchCpuMs, p99, bytes }: Measured, all: number) {
  const indexed = pages ?? all
  return {
    pages: indexed,
    pagesPerCpuSecond: round((indexed * 1000) / indexCpuMs, 1),
    peakMb: peakMb === null ? null : Math.round(peakMb),
    searchCpuMs: round(searchCpuMs, 2),
    p99Ms: round(p99, 1),
    bytesPerPage: Math.round(bytes / indexed),
  }
}

function tableOf(figures: Record<string, object>): string {
  const [first = {}] = Object.values(figures)
  const row = (cells: readonly unknown[]) => `| ${cells.join(' | ')} |\n`
  const rows = Object.entries(figures).map(([name, values]) => row([name, ...Object.values(values)]))
  const head = ['System', ...Object.keys(first)]
  return row(head) + row(head.map(() => '---')) + rows.join('')
}

function makeSite(folder: string, generated: number): Record<string, string> {
  cpSync(FROZEN, folder, { recursive: true })
  mkdirSync(join(folder, 'generated'))
  for (let number = 0; number < generated; number++)
    writeFileSync(join(folder, 'generated', `${number}.md`), generatePage(number).markdown)
  return JSON.parse(runNow(process.execPath, [join(PEERS, 'make-site.mjs'), folder])) as Record<string, string>
}

async function serve(pages: Record<string, string>) {
  const server = createServer(({ url = '/' }, response) => {
    const page = pages[url]
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const close = async () => {
    server.closeAllConnections()
    await server[Symbol.asyncDispose]()
  }
  return { url, pages: Object.keys(pages).length, [Symbol.asyncDispose]: close }
}

function runNow(file: string, args: string[]): string {
  const { status, stdout, stderr } = spawnSync(file, args, { encoding: 'utf8', maxBuffer: 1e9 })
  if (status !== 0) throw new Error(`${file} failed: ${stderr}`)
  return stdout
}

/** Bytes of all files in a folder. */
function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0)
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
