import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Docent, startDocent } from '../../../server/test/support/service/harness.ts'
import { disposeAll } from '../../../server/test/support/lib/keep-open.ts'
import { page, type Site, startSite } from '../../../server/test/support/sites/site.ts'
import { runCli } from '../run-cli.ts'

let site: Site
let docent: Docent
beforeAll(async () => {
  site = await startSite({
    '/': page('Widgets', 'Oil every sprocket twice a year.', ['/guide']),
    '/guide': page('Guide', 'Tighten the chain by hand.'),
  })
  docent = await startDocent({ environment: { DOCENT_RATE_LIMITS: 'off' } })
})
afterAll(() => disposeAll(docent, site))

const start = (args: string[], env: Record<string, string> = {}) =>
  runCli(args, { env: { DOCENT_URL: docent.url, DOCENT_API_KEY: docent.key, ...env } })

async function run(args: string[], env: Record<string, string> = {}) {
  const running = start(args, env)
  const code = await running.ended
  return { code, stdout: running.stdout, stderr: running.stderr }
}

const documentsOf = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('--watch', () => {
  test('shows a line for each source until a new server is indexed', async () => {
    const { code, stdout, stderr } = await run(['servers', 'create', 'Seen', `${site.url}/`, '--watch'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: `server    seen\nendpoint  ${docent.url}/api/mcp/seen\n` })
    expect(stderr).toMatch(/127\.0\.0\.1:\d+ {2}Ready {2}█{24} 2 found = 2 indexed\n$/)
  })

  test('writes a line of JSON for each change, of the watched source only', async () => {
    await run(['servers', 'create', 'Lines', `${site.url}/`, '--watch'])
    const added = await run(['sources', 'add', 'lines', `${site.url}/guide`, '--type', 'docs', '--watch', '--json'])
    expect(added).toMatchObject({ code: 0, stderr: '' })
    const [source, ...states] = documentsOf(added.stdout)
    expect(states.at(-1).sources).toMatchObject([{ id: source.id, crawlStatus: 'complete' }])
    expect(new Set(states.map((state) => JSON.stringify(state))).size).toBe(states.length)
    const again = await run(['servers', 'crawl', 'lines', '--source', source.id, '--watch', '--json'])
    const [answer, ...steps] = documentsOf(again.stdout)
    expect(answer).toMatchObject({ started: true, queued: 1 })
    expect(steps.at(-1).sources).toMatchObject([{ id: source.id, crawlStatus: 'complete' }])
    const indexed = await run(['index', 'lines', '--watch'])
    expect(indexed).toMatchObject({ code: 0, stdout: '2 sources are queued.\n' })
    // Lines of the beginning come before, in which the first source can be ready already.
    expect(indexed.stderr).toMatch(/ {2}Ready {2}.*\n.* {2}Ready {2}.*\n$/)
  })

  test('fails if a source cannot be indexed', async () => {
    const { code, stderr } = await run(['servers', 'create', 'Gone', `${site.url}/missing`, '--watch'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/Needs you[^]*\nerror {2}\S/)
  })
})

describe('logs --follow', () => {
  test('shows past calls in order, then each new call, until it is stopped', async () => {
    await run(['servers', 'create', 'Logged', `${site.url}/`, '--watch'])
    const call = (query: string) => docent.callTool('logged', 'search_docs', { query })
    await call('first')
    await call('second')
    const running = start(['logs', 'logged', '--follow', '--json'])
    await running.until(/"query":"second"/)
    await call('third')
    await running.until(/"query":"third"/)
    running.stop('SIGINT')
    expect(await running.ended).toBe(130)
    const queries = documentsOf(running.stdout).map(({ arguments: { query } }) => query)
    expect(queries).toEqual(['first', 'second', 'third'])
    expect(running.stderr).toBe('')
    const { stdout } = await run(['servers', 'logs', 'logged'])
    expect(stdout).toMatch(/^time +tool[^]+"third"[^]+"first"/)
  })
})

describe('a private server', () => {
  test('answers the owner of a private server, and holders of an access token', async () => {
    const made = await run(['servers', 'create', 'Closed', `${site.url}/`, '--private', '--watch', '--json'])
    const [{ accessToken, slug }] = documentsOf(made.stdout)
    const anonymous = { DOCENT_API_KEY: '' }
    const asked = ['search', slug, 'oil sprocket']
    expect((await run(asked)).stdout).toContain('Oil every sprocket')
    expect((await run([...asked, '--token', accessToken], anonymous)).stdout).toContain('Oil every sprocket')
    const env = { ...anonymous, DOCENT_ACCESS_TOKEN: accessToken }
    expect((await run(['call', slug, 'search_docs', 'query=chain'], env)).stdout).toContain('Tighten the chain')
    expect((await run(['ask', slug, 'How often do I oil a sprocket?'])).stdout).toContain('twice a year')
    expect((await run(['call', slug, 'search_docs'])).code).toBe(5)

    const refused = await run(asked, anonymous)
    expect(refused).toMatchObject({ code: 3, stdout: '' })
    expect(refused.stderr).toContain('Give it with --token or DOCENT_ACCESS_TOKEN.')
    expect((await run([...asked, '--token', 'dat_wrong'])).code).toBe(3)
    const other = { DOCENT_API_KEY: await docent.makeKey('other@example.test') }
    expect(await run(asked, other)).toMatchObject({ code: 3, stderr: expect.stringContaining('private') })
  })

  test('leaves public servers open without a sign-in', async () => {
    await run(['servers', 'create', 'Open', `${site.url}/`, '--watch'])
    const { code, stdout } = await run(['search', 'open', 'oil'], { DOCENT_API_KEY: '' })
    expect(code).toBe(0)
    expect(stdout).toContain('Oil every sprocket')
  })
})
