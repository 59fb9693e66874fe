import { beforeAll, expect, test } from 'vitest'
import { pruneCalls } from '#analytics/settle-calls.ts'
import { EMBED_LIMITS } from '@docent/contract/operations/embed'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { type EmbedWorld, sourcesOf, startEmbedWorld } from '../support/service/embed-world.ts'

onSqliteAtLeast('feedback on an answer of a widget', (engine) => {
  let docent: EmbedWorld['docent']
  let guide: EmbedWorld['guide']
  let configure: EmbedWorld['configure']
  let mint: EmbedWorld['mint']
  beforeAll(async () => {
    ;({ docent, guide, configure, mint } = await startEmbedWorld(engine))
  })

  const CALLS = () => docent.request('GET', `/api/analytics/${guide.serverId}/calls`)
  const answered = async ({ open, ask, ...widget }: Awaited<ReturnType<EmbedWorld['configure']>>) => {
    const { session } = (await open()).body
    const { call } = (await ask(session)).items.at(-1)
    const rate = (more: object = {}, from?: string | null) =>
      widget.send('POST', '/api/embed/feedback', { session, call, helpful: true, ...more }, from)
    const shown = async () => (await CALLS()).body.calls.find(({ id }: { id: string }) => id === call)
    return { rate, shown, call }
  }

  test('shows the last feedback with its call in the request log', async () => {
    const { rate, shown } = await answered(await configure({ sources: sourcesOf(guide.serverId) }))
    expect(await shown()).not.toHaveProperty('feedback')
    expect(await rate()).toMatchObject({ status: 200, body: { ok: true } })
    expect(await shown()).toMatchObject({ feedback: 'helpful' })
    await rate({ helpful: false })
    expect(await shown()).toMatchObject({ feedback: 'not_helpful' })
  })

  test('filters the request log and its export by feedback', async () => {
    const [first, second] = [
      await answered(await configure({ sources: sourcesOf(guide.serverId) })),
      await answered(await configure({ sources: sourcesOf(guide.serverId) })),
    ]
    await first.rate()
    await second.rate({ helpful: false })
    for (const [feedback, found, other] of [
      ['helpful', first.call, second.call],
      ['not_helpful', second.call, first.call],
    ] as const) {
      const path = `/api/analytics/${guide.serverId}/calls`
      const log = (await docent.request('GET', `${path}?feedback=${feedback}`)).body
      const ids = log.calls.map(({ id }: { id: string }) => id)
      expect([ids.includes(found), ids.includes(other), log.total]).toEqual([true, false, ids.length])
      const rows = (await docent.request('GET', `${path}/export?feedback=${feedback}`)).body
      expect(rows.map(({ id }: { id: string }) => id)).toEqual(ids)
      expect(rows[0]).toMatchObject({ feedback })
    }
    expect((await docent.request('GET', `/api/analytics/${guide.serverId}/calls?feedback=good`)).status).toBe(400)
    // Their question is among those without a good answer because of the second visitor only.
    const unanswered = () => docent.request('GET', `/api/analytics/${guide.serverId}/unanswered`)
    const before = (await unanswered()).body.groups
    expect(before).toMatchObject([{ notHelpful: expect.any(Number), reports: 0 }])
    await second.rate({ helpful: true })
    expect((await unanswered()).body.groups).not.toEqual(before)
  })

  test('counts the last feedback on each call of a widget', async () => {
    const { configurationId, ...widget } = await configure({ sources: sourcesOf(guide.serverId) })
    const [first, second] = [
      await answered({ configurationId, ...widget }),
      await answered({ configurationId, ...widget }),
    ]
    await answered({ configurationId, ...widget })
    await first.rate()
    await first.rate({ helpful: false })
    await second.rate()
    const path = `/api/analytics/${guide.serverId}/quality?configuration=${configurationId}`
    const counted = async (filter = '') => (await docent.request('GET', path + filter)).body.feedback
    expect(await counted()).toEqual({ helpful: 1, notHelpful: 1 })
    expect(await counted('&tool=ask_question&status=ok&range=7d')).toEqual({ helpful: 1, notHelpful: 1 })
    expect(await counted('&status=error')).toEqual({ helpful: 0, notHelpful: 0 })
  })

  test('refuses feedback for another page, another session and another form of id', async () => {
    const { rate, shown } = await answered(await configure({ sources: sourcesOf(guide.serverId) }))
    expect((await rate({}, 'https://elsewhere.example')).status).toBe(403)
    expect((await rate({ session: `des_${'a'.repeat(44)}` })).status).toBe(401)
    for (const call of ['', 'call_x', 'call_' + 'a'.repeat(41), 1]) expect((await rate({ call })).status).toBe(400)
    expect((await rate({ helpful: 'yes' })).status).toBe(400)
    expect(await shown()).not.toHaveProperty('feedback')
  })

  test('ignores feedback that comes through another configuration than the call', async () => {
    const own = await answered(await configure({ sources: sourcesOf(guide.serverId) }))
    const other = await answered(await configure({ sources: sourcesOf(guide.serverId) }))
    await other.rate({ call: own.call })
    expect(await own.shown()).not.toHaveProperty('feedback')
    await own.rate({ helpful: false })
    expect(await other.shown()).not.toHaveProperty('feedback')
  })

  test('limits the feedback of a visitor, without a limit for others', async () => {
    const widget = await configure({ sources: sourcesOf(guide.serverId) })
    const { rate } = await answered(widget)
    const { limit } = EMBED_LIMITS.feedbackOfVisitor
    for (let at = 0; at < limit; at++) expect((await rate()).status).toBe(200)
    const refused = await rate()
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
    const { session } = (await widget.open({ attributionToken: await mint('another') })).body
    expect((await rate({ session })).status).toBe(200)
  })

  test('deletes feedback after an hour if its call is not in the log', async () => {
    const { rate } = await answered(await configure({ sources: sourcesOf(guide.serverId) }))
    await rate()
    await rate({ call: `call_${'z'.repeat(29)}` })
    const kept = (now: number) =>
      docent.inStore(async (store) => {
        await pruneCalls(store, now)
        const rows = await store.read.selectFrom('callFeedback').select('callId').execute()
        return rows.filter(({ callId }) => callId.startsWith('call_zzz')).length
      })
    expect(await kept(Date.now())).toBe(1)
    expect(await kept(Date.now() + 61 * 60 * 1000)).toBe(0)
  })
})
