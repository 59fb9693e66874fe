import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Docent, startDocent } from '../../../server/test/support/service/harness.ts'
import { type Receiver, isGenuine, startReceiver } from '../../../server/test/support/sites/receiver.ts'
import { page, type Site, startSite } from '../../../server/test/support/sites/site.ts'
import { VERSION } from '@docent/server/version.ts'
import { runCli } from '../run-cli.ts'

let site: Site
let docent: Docent
let receiver: Receiver
let buyer = ''
beforeAll(async () => {
  site = await startSite({ '/': page('Widgets', 'Oil every sprocket twice a year.') })
  receiver = await startReceiver()
  docent = await startDocent({ environment: { DOCENT_RATE_LIMITS: 'off', DOCENT_SECRET_KEY: 'k'.repeat(32) } })
  buyer = await docent.makeKey('buyer@example.test')
})
afterAll(async () => {
  await docent[Symbol.asyncDispose]()
  await receiver[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
})

async function run(args: string[], key = docent.key) {
  const running = runCli(args, { env: { DOCENT_URL: docent.url, DOCENT_API_KEY: key } })
  const code = await running.ended
  return { code, stdout: running.stdout, stderr: running.stderr }
}
const json = async (args: string[], key?: string) => JSON.parse((await run([...args, '--json'], key)).stdout)

describe('webhooks on the command line', () => {
  // It starts 15 processes, one after the other.
  test('creates, tests, rotates, resends, changes and deletes webhooks', async () => {
    expect(await run(['webhooks', 'list'])).toEqual({ code: 0, stdout: '', stderr: 'The account has no webhooks.\n' })
    const made = await run(['webhooks', 'create', receiver.url, 'server.failed', 'limit.reached', '--name', 'Pager'])
    expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^whsec_\S+\n$/) })
    const id = /whk_\w+/.exec(made.stderr)?.[0] ?? ''
    expect((await run(['webhooks', 'list'])).stdout).toMatch(
      /^webhook +state +waiting +events +address +name\nwhk_\w+ +on +0 +server.failed,limit.reached +http\S+ +Pager\n$/,
    )
    expect(await run(['webhooks', 'test', id])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^msg_\w+ {2}delivered {2}204 after \d+ ms\n$/),
    })
    const rotated = await run(['webhooks', 'rotate', id, '--overlap', '2'])
    expect(rotated).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^The old secret also signs until 2\S+Z\.\n$/),
    })
    receiver.answer = 500
    const failed = await run(['webhooks', 'test', id])
    expect(failed).toMatchObject({ code: 1, stdout: expect.stringContaining('The receiver answered 500.') })
    const event = receiver.received.at(-1)
    for (const { stdout } of [made, rotated]) expect(event && isGenuine(event, stdout.trim())).toBe(true)
    receiver.answer = 204
    const delivery = failed.stdout.split(' ')[0] ?? ''
    expect((await run(['webhooks', 'resend', id, delivery])).stdout).toContain(`${delivery}  delivered  204 after`)
    expect(receiver.received.at(-1)?.headers['webhook-id']).toBe(delivery)
    expect((await run(['webhooks', 'deliveries', id])).stdout).toMatch(
      new RegExp(`^delivery +time .*\n${delivery} +\\S+ +webhook.test +delivered +2 +204 after`),
    )
    expect((await run(['webhooks', 'resend', id, 'msg_x'])).code).toBe(7)
    expect((await run(['webhooks', 'change', id, '--on', '--off'])).code).toBe(2)
    const changed = await run(['webhooks', 'change', id, '--off', '--events', 'server.indexed, server.failed'])
    expect(changed.stdout).toBe(`${id}  off  server.indexed,server.failed  ${receiver.url}\n`)
    expect((await run(['webhooks', 'delete', id])).code).toBe(2)
    expect((await run(['webhooks', 'delete', id, '--yes'])).stdout).toBe('The webhook is deleted.\n')
    expect((await json(['webhooks', 'list'])).webhooks).toEqual([])
  })

  test.each([
    ['no event', ['webhooks', 'create', 'http://127.0.0.1/'], "missing required argument 'event'"],
    ['an unknown event', ['webhooks', 'create', 'http://127.0.0.1/', 'x'], 'Allowed choices are server.indexed,'],
    ['an overlap that is no number', ['webhooks', 'rotate', 'whk_1', '--overlap', 'week'], 'not "week"'],
    ['neither a plan nor a server', ['purchases', 'request'], 'Give either --plan, or --server with --sources.'],
    ['a plan and a server', ['purchases', 'request', '--plan', 'core', '--server', 'x'], 'Give either --plan,'],
    ['sources of a plan', ['purchases', 'request', '--plan', 'core', '--sources', '2'], '--sources needs --server.'],
    ['a state of own requests', ['purchases', 'list', '--state', 'granted'], '--state needs --all.'],
    ['a priority that is no number', ['rules', 'change', 'rule_1', '--priority', 'high'], 'not "high"'],
  ])('refuse %s, and name the help of the command', async (_, args, sentence) => {
    const { code, stdout, stderr } = await run(args)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(sentence)
    if (stderr.startsWith('error:')) expect(stderr).toContain(`(docent ${args[0]} ${args[1]} --help shows how)`)
  })
})

describe('purchases on the command line', () => {
  test('requests, grants, refuses and withdraws purchases', async () => {
    expect((await run(['plans', 'list'], buyer)).stdout).toMatch(/^plan +price +servers .*\nfree +free +3 +2 +50 +no\n/)
    const { slug } = await json(['servers', 'create', 'Shop', `${site.url}/`], buyer)
    const wanted = await run(['purchases', 'request', '--server', slug, '--sources', '2', '--note', 'Please'], buyer)
    expect(wanted).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^pur_\w+ {2}2 sources for Shop {2}US\$6\n$/),
    })
    const plan = (await json(['purchases', 'request', '--plan', 'core'], buyer)).id
    expect((await run(['purchases', 'list', '--all'], buyer)).code).toBe(1)
    const open = await run(['purchases', 'list', '--all', '--state', 'requested'])
    expect(open.stdout).toMatch(/2 sources for Shop +US\$6 +requested +buyer@example.test +Please\n/)
    const sources = wanted.stdout.split(' ')[0] ?? ''
    expect((await run(['purchases', 'grant', sources])).stdout).toBe('buyer@example.test has 2 sources for Shop.\n')
    expect((await run(['purchases', 'refuse', plan, 'Not', 'now.'])).stdout).toBe(
      'The request of buyer@example.test for the plan core is refused.\n',
    )
    const own = (await run(['purchases', 'list'], buyer)).stdout
    expect(own).toMatch(/the plan core +by agreement +refused: Not now\.\n.*2 sources for Shop +US\$6 +granted\n/)
    const again = (await json(['purchases', 'request', '--plan', 'free'], buyer)).id
    expect((await run(['purchases', 'withdraw', again], buyer)).code).toBe(2)
    expect((await run(['purchases', 'withdraw', again, '--yes'], buyer)).stdout).toBe('The request is withdrawn.\n')
  })
})

describe('calls on the command line', () => {
  test('names the client docent, continues a search at a cursor, and exports calls', async () => {
    const long = {
      '/': page('Home', 'Sprockets.'),
      '/a': page('First', 'A sprocket.'),
      '/b': page('Second', 'A sprocket.'),
    }
    await using pages = await startSite({ ...long, '/': `${long['/']}<a href="/a">a</a><a href="/b">b</a>` })
    const { serverId, slug } = await json(['servers', 'create', 'Parts', `${pages.url}/`])
    await docent.untilDone(serverId)
    const first = await run(['search', slug, 'sprocket', '--limit', '1'])
    const cursor = /^More: the same command with --cursor (\S+)$/m.exec(first.stderr)?.[1] ?? ''
    const second = await run(['search', slug, 'sprocket', '--limit', '1', '--cursor', cursor])
    expect([second.code, first.stdout.slice(0, 3), second.stdout.slice(0, 3)]).toEqual([0, '[1]', '[2]'])
    const { calls } = await json(['logs', slug])
    expect(calls.map(({ client }: any) => client)).toEqual(Array(2).fill({ name: 'docent', version: VERSION }))
    const table = await run(['calls', 'export', slug])
    expect(table).toMatchObject({ code: 0, stderr: '' })
    expect(table.stdout.trim().split('\n')).toHaveLength(3)
    expect(table.stdout).toMatch(/^"id","at","tool"/)
    expect(await json(['calls', 'export', slug, '--tool', 'ask_question'])).toEqual([])
    expect(await json(['calls', 'export', slug])).toHaveLength(2)
    expect(await run(['calls', 'export', 'nobody'])).toEqual({
      code: 7,
      stdout: '',
      stderr: 'error  Server not found. List yours: docent servers list\n',
    })
  })

  test('shows the number of the log page', async () => {
    const { serverId, slug } = await json(['servers', 'create', 'Busy', `${site.url}/`])
    await docent.untilDone(serverId)
    for (let n = 0; n < 21; n += 1) await docent.callTool(slug, 'search_docs', { query: 'oil' })
    expect((await run(['logs', slug])).stderr).toBe('Page 1 of 2, of 21 in total. The next one: --page 2\n')
    expect((await run(['logs', slug, '--page', '2'])).stderr).toBe('Page 2 of 2, of 21 in total.\n')
  })
})

describe('limits of callers without a token on the command line', () => {
  test('shows and changes them', async () => {
    const set = ['limits', 'set', '--reserved', '25', '--day', '100', '--network', '0']
    expect(await json(set, buyer)).toMatchObject({
      reservedPercent: 25,
      anonymousPerDay: 100,
      anonymousPerNetworkPerDay: 0,
    })
    expect((await run(['limits', 'get'], buyer)).stdout).toMatch(
      /calls of the month +25% reserved +- *\ncalls of a day +100 in a day +0 of 100 *\ncalls of one network +no limit +-/,
    )
    expect((await run(['limits', 'set', '--day', 'many'], buyer)).code).toBe(2)
  })
})
