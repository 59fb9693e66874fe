import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { usedCpuMs } from '#workers/process-status.ts'
import { type Place, makePlace } from '../support/database/engines.ts'
import { disposeAll } from '../support/lib/keep-open.ts'
import { type ServiceProcess, makeOwner, spawnService } from '../support/service/service-process.ts'
import { type Page, type Site, page, startSite } from '../support/sites/site.ts'
import { resultsIn } from '../support/mcp/results-in.ts'

/** Characters of each crafted text. A fourth of that once took half a minute. */
const SIZE = 120_000
const filled = (unit: string, size = SIZE) => unit.repeat(Math.ceil(size / unit.length))
const fenced = (code: string) => `\`\`\`sh\n${code}\n\`\`\`\n`

/** Pages that made regular expressions of the tools backtrack: tables, steps, headings and sentences. */
const TEXTS: Record<string, string> = {
  table: `| Name | Type |\n|${filled(' - |')}x\n\n| Name | Type |\n|${filled('-')}x\n`,
  'blank-table': `| Name | Type |\n|${filled(' \t')}x\n`,
  steps: fenced(filled('curl ')) + fenced(filled('irm ')) + fenced(filled('\n')) + fenced(filled(' ')),
  headings: `## Usage${filled(' \t')}x\n\n## Usage ${filled('![')}\n\n## Usage ${filled('[a](')}\n`,
  sentences: `${filled('](')}\n\nA${filled('.)')} B\n\nA.${filled(')')} b${filled('. ')}\n`,
}

/** Others must be answered while a call takes more processor time than this: several times what they need. */
const LONG_CALL_MS = 3_000

const TOOLS: readonly [name: string, args: object][] = [
  ['find_api_reference', { name: 'Usage' }],
  ['get_quickstart', {}],
  ['summarize_content', {}],
  ['extract_schema', { name: 'Usage' }],
  ['get_changelog', {}],
  ['search_docs', { query: 'usage of widgets' }],
  ['ask_question', { question: 'How are widgets used?' }],
]

describe('tools on crafted pages', () => {
  let site: Site
  let place: Place
  let service: ServiceProcess
  let key: string
  let other: string

  const ask = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const response = await fetch(service.url + path, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return (await response.json()) as any
  }
  const call = (slug: string, name: string, args: object) =>
    ask('POST', `/api/mcp/${slug}`, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })
  const index = async (path: string) => {
    const { slug } = await ask('POST', '/api/mcp/create', { name: path, sources: [{ url: site.url + path }] })
    const progress = () => ask('GET', `/api/mcp/${slug}/crawl-next`)
    while ((await progress()).status === 'crawling') await sleep(50)
    const { sources } = await ask('GET', `/api/mcp/${slug}`)
    if (sources[0].pagesIndexed !== 1) throw new Error(`The page of ${path} was not indexed: ${sources[0].crawlError}`)
    await ask('PATCH', `/api/mcp/${slug}/tools`, { add: TOOLS.map(([name]) => name) })
    return slug as string
  }

  beforeAll(async () => {
    const markdown =
      (text: string): Page =>
      (_, response) =>
        void response
          .writeHead(200, { 'content-type': 'text/markdown; charset=utf-8' })
          .end(`# Usage\n\nWidgets are used like this. They need no installation.\n\n${text}\n\nThat is all of it.\n`)
    const texts = Object.entries(TEXTS).map(([name, text]) => [`/${name}/`, markdown(text)] as const)
    site = await startSite({ '/other/': page('Oil', 'The oil is changed each year.'), ...Object.fromEntries(texts) })
    place = await makePlace('sqlite')
    key = await makeOwner(place)
    service = await spawnService({
      DOCENT_DATA_DIR: place.dataDir,
      DOCENT_ALLOW_NETWORKS: '127.0.0.0/8',
      DOCENT_RATE_LIMITS: 'off',
    })
    other = await index('/other/')
  })
  afterAll(() => disposeAll(service, place, site))

  /** Makes one request after the other until `work` is done. Adds to `times` when each was answered. */
  const besides = async (work: Promise<unknown>, times: number[], one: () => Promise<void>) => {
    const over = new AbortController()
    const working = work.finally(() => over.abort())
    do {
      await one()
      times.push(performance.now())
      await sleep(10)
    } while (!over.signal.aborted)
    await working
  }

  test.each(Object.keys(TEXTS))(
    'answers on a page of %s while the service serves others',
    { timeout: 300_000 },
    async (name) => {
      const slug = await index(`/${name}/`)
      const calls: { tool: string; begun: number; ended: number; cpuMs: number }[] = []
      const cpuMs = () => usedCpuMs(service.pid) ?? 0
      const calling = (async () => {
        for (const [tool, args] of TOOLS) {
          const [begun, usedBefore] = [performance.now(), cpuMs()]
          const { result, error } = await call(slug, tool, args)
          calls.push({ tool, begun, ended: performance.now(), cpuMs: cpuMs() - usedBefore })
          expect([tool, result?.content[0].text]).toEqual([tool, expect.not.stringMatching(/took too (?:long|much)/)])
          expect([tool, error?.code]).toEqual([tool, undefined])
        }
      })()
      const [healthy, searched]: [number[], number[]] = [[], []]
      await Promise.all([
        besides(calling, healthy, async () => expect((await fetch(`${service.url}/healthz`)).status).toBe(200)),
        besides(calling, searched, async () => {
          const { result } = await call(other, 'search_docs', { query: 'oil' })
          expect(resultsIn(result)).toHaveLength(1)
        }),
      ])
      const alone = calls
        .filter((one) => one.cpuMs > LONG_CALL_MS)
        .filter(({ begun, ended }) =>
          [healthy, searched].some((times) => !times.some((at) => begun < at && at < ended)),
        )
      expect(alone).toEqual([])
    },
  )
})
