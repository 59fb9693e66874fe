import { setTimeout as sleep } from 'node:timers/promises'
import { MAX_DAILY_QUESTIONS } from '@docent/contract/operations/webhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { disposeAll } from '../support/lib/keep-open.ts'
import { page, type Site, startSite } from '../support/sites/site.ts'
import { WEBHOOK_SERVICE, webhookWorld } from '../support/service/webhook-world.ts'

onSqliteAtLeast('event about a question', (engine) => {
  let docent: Docent
  let site: Site
  beforeAll(async () => {
    docent = await startDocent({ engine, ...WEBHOOK_SERVICE })
    site = await startSite({ '/': page('Home', 'Welcome to this place of sprockets.') })
  })
  afterAll(() => disposeAll(docent, site))

  test('sends one event for each wording of a question without a good answer', async () => {
    await using world = await webhookWorld(docent, ['question.unanswered'])
    const { serverId, slug } = await world.create(`${site.url}/`)
    while ((await world.ask('GET', `/api/mcp/${slug}/crawl-next`)).body.status === 'crawling') await sleep(20)
    const ask = (question: string) => docent.callTool(slug, 'ask_question', { question })
    await docent.callTool(slug, 'search_docs', { query: 'sprockets' })
    await ask('What is the capital of Mongolia?')
    await ask('what is the capital of mongolia?')
    await docent.callTool(slug, 'search_docs', { query: 'zeppelins' })
    await docent.callTool(slug, 'search_docs', { query: '' })
    const events = await world.receiver.until(2)
    const { body: log } = await world.ask('GET', `/api/analytics/${slug}/calls?outcome=none`)
    const callId = (query: string) => log.calls.find(({ arguments: sent }: any) => Object.values(sent)[0] === query).id
    const server = { serverId, slug, name: 'Hooked', at: expect.stringMatching(/Z$/), outcome: 'none' }
    const sent = events.map(({ body: { type, data } }) => ({ type, ...data }))
    expect(sent.toSorted((a, b) => (a.tool < b.tool ? -1 : 1))).toEqual([
      {
        type: 'question.unanswered',
        ...server,
        callId: callId('What is the capital of Mongolia?'),
        tool: 'ask_question',
        question: 'What is the capital of Mongolia?',
      },
      {
        type: 'question.unanswered',
        ...server,
        callId: callId('zeppelins'),
        tool: 'search_docs',
        question: 'zeppelins',
      },
    ])
    await sleep(1_500)
    expect(world.receiver.received.map(({ body }) => body.data.question)).toHaveLength(2)
  })

  test('announces at most fifty questions of a server a day, and none without a request log', async () => {
    const email = `curious-${engine}@example.test`
    await using world = await webhookWorld(docent, ['question.unanswered'], email)
    const { slug } = await world.create(`${site.url}/`)
    while ((await world.ask('GET', `/api/mcp/${slug}/crawl-next`)).body.status === 'crawling') await sleep(20)
    const deliveries = () =>
      docent.inStore(({ read }) =>
        read.selectFrom('webhookDeliveries').select('id').where('webhookId', '=', world.id).execute(),
      )
    await docent.inStore(({ write }) =>
      write.updateTable('accounts').set({ trialEndsAt: 1 }).where('email', '=', email).execute(),
    )
    await docent.callTool(slug, 'search_docs', { query: 'airship' })
    await sleep(1_200)
    expect(await deliveries()).toEqual([])
    await docent.inStore(({ write }) =>
      write.updateTable('accounts').set({ plan: 'core' }).where('email', '=', email).execute(),
    )
    await Promise.all(
      Array.from({ length: MAX_DAILY_QUESTIONS + 3 }, (_, n) =>
        docent.callTool(slug, 'search_docs', { query: `airship${n}x` }),
      ),
    )
    await expect.poll(async () => (await deliveries()).length).toBeGreaterThanOrEqual(MAX_DAILY_QUESTIONS)
    await sleep(1_500)
    expect(await deliveries()).toHaveLength(MAX_DAILY_QUESTIONS)
  })
})
