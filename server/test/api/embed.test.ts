import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { EMBED_LIMITS } from '@docent/contract/operations/embed'
import { takeFromWindow } from '#auth/rate-limit.ts'
import { deleteEndedEmbedSessions } from '#store/accounts/developers.ts'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { QUESTION } from '../support/service/configure-widget.ts'
import { portalOf } from '../support/service/developer-portal.ts'
import { type EmbedWorld, sourcesOf, startEmbedWorld } from '../support/service/embed-world.ts'

const PAGE = 'https://docs.example.com'

onSqliteAtLeast('widget', (engine) => {
  let site: EmbedWorld['site']
  let docent: EmbedWorld['docent']
  let owner: EmbedWorld['owner']
  let guide: EmbedWorld['guide']
  let secret: EmbedWorld['secret']
  let configure: EmbedWorld['configure']
  let mint: EmbedWorld['mint']
  beforeAll(async () => {
    ;({ site, docent, owner, guide, secret, configure, mint } = await startEmbedWorld(engine))
  })

  test('answers in a session with the citations first, and records the call', async () => {
    const { open, ask, configurationId } = await configure({ sources: sourcesOf(guide.serverId) })
    const opened = await open()
    expect(opened).toMatchObject({
      status: 200,
      body: { session: expect.stringMatching(/^des_/), attributed: false },
    })
    const { items, said, headers } = await ask(opened.body.session)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(items[0]).toEqual({ type: 'begin' })
    expect(items[1]).toMatchObject({ type: 'citation', n: 1, url: `${site.url}/otters/`, title: 'Otters' })
    const kinds = items.map(({ type }) => type)
    expect(kinds.lastIndexOf('citation')).toBeLessThan(kinds.indexOf('text'))
    expect(said).toContain('Seven otters share a raft. A raft of otters floats in the kelp. [1]')
    expect(items.at(-1)).toMatchObject({ type: 'end', outcome: 'answered', confidence: 'high' })

    const log = await docent.request('GET', `/api/analytics/${guide.serverId}/calls`)
    expect(log.body.calls[0]).toMatchObject({
      tool: 'ask_question',
      arguments: { question: QUESTION },
      client: { name: `widget ${configurationId}` },
      attribution: { configurationId, endUserId: null },
      status: 'ok',
    })
    await docent.callTool(guide.slug, 'ask_question', { question: QUESTION })
    const analytics = async (path: string) =>
      (await docent.request('GET', `/api/analytics/${guide.serverId}${path}`)).body
    const { total, groups } = await analytics('/series?by=configuration&range=7d')
    expect(total.calls).toBe(groups.reduce((sum: number, { calls }: { calls: number }) => sum + calls, 0))
    expect(groups).toContainEqual(
      expect.objectContaining({ name: configurationId, label: expect.any(String), calls: 1 }),
    )
    expect((await analytics(`/calls?configuration=${configurationId}`)).total).toBe(1)
    expect((await analytics('/series?range=7d')).total.calls).toBeGreaterThan(total.calls)
  })

  test('shows the tools of its configuration in their order', async () => {
    const tools = [
      { name: 'get_changelog', enabled: true },
      { name: 'search_docs', enabled: true, title: 'Find' },
      { name: 'ask_question', enabled: false },
      { name: 'get_code_examples', enabled: true },
    ]
    const colors = '{"primary":"#00665e"}'
    const settings = { tools: JSON.stringify(tools), sources: sourcesOf(guide.serverId), colors, layout: 'vertical' }
    const { open, ask, send, configurationId } = await configure(settings)
    const read = await send('GET', `/api/embed/configurations/${configurationId}`)
    expect([read.status, read.body]).toEqual([
      200,
      {
        layout: 'vertical',
        fontFamily: '',
        colors: { primary: '#00665e' },
        tools: [
          { name: 'search_docs', title: 'Find' },
          { name: 'get_code_examples', title: 'Code' },
        ],
      },
    ])
    const { session } = (await open()).body
    const found = await ask(session, 'otters')
    expect(found.said).toContain('**Otters** [1]\n\nSeven otters share a raft.')
    expect(found.items.at(-1)).toEqual({
      type: 'end',
      outcome: 'answered',
      confidence: null,
      followUps: [],
      call: expect.stringMatching(/^call_/),
    })
    const nothing = await ask(session, 'otters', { tool: 'get_code_examples' })
    expect(nothing.said).toBe('Nothing in the sources matches. Try other words.')
    expect(nothing.items.at(-1)).toMatchObject({ type: 'end', outcome: 'none' })
    expect(await ask(session, 'otters', { tool: 'ask_question' })).toMatchObject({
      status: 403,
      body: { error: 'embed_tool_not_enabled' },
    })
  })

  test('uses an attribution token once, for a session that private servers answer', async () => {
    const { open, ask } = await configure({ sources: sourcesOf(secret.serverId) })
    const attributionToken = await mint('user-42')
    const opened = await open({ attributionToken })
    expect(opened).toMatchObject({ status: 200, body: { attributed: true } })
    for (const wrong of [attributionToken, '', 'dav1_x', (await mint()).replace(/.$/, '=')]) {
      expect(await open({ attributionToken: wrong })).toMatchObject({
        status: 401,
        body: { error: 'attribution_token_invalid' },
      })
    }
    expect((await ask(opened.body.session, 'How many badgers share a sett?')).said).toContain('Nine badgers')
    const stored = await docent.inStore(({ read }) =>
      read
        .selectFrom('embedSessions')
        .select(['endUserId', 'attributionId'])
        .where('attributionId', 'is not', null)
        .execute(),
    )
    expect(stored).toEqual([{ endUserId: 'user-42', attributionId: attributionToken.slice(5, 27) }])
    const log = await docent.request('GET', `/api/analytics/${secret.serverId}/calls?endUser=user-42`)
    expect(log.body.calls).toMatchObject([{ attribution: { endUserId: 'user-42' } }])
    const others = await docent.request('GET', `/api/analytics/${secret.serverId}/calls?endUser=user-43`)
    expect(others.body.total).toBe(0)

    const anonymous = await open()
    const refused = await ask(anonymous.body.session)
    expect(refused).toMatchObject({ status: 403, body: { error: 'embed_token_missing' } })
  })

  test('does not use up a token of another developer, or one that arrives from a foreign page', async () => {
    const { clientSecret } = await portalOf(docent, 'other')
    const attributionToken = await mint()
    const other = await configure({}, { key: clientSecret })
    expect((await other.open({ attributionToken })).status).toBe(401)
    const own = await configure()
    expect((await own.open({ attributionToken }, 'https://evil.example')).status).toBe(403)
    expect((await own.open({ attributionToken })).status).toBe(200)
  })

  test('answers pages of its domain and of subdomains only', async () => {
    const { domain, open, ask, send, configurationId } = await configure({ sources: sourcesOf(guide.serverId) })
    const { session } = (await open()).body
    const read = (from: string | null) => send('GET', `/api/embed/configurations/${configurationId}`, undefined, from)
    for (const from of [`https://${domain}`, `http://${domain}:8080`, `https://a.b.${domain}`]) {
      const statuses = [await read(from), await open({}, from), await ask(session, QUESTION, {}, from)].map(
        ({ status }) => status,
      )
      expect([from, statuses]).toEqual([from, [200, 200, 200]])
    }
    const foreign = ['https://evil.example', `https://evil${domain}`, `https://${domain}.evil.example`, 'null', null]
    for (const from of foreign) {
      const answers = [await read(from), await open({}, from), await ask(session, QUESTION, {}, from)]
      expect([from, answers.map(({ status, body }) => `${status} ${body.error}`)]).toEqual([
        from,
        answers.map(() => '403 origin_not_allowed'),
      ])
      expect(answers.map(({ headers }) => headers.get('access-control-allow-origin'))).toEqual([null, null, null])
    }
    // Other refusals can be read by every page.
    const ended = await ask('des_none', QUESTION, {}, PAGE)
    expect([ended.status, ended.headers.get('access-control-allow-origin')]).toEqual([401, '*'])
    const anywhere = await configure({ domain: null, sources: sourcesOf(guide.serverId) })
    for (const from of [PAGE, 'null', null]) expect((await anywhere.open({}, from)).status).toBe(200)
  })

  test.each([
    [
      'localhost:3000',
      ['http://localhost:3000', 'https://localhost:3000'],
      ['http://localhost:3001', 'http://localhost'],
    ],
    [
      'localhost',
      ['http://localhost', 'http://localhost:5173', 'http://app.localhost:5173'],
      ['http://127.0.0.1:5173'],
    ],
    ['app.localhost:8080', ['http://app.localhost:8080'], ['http://localhost:8080', 'http://app.localhost:80']],
    ['localhost:80', ['http://localhost'], ['https://localhost', 'http://localhost:8080']],
    ['127.0.0.1:5173', ['http://127.0.0.1:5173'], ['http://127.0.0.1:5174', 'http://localhost:5173']],
    ['127.0.0.1', ['http://127.0.0.1', 'http://127.0.0.1:5174'], ['http://127.0.0.2']],
    ['[::1]:8080', ['http://[::1]:8080'], ['http://[::1]:8081', 'http://[::2]:8080']],
  ])('answers pages of %s, the machine of a developer', async (domain, own, foreign) => {
    const { open } = await configure({ domain, sources: sourcesOf(guide.serverId) })
    for (const from of own) expect([from, (await open({}, from)).status]).toEqual([from, 200])
    for (const from of foreign) expect([from, (await open({}, from)).status]).toEqual([from, 403])
  })

  test('answers preflight requests without credentials', async () => {
    const preflight = await fetch(`${docent.url}/api/embed/ask`, {
      method: 'OPTIONS',
      headers: {
        origin: PAGE,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')).toBe('content-type')
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull()
    const elsewhere = await fetch(`${docent.url}/api/configurations`, { method: 'OPTIONS', headers: { origin: PAGE } })
    expect([elsewhere.status, elsewhere.headers.get('access-control-allow-origin')]).toEqual([405, null])
  })

  test('ends an embed session with its configuration and after its lifetime', async () => {
    const { domain, open, ask } = await configure({ sources: sourcesOf(guide.serverId) })
    const { session } = (await open()).body
    const save = (isActive: boolean) =>
      docent.request('POST', '/api/configurations', { domain, isActive }, { key: owner.clientSecret })
    await save(false)
    const ended = { status: 401, body: { error: 'embed_session_ended' } }
    expect(await ask(session)).toMatchObject(ended)
    expect(await open()).toMatchObject({ status: 404, body: { error: 'Configuration not found' } })
    await save(true)
    expect((await ask(session)).status).toBe(200)
    for (const wrong of ['des_x', session.toUpperCase(), '']) expect(await ask(wrong)).toMatchObject(ended)
    await docent.inStore(({ write }) => write.updateTable('embedSessions').set({ expiresAt: 1 }).execute())
    expect(await ask(session)).toMatchObject(ended)
    await docent.inStore(({ write }) => deleteEndedEmbedSessions(write, 2))
    const left = await docent.inStore(({ read }) => read.selectFrom('embedSessions').select('hash').execute())
    expect(left).toEqual([])
  })

  test('joins the servers of its configuration, and leaves out what is disabled or not the account’s', async () => {
    const both = await configure({ sources: sourcesOf(guide.serverId, secret.serverId) })
    const open = await both.open({ attributionToken: await mint() })
    expect((await both.ask(open.body.session)).said).toContain('Seven otters')
    expect((await both.ask(open.body.session, 'How many badgers share a sett?')).said).toContain('Nine badgers')

    const { body } = await docent.request('GET', `/api/mcp/${guide.serverId}`)
    const off = JSON.stringify([{ type: 'docs', enabled: false, sourceId: body.sources[0].id }])
    const rest = await configure({ sources: off })
    const session = await rest.open({ attributionToken: await mint() })
    const answer = await rest.ask(session.body.session, 'otters badgers')
    expect(answer.text).toContain('/badgers/')
    expect(answer.text).not.toContain('/otters/')

    const { clientSecret } = await portalOf(docent, 'third')
    const foreign = { sources: sourcesOf(guide.serverId) }
    const refused = await docent.request('POST', '/api/configurations', foreign, { key: clientSecret })
    expect(refused.status).toBe(400)
    const nobody = await configure({}, { key: clientSecret })
    const empty = await nobody.open()
    expect((await nobody.ask(empty.body.session)).status).toBe(409)
  })

  test('obeys the retrieval rules of a server that answers alone', async () => {
    const { body: rule } = await docent.request('POST', '/api/retrieval-rules', {
      serverId: guide.serverId,
      naturalLanguage: 'Leave out the pages under /otters in every search.',
    })
    try {
      const alone = await configure({ sources: sourcesOf(guide.serverId) })
      const anonymous = await alone.open()
      expect((await alone.ask(anonymous.body.session)).said).not.toContain('Seven otters')
      const both = await configure({ sources: sourcesOf(guide.serverId, secret.serverId) })
      const attributed = await both.open({ attributionToken: await mint() })
      expect((await both.ask(attributed.body.session)).said).toContain('Seven otters')
    } finally {
      expect((await docent.request('DELETE', `/api/retrieval-rules/${rule.rule.id}`)).status).toBe(200)
    }
  })

  test('limits the questions of a visitor, who is the user of the attribution token', async () => {
    const { open, ask } = await configure({ sources: sourcesOf(guide.serverId) })
    const { session } = (await open()).body
    const { limit } = EMBED_LIMITS.questionsOfVisitor
    const statuses = await Promise.all(Array.from({ length: limit + 5 }, async () => (await ask(session)).status))
    expect(statuses.filter((status) => status === 200)).toHaveLength(limit)
    const refused = await ask(session)
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
    const attributed = await open({ attributionToken: await mint('someone') })
    expect((await ask(attributed.body.session)).status).toBe(200)
  })

  test('counts a visitor with a token by its user, and one without by the network address', async () => {
    const { open } = await configure()
    const { limit } = EMBED_LIMITS.sessionsOfVisitor
    const statusesOf = async (tokens: (string | undefined)[]) => {
      const answers = await Promise.all(tokens.map((attributionToken) => open({ attributionToken })))
      return answers.map(({ status }) => status).toSorted()
    }
    const users = await Promise.all(Array.from({ length: limit + 1 }, (_, n) => mint(`user ${n}`)))
    expect(new Set(await statusesOf(users))).toEqual(new Set([200]))
    const anonymous = Array<undefined>(limit + 1).fill(undefined)
    expect(await statusesOf(anonymous)).toEqual([...Array<number>(limit).fill(200), 429])
    // Forged tokens count by the address too.
    expect((await open({ attributionToken: 'dav1_x' })).status).toBe(429)
    const busy = await Promise.all(Array.from({ length: limit }, () => mint('busy')))
    expect(new Set(await statusesOf(busy))).toEqual(new Set([200]))
    const late = await mint('busy')
    expect((await open({ attributionToken: late })).status).toBe(429)
    // The refused token is not used up.
    await docent.inStore(({ write }) => write.deleteFrom('rateLimits').execute())
    expect((await open({ attributionToken: late })).status).toBe(200)
  })

  test('keeps the share of visitors with a token from anonymous ones, who can forge the page', async () => {
    const { configurationId, open, ask } = await configure({ sources: sourcesOf(guide.serverId) })
    const named = (await open({ attributionToken: await mint('named') })).body.session
    const { session } = (await open()).body
    const fill = (key: string) =>
      docent.inStore((store) =>
        takeFromWindow(store, {
          key: `embed questions:${configurationId}${key}`,
          ...EMBED_LIMITS.questionsOfConfiguration,
          count: EMBED_LIMITS.questionsOfConfiguration.limit,
          now: store.clock(),
        }),
      )
    await fill('')
    expect([(await ask(session)).status, (await ask(named)).status]).toEqual([429, 200])
    await docent.inStore(({ write }) => write.deleteFrom('rateLimits').execute())
    await fill(' with a token')
    expect([(await ask(session)).status, (await ask(named)).status]).toEqual([200, 429])
  })

  test('refuses an attribution token that is older than the client secret', async () => {
    const portal = await portalOf(docent, 'rotating')
    const { open } = await configure({}, { key: portal.clientSecret })
    const mintWith = async (key: string) =>
      (await docent.request('POST', '/api/attribution/token', { clientId: portal.clientId }, { key })).body.token
    const [used, old] = [await mintWith(portal.clientSecret), await mintWith(portal.clientSecret)]
    expect((await open({ attributionToken: used })).status).toBe(200)
    const { clientSecret } = (await portal.portal('PUT', '/api/credentials', { action: 'regenerate_secret' })).body
    expect((await open({ attributionToken: old })).status).toBe(401)
    expect((await open({ attributionToken: await mintWith(clientSecret) })).status).toBe(200)
  })

  describe('a trial of a configuration', () => {
    const attempt = (body: object, key = owner.clientSecret) => {
      const question = { tool: 'ask_question', question: 'What do otters eat?', ...body }
      return docent.request('POST', '/api/configurations/try', question, { key })
    }
    const counted = async () =>
      (await docent.request('GET', `/api/analytics/${guide.serverId}/summary`)).body.totalCalls

    test('answers from the chosen sources without a record', async () => {
      const before = await counted()
      const { status, text } = await attempt({ sources: sourcesOf(guide.serverId) })
      expect(status).toBe(200)
      const parts = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { type: string })
      expect(parts[0]).toEqual({ type: 'begin' })
      expect(parts.some(({ type }) => type === 'citation')).toBe(true)
      expect(parts.at(-1)).toMatchObject({ type: 'end', call: '' })
      expect(await counted()).toBe(before)
    })

    test('refuses strangers, broken settings, unknown tools, long questions and servers of others', async () => {
      expect((await attempt({}, 'dcs_nobody')).status).toBe(401)
      expect((await attempt({ sources: '[' })).status).toBe(400)
      expect((await attempt({ tool: 'delete_everything' })).status).toBe(400)
      expect((await attempt({ question: ' ' })).status).toBe(400)
      expect((await attempt({ question: 'a'.repeat(2_001) })).status).toBe(400)
      expect((await attempt({ question: 'a'.repeat(2_000) })).status).toBe(200)
      const refused = await attempt({ sources: sourcesOf('srv_of_somebody_else') })
      expect(refused).toMatchObject({ status: 409, body: { error: 'embed_without_sources' } })
    })
  })

  test('stops the work when the visitor leaves', async () => {
    const { open, origin } = await configure({ sources: sourcesOf(guide.serverId) })
    const { session } = (await open()).body
    const leaving = new AbortController()
    const response = await fetch(`${docent.url}/api/embed/ask`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify({ session, question: QUESTION }),
      signal: leaving.signal,
    })
    leaving.abort()
    await expect(response.text()).rejects.toThrow(/abort/i)
    await sleep(50)
    expect((await fetch(`${docent.url}/readyz`)).status).toBe(200)
  })
})
