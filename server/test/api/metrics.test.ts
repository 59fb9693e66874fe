import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadConfig, loadSecrets } from '../../src/config.ts'
import { onBothEngines } from '../support/database/engines.ts'
import { disposeAll } from '../support/lib/keep-open.ts'
import { freePort } from '../support/lib/free-port.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { page, type Site, startSite } from '../support/sites/site.ts'

const TOKEN = 'token-of-24-characters-1'

/** The values of a scrape by name and labels. */
function valuesIn(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  )
}

onBothEngines('metrics', (engine) => {
  let site: Site
  let docent: Docent
  let slug: string

  beforeAll(async () => {
    site = await startSite({
      '/': page('Gears', 'Gears have teeth that mesh.', ['/belts']),
      '/belts': page('Belts', 'Belts run over wheels.'),
    })
    docent = await startDocent({ engine, environment: { DOCENT_METRICS_TOKEN: TOKEN } })
    slug = (await docent.createServer({ name: 'Zanzibar', sources: [{ url: `${site.url}/` }] })).slug
  })
  afterAll(() => disposeAll(docent, site))

  const scrape = async (authorization?: string) =>
    fetch(`${docent.url}/metrics`, { headers: authorization ? { authorization } : {} })
  const read = async () => valuesIn(await (await scrape(`Bearer ${TOKEN}`)).text())

  test('answer nobody but who has the token', async () => {
    const statuses = [undefined, 'Bearer wrong', `Bearer ${TOKEN}1`, `Bearer ${docent.key}`, `Basic ${TOKEN}`]
    for (const given of statuses) expect([given, (await scrape(given)).status]).toEqual([given, 401])
    const open = await scrape(`Bearer ${TOKEN}`)
    expect([open.status, open.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  })

  test('count requests by route, calls by tool and outcome, and what crawls fetched', async () => {
    const before = await read()
    await docent.callTool(slug, 'search_docs', { query: 'gears' })
    await docent.callTool(slug, 'search_docs', {})
    await docent.request('GET', `/api/mcp/${slug}`)
    await docent.request('GET', `/api/nowhere`)
    await expect
      .poll(async () => {
        const after = await read()
        const gained = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
        const request = (method: string, route: string, status: number) =>
          gained(
            `http_server_request_duration_seconds_count{http_request_method="${method}",http_route="${route}",http_response_status_code="${status}"}`,
          )
        const call = (outcome: string) =>
          gained(
            `mcp_server_operation_duration_seconds_count{mcp_method_name="tools/call",gen_ai_tool_name="search_docs",docent_outcome="${outcome}"}`,
          )
        return [
          request('POST', '/api/mcp/:id', 200),
          request('GET', '/api/mcp/:id', 200),
          call('answered'),
          call('refused'),
        ]
      })
      .toEqual([2, 1, 1, 1])
    const values = await read()
    expect(values.get('docent_crawl_documents_total{docent_result="page"}')).toBe(2)
    expect(values.get('docent_client_received_bytes_total{docent_purpose="crawl"}')).toBeGreaterThan(500)
    expect([...values.keys()].filter((name) => name.includes('nowhere'))).toEqual([])
  })

  test('show jobs, threads, memory and connections of the moment', async () => {
    await docent.callTool(slug, 'search_docs', { query: 'gears' })
    const values = await read()
    const states = ['queued', 'running', 'failed'].map((state) => values.get(`docent_jobs{docent_state="${state}"}`))
    expect(states).toEqual([0, 0, 0])
    expect(values.get('docent_tool_threads')).toBe(1)
    expect(values.get('docent_index_memory_bytes')).toBeGreaterThan(1_000)
    // Of the one source. Later calls find it in memory.
    expect(values.get('docent_index_reads_total')).toBe(1)
    expect(values.get('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThanOrEqual(0)
    const idle = values.get('db_client_connection_count{db_client_connection_state="idle"}')
    if (engine === 'postgres') expect(idle).toBeGreaterThan(0)
    else expect(idle).toBeUndefined()
  })

  test('have no name, address or account in a label', async () => {
    await docent.callTool(slug, 'search_docs', { query: 'gears' })
    await fetch(`${docent.url}/api/mcp/${slug}/pages?search=quokka`)
    await fetch(`${docent.url}/docs/quokka`)
    const text = await (await scrape(`Bearer ${TOKEN}`)).text()
    for (const secret of [slug, 'quokka', 'owner@example.test', new URL(site.url).host, docent.key])
      expect(text.toLowerCase()).not.toContain(secret.toLowerCase())
  })
})

test('metrics have a port of their own without a token, which cannot be indexed', async () => {
  const port = String(await freePort())
  await using docent = await startDocent({ environment: { DOCENT_METRICS_PORT: port } })
  const own = `http://127.0.0.1:${port}`
  const answer = await fetch(`${own}/metrics`)
  expect([answer.status, (await answer.text()).includes('docent_jobs{')]).toEqual([200, true])
  expect((await fetch(`${own}/`)).status).toBe(404)
  expect((await fetch(`${docent.url}/metrics`)).status).toBe(404)
  const { status, body } = await docent.request('POST', '/api/mcp/create', {
    name: 'Own metrics',
    sources: [{ url: `${own}/metrics` }],
  })
  expect(status).toBe(400)
  expect(body.error).toMatch(/private or internal network/)
})

test('metrics are off without a setting', async () => {
  await using docent = await startDocent()
  const answer = await fetch(`${docent.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })
  expect(answer.status).toBe(404)
})

test('metrics tell of a database that does not answer, and of everything else', async () => {
  const port = String(await freePort())
  await using docent = await startDocent({ environment: { DOCENT_METRICS_PORT: port } })
  const scrape = async () => valuesIn(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text())
  expect((await scrape()).get('docent_database_up')).toBe(1)
  await docent.inStore((store) => store.write.schema.alterTable('jobs').renameTo('lost').execute())
  const values = await scrape()
  expect(values.get('docent_database_up')).toBe(0)
  expect(values.has('docent_jobs{docent_state="queued"}')).toBe(false)
  expect(values.get('docent_tool_threads')).toBe(0)
})

test('the port and the token of metrics have limits', () => {
  const secrets = (token: string) => loadSecrets({ DOCENT_METRICS_TOKEN: token }).metricsToken
  expect(secrets('1'.repeat(16))).toBe('1'.repeat(16))
  expect(() => secrets('1'.repeat(15))).toThrow('DOCENT_METRICS_TOKEN: must have at least 16 characters')
  expect(loadConfig({}).metricsPort).toBeNull()
  expect(loadConfig({ DOCENT_METRICS_PORT: '65535' }).metricsPort).toBe(65_535)
  expect(() => loadConfig({ DOCENT_METRICS_PORT: '65536' })).toThrow('DOCENT_METRICS_PORT: must be a port, 0 to 65535')
})

test('metrics have every name that the alert rules and the dashboard ask for', async () => {
  await using docent = await startDocent({ environment: { DOCENT_METRICS_TOKEN: TOKEN } })
  const headers = { authorization: `Bearer ${TOKEN}` }
  const declared = (await (await fetch(`${docent.url}/metrics`, { headers })).text()).matchAll(/^# TYPE (\S+) (\S+)$/gm)
  const names = new Set(
    [...declared].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    ),
  )
  const deploy = new URL('../../../deploy/', import.meta.url)
  const texts = ['prometheus/alerts.yml', 'grafana/docent.json'].map((file) =>
    readFileSync(new URL(file, deploy), 'utf8'),
  )
  const asked = texts.flatMap(
    (text) => text.match(/\b(?:http|mcp|docent|db|nodejs|process)_[a-z\d_]+(?=[[{) "]| [<>=])/g) ?? [],
  )
  const labels = /^(?:http_re|docent_(?:state|work|outcome|result|purpose)|db_client_connection_state)/
  const wanted = new Set(asked.filter((name) => !labels.test(name)))
  expect(wanted.size).toBeGreaterThan(12)
  expect([...wanted].filter((name) => !names.has(name))).toEqual([])
})
