import { PINS } from '@docent/contract/limits'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertPin } from '#store/servers/pins.ts'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import type { Docent } from '../support/service/harness.ts'
import { disposeAll } from '../support/lib/keep-open.ts'
import { startWidgetWorld, type WidgetWorld } from '../support/service/widget-world.ts'
import { page, type Site } from '../support/sites/site.ts'

const QUESTION = 'How do I oil a widget?'

onSqliteAtLeast('pins', (engine) => {
  let world: WidgetWorld
  let site: Site
  let docent: Docent
  let slug: string
  let serverId: string

  beforeAll(async () => {
    world = await startWidgetWorld(engine, {
      '/': page('Widgets', 'A widget is a small machine that bends spoons.', ['/guide', '/blog']),
      '/guide': page('Guide', 'Oil a widget twice a year with fine oil.'),
      '/blog': page('Blog', 'How we oil a widget: with olive oil, once in a while.'),
    })
    ;({ site, docent, slug, serverId } = world)
  })
  afterAll(() => disposeAll(world))

  const path = () => `/api/mcp/${slug}/pins`
  const create = (body: object) =>
    docent.request('POST', path(), { url: `${site.url}/blog`, questions: [QUESTION], ...body })
  const list = async () => (await docent.request('GET', path())).body
  const remove = (id: string) => docent.request('DELETE', `${path()}/${id}`)

  test('creates, lists and deletes a pin', async () => {
    const { status, body } = await create({ questions: [` ${QUESTION} `, 'oiling'] })
    const pin = {
      id: expect.stringMatching(/^pin_/),
      effect: 'first',
      questions: [QUESTION, 'oiling'],
      title: 'Blog',
      heading: '',
      url: `${site.url}/blog`,
      sourceId: expect.stringMatching(/^src_/),
      isStale: false,
      createdAt: expect.any(String),
    }
    expect([status, body]).toEqual([200, { pin }])
    expect(await list()).toEqual({ pins: [pin], limit: PINS.perServer })
    expect(await remove(body.pin.id)).toMatchObject({ status: 200, body: { ok: true } })
    expect(await remove(body.pin.id)).toMatchObject({ status: 404, body: { error: 'pin_not_found' } })
    expect(await list()).toMatchObject({ pins: [] })
  })

  test('finds the section by its address with another scheme, a slash or the anchor of a heading', async () => {
    const address = site.url.replace('http://', 'https://')
    const found = await create({ url: `${address}/blog/` })
    expect(found.body.pin.url).toBe(`${site.url}/blog`)
    await remove(found.body.pin.id)
  })

  test.each<[what: string, body: object, status: number, error: string]>([
    ['no question', { questions: [] }, 400, 'invalid_input'],
    ['an empty question', { questions: [' '] }, 400, 'invalid_input'],
    ['too many questions', { questions: Array(PINS.questions + 1).fill('oil') }, 400, 'invalid_input'],
    ['a long question', { questions: ['o'.repeat(PINS.maxQuestion + 1)] }, 400, 'invalid_input'],
    ['another effect', { effect: 'last' }, 400, 'invalid_input'],
    ['no address', { url: '' }, 400, 'invalid_input'],
    ['a page that the server does not have', { url: 'https://elsewhere.example/' }, 422, 'pin_section_not_found'],
    ['a section that the page does not have', { heading: 'Prices' }, 422, 'pin_section_not_found'],
    ['a source that does not have the page', { sourceId: 'src_none' }, 422, 'pin_section_not_found'],
  ])('refuses a pin with %s', async (_, body, status, error) => {
    for (const operation of ['', '/preview']) {
      const given = { url: `${site.url}/blog`, questions: [QUESTION], ...body }
      const answer = await docent.request('POST', `${path()}${operation}`, given)
      expect([answer.status, answer.body.error]).toEqual([status, error])
    }
  })

  test('accepts as many questions as long as it may', async () => {
    const questions = Array.from({ length: PINS.questions }, (_, at) => `${at} `.padEnd(PINS.maxQuestion, 'o'))
    const { status, body } = await create({ questions })
    expect([status, body.pin.questions]).toEqual([200, questions])
    await remove(body.pin.id)
  })

  test('accepts pins up to the limit, of two at once too', async () => {
    const { body } = await create({})
    const row = { ...body.pin, serverId, questions: '["oil"]', createdAt: 1 }
    await docent.inStore(async ({ write }) => {
      for (let at = 2; at < PINS.perServer; at++) {
        const { isStale: _, ...pin } = { ...row, id: `pin_${engine}${at}` }
        await insertPin(write, pin)
      }
    })
    const made = await Promise.all([create({}), create({})])
    expect(made.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(made.find(({ status }) => status === 409)?.body).toMatchObject({ error: 'pin_limit', limit: PINS.perServer })
    expect((await list()).pins).toHaveLength(PINS.perServer)
    await docent.inStore(({ write }) => write.deleteFrom('pins').execute())
  })

  test('repeats the answer to a request with the same idempotency key', async () => {
    const send = () =>
      docent.request(
        'POST',
        path(),
        { url: `${site.url}/blog`, questions: [QUESTION] },
        {
          headers: { 'idempotency-key': 'pin-once-0001' },
        },
      )
    const [first, second] = [await send(), await send()]
    expect(second.body).toEqual(first.body)
    expect((await list()).pins).toHaveLength(1)
    await remove(first.body.pin.id)
  })

  describe('for callers', () => {
    test('hides a pin from another account, from another server and from a key for another server', async () => {
      const { id } = (await create({})).body.pin
      const other = await docent.createServer({ name: 'Other', sources: [{ url: `${site.url}/guide` }] })
      const stranger = await docent.makeKey('stranger@example.test')
      const scoped = await docent.makeKey('owner@example.test', [other.serverId])
      for (const key of [stranger, scoped]) {
        for (const [method, where] of [
          ['GET', ''],
          ['DELETE', `/${id}`],
        ] as const) {
          const answer = await docent.request(method, `${path()}${where}`, undefined, { key })
          expect([answer.status, answer.body]).toEqual([404, { error: 'Server not found' }])
        }
      }
      expect(await docent.request('DELETE', `/api/mcp/${other.slug}/pins/${id}`)).toMatchObject({
        status: 404,
        body: { error: 'pin_not_found' },
      })
      expect((await list()).pins).toHaveLength(1)
      await remove(id)
    })
  })
})
