import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { type Site, page, startSite } from '../support/sites/site.ts'
import { resultsIn } from '../support/mcp/results-in.ts'

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT/)
const text = (about: string) => `The ${about} is described at length on this page, with its colours and seasons.`

onSqliteAtLeast('pushes', (engine) => {
  let docent: Docent
  let site: Site
  beforeAll(async () => {
    site = await startSite({
      '/': page('Home', text('gadget'), ['/apples', '/pears']),
      '/apples': page('Apples', text('apple')),
      '/pears': page('Pears', text('pear')),
    })
    docent = await startDocent({ engine, environment: { DOCENT_SECRET_KEY: 'k'.repeat(32) } })
  })
  afterAll(async () => {
    for (const part of [docent, site]) await part[Symbol.asyncDispose]()
  })

  async function pushed(name: string) {
    const { slug, detail } = await docent.createServer({ name, sources: [{ url: `${site.url}/`, type: 'docs' }] })
    const path = `/api/mcp/${slug}/sources/${detail.sources[0].id}/push`
    const { body } = await docent.request('POST', path)
    return {
      slug: slug as string,
      path,
      url: body.url as string,
      secret: body.secret as string,
      state: async () => (await docent.request('GET', path)).body,
      send: (headers: Record<string, string> = {}, sent = '{"ref":"refs/heads/main"}', url = body.url as string) =>
        fetch(url, { method: 'POST', headers, body: sent }).then(async (answer) => ({
          status: answer.status,
          body: (await answer.json()) as Record<string, unknown>,
        })),
      find: async (query: string) =>
        resultsIn((await docent.callTool(slug, 'search_docs', { query })).result)
          .map((passage) => passage.text)
          .join('\n'),
    }
  }
  const sign = (secret: string, sent: string) => createHmac('sha256', secret).update(sent).digest('hex')

  test('makes an address with a secret, which a new one replaces', async () => {
    const { path, url, secret, state, send } = await pushed('Addresses')
    expect([url, secret]).toEqual([
      expect.stringMatching(new RegExp(`^${docent.url}/api/hooks/dph_\\w{36}$`)),
      expect.stringMatching(/^dps_\w{36}$/),
    ])
    expect(await state()).toEqual({ url, secret, lastPushAt: null, lastPushFrom: null })
    const again = (await docent.request('POST', path)).body
    expect(again.url === url || again.secret === secret).toBe(false)
    expect(await send()).toMatchObject({ status: 404, body: { error: 'push_address_not_found' } })
    expect((await send({}, '', again.url)).status).toBe(200)
    const stored = await docent.inStore(({ read }) => read.selectFrom('sourcePushes').selectAll().execute())
    for (const text of [url.split('/').at(-1) ?? '', secret, again.secret])
      expect(JSON.stringify(stored)).not.toContain(text)
  })

  test('reads the changed pages of a site after a push, and joins pushes of one time', async () => {
    const { slug, send, find, state } = await pushed('Fresh')
    site.pages.set('/apples', page('Apples', text('bathyscaphe')))
    site.requests.length = 0
    const sent = await Promise.all([send(), send(), send(), send()])
    expect(sent.filter(({ body }) => body['queued'] === true)).toHaveLength(1)
    await docent.untilDone(slug)
    expect(await find('bathyscaphe')).toContain('bathyscaphe')
    // One reading, or two if a push came after the beginning of the first.
    const full = site.requests.filter(({ path, status }) => status === 200 && path !== '/robots.txt')
    expect(full.map(({ path }) => path).filter((path) => path === '/pears')).toEqual([])
    expect(await state()).toMatchObject({ lastPushAt: ISO, lastPushFrom: 'address' })
  })

  test('makes changed pages searchable before a reading after a push ends', async () => {
    const { slug, send, find } = await pushed('Early')
    const goOn = Promise.withResolvers<void>()
    const earlier = site.pages.get('/pears') as string
    site.pages.set('/apples', page('Apples', text('gyroscope')))
    site.pages.set('/pears', (_, response) => void goOn.promise.then(() => response.end(earlier)))
    await send()
    await expect.poll(() => find('gyroscope')).toContain('gyroscope')
    // The earlier version of the page is gone, and the page that has not been read yet is still there.
    expect(await find('bathyscaphe')).not.toContain('bathyscaphe')
    expect(await find('pear')).toContain(text('pear'))
    site.pages.set('/pears', earlier)
    goOn.resolve()
    await docent.untilDone(slug)
    expect(await find('gyroscope')).toContain('gyroscope')
  })

  test('reads a source again for a push during a reading', async () => {
    const { slug, send, find } = await pushed('During')
    const arrived = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const earlier = site.pages.get('/pears') ?? ''
    site.pages.set('/pears', (_, response) => {
      arrived.resolve()
      void goOn.promise.then(() => response.writeHead(200, { 'content-type': 'text/html' }).end(earlier as string))
    })
    expect((await send()).body).toEqual({ ok: true, queued: true })
    await arrived.promise
    site.pages.set('/pears', page('Pears', text('dirigible')))
    expect((await send()).body).toEqual({ ok: true, queued: false })
    goOn.resolve()
    await expect.poll(() => find('dirigible')).toContain('dirigible')
    await docent.untilDone(slug)
    expect(
      (await docent.inStore(({ read }) => read.selectFrom('jobs').selectAll().execute())).filter(
        ({ state }) => state === 'queued',
      ),
    ).toEqual([])
  })

  test('verifies the signatures of code hosts, and of others that sign', async () => {
    const { secret, send, state } = await pushed('Signed')
    const sent = '{"zen":"Keep it logically awesome."}'
    const valid = sign(secret, sent)
    const senders: [string, Record<string, string>, string, string][] = [
      ['GitHub', { 'x-github-event': 'push', 'x-hub-signature': 'sha1=00' }, 'x-hub-signature-256', `sha256=${valid}`],
      ['GitLab', { 'x-gitlab-event': 'Push Hook' }, 'x-gitlab-token', secret],
      ['Bitbucket', { 'x-event-key': 'repo:push' }, 'x-hub-signature', `sha256=${valid}`],
      ['Gitea', { 'x-gitea-event': 'push', 'x-github-event': 'push' }, 'x-gitea-signature', valid],
      ['Forgejo', { 'x-forgejo-event': 'push', 'x-gitea-event': 'push' }, 'x-forgejo-signature', valid],
      ['signed', {}, 'x-hub-signature-256', `sha256=${valid}`],
    ]
    const invalid = { status: 401, body: { error: 'push_signature_invalid' } }
    for (const [sender, event, name, value] of senders) {
      if (sender !== 'signed') expect(await send(event, sent)).toMatchObject(invalid)
      expect(
        await send({ ...event, [name]: `${value.slice(0, -1)}${value.endsWith('0') ? '1' : '0'}` }, sent),
      ).toMatchObject(invalid)
      expect(await send({ ...event, [name]: '' }, sent)).toMatchObject(invalid)
      expect((await send({ ...event, [name]: value }, sent)).status).toBe(200)
      expect((await state()).lastPushFrom).toBe(sender)
      if (name !== 'x-gitlab-token') expect(await send({ ...event, [name]: value }, `${sent} `)).toMatchObject(invalid)
    }
  })

  test('limits pushes to a source, and the size of a body', async () => {
    const { send } = await pushed('Limits')
    expect((await send({}, 'x'.repeat(26 << 20))).status).toBe(413)
    let accepted = 0
    let last = await send()
    for (; last.status === 200; last = await send()) accepted += 1
    // The first one counts, although its body was refused.
    expect([last.status, accepted]).toEqual([429, expect.toSatisfy((count: number) => count >= 59)])
  })
})
