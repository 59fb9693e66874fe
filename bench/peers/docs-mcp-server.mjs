// docs-mcp-server from a checkout with installed packages and a build: `node docs-mcp-server.mjs CHECKOUT SITE FOLDER
// < QUESTIONS`. Prints the figures of assembled.mjs. Each search is a process, so its figures are those of a start too.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const [checkout = '', site = '', folder = ''] = process.argv.slice(2)
const { questions } = JSON.parse(readFileSync(0, 'utf8'))
const LIBRARY = 'bench'

const indexing = run(['scrape', LIBRARY, site])
const results = []
const times = []
const before = childrenCpuMs()
for (const question of questions) {
  const begun = performance.now()
  const found = run(['search', LIBRARY, question, '--limit', '5'])
  times.push(performance.now() - begun)
  results.push([...found.matchAll(/https?:\/\/127\.0\.0\.1:\d+\/[^\s"#)\\]*/g)].map(([url]) => url))
}
const searchCpuMs = (childrenCpuMs() - before) / questions.length
const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
const bytes = files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0)
const p99 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0
process.stdout.write(
  JSON.stringify({
    pages: null,
    indexCpuMs: before,
    peakMb: null,
    searchCpuMs,
    p99,
    bytes,
    results,
    log: indexing.slice(-500),
  }),
)

function run(args) {
  const env = { ...process.env, DOCS_MCP_STORE_PATH: folder, DOCS_MCP_TELEMETRY: 'false' }
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(checkout, 'dist/index.js'), ...args], {
    env,
    encoding: 'utf8',
    maxBuffer: 1e9,
  })
  if (status !== 0) throw new Error(`docs-mcp-server ${args[0]} failed: ${stderr.slice(-1000)}`)
  return stdout
}

/** CPU milliseconds of the children that have ended: fields 16 and 17, in ticks of 10 ms. */
function childrenCpuMs() {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) * 10
}
