import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { freePort } from '../support/lib/free-port.ts'
import { runCommand } from '../support/lib/run-program.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { page, startSite } from '../support/sites/site.ts'

const ROOT = join(import.meta.dirname, '../../..')
const ALERTS = join(ROOT, 'deploy/prometheus/alerts.yml')
const folder = mkdtempSync(join(tmpdir(), 'docent-prometheus-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function isInstalled(): boolean {
  const found = existsSync('/usr/bin/prometheus') && existsSync('/usr/bin/promtool')
  if (!found) process.stderr.write('\nSKIPPED: a scrape by Prometheus. Run: apt-get install prometheus\n\n')
  return found
}

/** The configuration of `docs/deployment.md` with its own target, the rules of `deploy/`, and a second between scrapes. */
function configuration(target: string): string {
  const [, example = ''] = /```yaml\n([^]*?)```/.exec(readFileSync(join(ROOT, 'docs/deployment.md'), 'utf8')) ?? []
  const own = example.replace('10.1.0.4:9464', target).replace('[alerts.yml]', `['${ALERTS}']`)
  expect(own).toContain(target)
  return `global: { scrape_interval: 1s, evaluation_interval: 1s }\n${own}`
}

type Rule = { name: string; health: string; state: string; lastError?: string; evaluationTime: number }

describe.runIf(inject('isLong') && isInstalled())('Prometheus', () => {
  const stack = new AsyncDisposableStack()
  afterAll(() => stack.disposeAsync())
  let url: string
  let docent: Docent
  const get = async (path: string) => ((await (await fetch(url + path)).json()) as { data: any }).data
  const rules = async (): Promise<Rule[]> => (await get('/api/v1/rules')).groups.flatMap((group: any) => group.rules)

  beforeAll(async () => {
    const [own, metrics] = [await freePort(), await freePort()]
    docent = stack.use(await startDocent({ environment: { DOCENT_METRICS_PORT: String(metrics) } }))
    const config = join(folder, 'prometheus.yml')
    writeFileSync(config, configuration(`127.0.0.1:${metrics}`))
    expect(await runCommand('promtool', ['check', 'config', config])).toMatchObject({ code: 0 })
    url = `http://127.0.0.1:${own}`
    const options = [`--storage.tsdb.path=${folder}/data`, `--web.listen-address=127.0.0.1:${own}`]
    const prometheus = spawn('prometheus', [`--config.file=${config}`, ...options], { stdio: 'ignore' })
    stack.defer(async () => {
      prometheus.kill()
      if (prometheus.exitCode === null) await once(prometheus, 'exit')
    })
  })

  test('finds the node', async () => {
    const health = async () =>
      await get('/api/v1/targets').then(
        ({ activeTargets: [only] }) => only?.health,
        () => null,
      )
    await expect.poll(health).toBe('up')
  })

  test('evaluates each rule, and none says that something is wrong', async () => {
    await expect.poll(async () => (await rules()).every(({ evaluationTime }) => evaluationTime > 0)).toBe(true)
    const all = await rules()
    expect(all).toHaveLength(readFileSync(ALERTS, 'utf8').match(/- alert:/g)?.length ?? 0)
    expect(all.filter(({ health, state }) => health !== 'ok' || state !== 'inactive')).toEqual([])
  })

  test('answers what the dashboard of Grafana asks, with the calls of a tool', async () => {
    await using site = await startSite({ '/': page('Gears', 'Gears have teeth that mesh.') })
    const { slug } = await docent.createServer({ name: 'Gears', sources: [{ url: `${site.url}/` }] })
    await docent.callTool(slug, 'search_docs', { query: 'gears' })
    const text = readFileSync(join(ROOT, 'deploy/grafana/docent.json'), 'utf8')
    const asked = [...text.matchAll(/"expr": (".*")/g)].map(([, expr = '']) =>
      (JSON.parse(expr) as string).replaceAll('$__rate_interval', '1m').replaceAll(/\$\w+/g, '.*'),
    )
    expect(asked.length).toBeGreaterThan(8)
    const answers = async () =>
      await Promise.all(
        asked.map(async (query) => (await get(`/api/v1/query?${new URLSearchParams({ query })}`)).result),
      )
    const calls = asked.findIndex((query) => query.includes('gen_ai_tool_name) (rate'))
    await expect.poll(async () => JSON.stringify((await answers())[calls])).toContain('search_docs')
  })

  test('says that a node is down', async () => {
    await docent[Symbol.asyncDispose]()
    const state = async () => (await rules()).find(({ name }) => name === 'DocentDown')?.state
    await expect.poll(state).toBe('pending')
  })
})
