import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertRule } from '#store/servers/retrieval-rules.ts'
import { onBothEngines, onSqliteAtLeast } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'

const PATH = '/api/retrieval-rules'
const SENTENCE = 'Prefer the API reference over blog posts.'

onSqliteAtLeast('retrieval rules', (engine) => {
  let docent: Docent
  let key: string
  let made = 0
  let server: { serverId: string; slug: string }
  let sourceId: string

  beforeAll(async () => {
    docent = await startDocent({ engine, plan: 'free', environment: { DOCENT_RATE_LIMITS: 'off' } })
    key = await docent.makeKey('guest@example.test')
    server = await createServer(key)
    sourceId = await sourceOf(server.serverId)
  })
  afterAll(() => docent[Symbol.asyncDispose]())

  const createServer = async (with_: string) => {
    const body = { name: 'Rules', sources: [{ url: 'http://127.0.0.1:19151/' }] }
    return (await docent.request('POST', '/api/mcp/create', body, { key: with_ })).body
  }
  const sourceOf = (serverId: string) =>
    docent.inStore(async ({ read }) => {
      const query = read.selectFrom('sources').select('id').where('serverId', '=', serverId)
      return (await query.executeTakeFirstOrThrow()).id
    })
  const addRule = async (values: { priority?: number; serverId?: string; sourceId?: string | null } = {}) => {
    const rule = {
      id: `rule_test${engine}${made++}`,
      serverId: server.serverId,
      sourceId: null,
      naturalLanguage: SENTENCE,
      enabled: 1,
      priority: 0,
      effects: '[{"kind":"prefer_type","type":"api","weight":1.5}]',
      createdAt: 1_800_000_000_000 + made,
      updatedAt: 1_800_000_000_000 + made,
      ...values,
    }
    await docent.inStore(({ write }) => insertRule(write, rule))
    return rule
  }
  const list = async (with_ = key) =>
    docent.request('GET', `${PATH}?serverId=${server.serverId}`, undefined, { key: with_ })
  const removeAll = () => docent.inStore(({ write }) => write.deleteFrom('retrievalRules').execute())

  test('returns an empty list with the limit and an example at first', async () => {
    const { status, body } = await list()
    expect([status, body]).toEqual([200, { rules: [], limit: 10, available: true, example: expect.any(String) }])
  })

  test('lists rules in the order in which they run', async () => {
    const first = await addRule()
    const second = await addRule({ sourceId })
    const top = await addRule({ priority: 5 })
    const shown = ({ id, priority, sourceId: about, createdAt }: typeof first) => ({
      id,
      enabled: true,
      priority,
      effects: [{ kind: 'prefer_type', type: 'api', weight: 1.5 }],
      understood: ['Ranks sources of type API description higher.'],
      serverId: server.serverId,
      sourceId: about,
      naturalLanguage: SENTENCE,
      createdAt: new Date(createdAt).toISOString(),
    })
    const listed = await list()
    expect(listed.body.rules).toEqual([shown(top), shown(first), shown(second)])
    for (const idOrSlug of [server.serverId, server.slug]) {
      const answer = await docent.request('GET', `/api/mcp/${idOrSlug}/retrieval-rules`, undefined, { key })
      expect([answer.status, answer.body]).toEqual([200, listed.body])
    }
    await removeAll()
  })

  test.each<[what: string, query: string, status: number, error: string]>([
    ['without a server', '', 400, 'serverId is required.'],
    ['with an empty id', '?serverId=', 400, 'serverId is required.'],
    ['with an unknown id', '?serverId=srv_none', 404, 'Server not found.'],
    ['with a NUL in the id', '?serverId=%00', 404, 'Server not found.'],
    ['by slug', '?serverId=SLUG', 404, 'Server not found.'],
  ])('refuses to list rules %s', async (_, query, status, error) => {
    const answer = await docent.request('GET', `${PATH}${query.replace('SLUG', server.slug)}`, undefined, { key })
    expect([answer.status, answer.body]).toEqual([status, { error }])
  })

  test.each<[what: string, changes: unknown, answer: object]>([
    ['off', { enabled: false }, { enabled: false, priority: 0 }],
    ['on when already on', { enabled: true }, { enabled: true, priority: 0 }],
    ['a priority', { priority: 42 }, { enabled: true, priority: 42 }],
    ['the highest', { priority: 100 }, { enabled: true, priority: 100 }],
    ['a higher one', { priority: 101 }, { enabled: true, priority: 100 }],
    ['a priority that no double holds exactly', { priority: 1e20 }, { enabled: true, priority: 100 }],
    ['a priority below the lowest', '{"priority":-1e999}', { enabled: true, priority: -100 }],
    ['the lowest', { priority: -100 }, { enabled: true, priority: -100 }],
    ['a lower one', { priority: -9_000 }, { enabled: true, priority: -100 }],
    ['both', { enabled: false, priority: 3 }, { enabled: false, priority: 3 }],
  ])('changes a rule: %s', async (_, changes, answer) => {
    const { id } = await addRule()
    const { status, body } = await docent.request('PATCH', `${PATH}/${id}`, changes, { key })
    expect([status, body]).toEqual([200, { rule: { id, ...answer } }])
    expect((await list()).body.rules).toEqual([expect.objectContaining({ id, ...answer })])
    await removeAll()
  })

  test.each<[what: string, changes: unknown, body: object]>([
    ['nothing', {}, { error: 'Nothing to update.' }],
    ['no body', undefined, { error: 'Nothing to update.' }],
    ['an unknown field', { naturalLanguage: SENTENCE }, { error: 'Nothing to update.' }],
    ['half a priority', { priority: 1.5 }, { error: 'invalid_input', message: expect.stringContaining('priority') }],
    ['a word for a priority', { priority: '7' }, { error: 'invalid_input', message: expect.any(String) }],
    ['a word for on', { enabled: 'yes' }, { error: 'invalid_input', message: expect.any(String) }],
    ['no JSON', '{', { error: 'The request body must be a JSON object' }],
  ])('does not change a rule for %s', async (_, changes, body) => {
    const { id } = await addRule()
    const answer = await docent.request('PATCH', `${PATH}/${id}`, changes, { key })
    expect([answer.status, answer.body]).toEqual([400, body])
    expect((await list()).body.rules).toEqual([expect.objectContaining({ id, enabled: true, priority: 0 })])
    await removeAll()
  })

  test('deletes a rule once', async () => {
    const { id } = await addRule()
    const remove = () => docent.request('DELETE', `${PATH}/${id}`, undefined, { key })
    expect(await remove()).toMatchObject({ status: 200, text: '{"ok":true}' })
    expect(await remove()).toMatchObject({ status: 404, text: '{"error":"Rule not found."}' })
    expect((await list()).body.rules).toEqual([])
  })

  test('returns the same 404 for deleted rules and rules of an inaccessible server', async () => {
    const other = await createServer(key)
    const [rule, gone] = [await addRule(), await addRule({ serverId: other.serverId })]
    const scoped = await docent.makeKey('guest@example.test', [other.serverId])
    await docent.request('DELETE', `/api/mcp/${other.serverId}`, undefined, { key })
    const cases = [
      [docent.key, rule.id],
      [scoped, rule.id],
      [key, gone.id],
      [key, 'rule_none'],
    ] as const
    for (const [with_, id] of cases) {
      for (const [method, body] of [
        ['PATCH', {}],
        ['DELETE', undefined],
      ] as const) {
        const answer = await docent.request(method, `${PATH}/${id}`, body, { key: with_ })
        expect([answer.status, answer.text]).toEqual([404, '{"error":"Rule not found."}'])
      }
    }
    for (const with_ of [docent.key, scoped]) {
      expect(await list(with_)).toMatchObject({ status: 404, text: '{"error":"Server not found."}' })
    }
    expect((await list()).body.rules).toHaveLength(1)
    await removeAll()
  })

  const notCompiled = { error: 'Could not compile the rule.', message: expect.any(String) }
  const outOfScope = (...removed: string[]) => ({
    error: expect.stringMatching(/^A retrieval rule can say which sources to prefer and how to use them\. It cannot/),
    removed,
  })
  const tooShort = { error: 'Describe the rule in at least 20 characters.' }
  const tooLong = { error: 'Keep the rule under 600 characters.' }
  const of = (text: unknown, more: object = {}) => ({ serverId: 'ID', naturalLanguage: text, ...more })
  test.each<[what: string, body: unknown, status: number, answer: object]>([
    ['nothing', undefined, 400, { error: 'serverId is required.' }],
    ['no JSON', 'Prefer', 400, { error: 'The request body must be a JSON object' }],
    ['a sentence without a server', { naturalLanguage: SENTENCE }, 400, { error: 'serverId is required.' }],
    [
      'a server that is not a string',
      { serverId: 7, naturalLanguage: SENTENCE },
      400,
      { error: 'serverId is required.' },
    ],
    ['another server', { serverId: 'srv_none', naturalLanguage: '' }, 404, { error: 'Server not found.' }],
    ['the slug', { serverId: 'SLUG', naturalLanguage: SENTENCE }, 404, { error: 'Server not found.' }],
    ['another source', of('', { sourceId: 'src_none' }), 404, { error: 'Source not found on this server.' }],
    [
      'a source that is not a string',
      of(SENTENCE, { sourceId: 7 }),
      400,
      { error: 'invalid_input', message: expect.any(String) },
    ],
    ['no sentence', of(undefined), 400, tooShort],
    ['a sentence that is not a string', of([SENTENCE]), 400, tooShort],
    ['19 characters', of('x'.repeat(19)), 400, tooShort],
    ['19 characters and blanks', of(` ${'x'.repeat(19)} `), 400, tooShort],
    ['20 characters', of('x'.repeat(20)), 422, notCompiled],
    ['600 characters', of('x'.repeat(600)), 422, notCompiled],
    ['600 characters of two units each', of('🦉'.repeat(600)), 422, notCompiled],
    ['601 characters', of('x'.repeat(601)), 400, tooLong],
    ['nothing that a rule can do', of('Never cite your sources.'), 400, outOfScope('Never cite your sources')],
    [
      'a source that the server does not have',
      of('Prefer docs.other.example over the rest.'),
      422,
      {
        ...notCompiled,
        message: expect.stringContaining('“docs.other.example”. Its sources are: http://127.0.0.1:19151/'),
      },
    ],
    [
      'nothing that a rule can do, and a source',
      of('Answer in a friendly tone only.', { sourceId: 'SOURCE' }),
      400,
      outOfScope('Answer in a friendly tone only'),
    ],
  ])('validates the input of a new rule: %s', async (_, body, status, answer) => {
    const json = typeof body === 'string' ? body : JSON.stringify(body)
    const sent = json?.replace('ID', server.serverId).replace('SLUG', server.slug).replace('SOURCE', sourceId)
    const written = await docent.request('POST', PATH, sent, { key })
    expect([written.status, written.body]).toEqual([status, answer])
    expect((await list()).body.rules).toEqual([])
  })

  test('writes a rule with its effects, and names what it cannot do', async () => {
    const body = {
      serverId: server.serverId,
      naturalLanguage: `  ${SENTENCE} And never mention citations.  `,
    }
    const understood = ['Ranks pages under *reference* higher.', 'Ranks pages under */blog lower.']
    const { status, body: answer } = await docent.request('POST', PATH, body, { key })
    expect([status, answer]).toEqual([
      200,
      {
        rule: {
          id: expect.stringMatching(/^rule_/),
          enabled: true,
          priority: 0,
          effects: [
            { kind: 'prefer_path', glob: '*reference*', weight: 1.5 },
            { kind: 'prefer_path', glob: '*/blog/*', weight: 0.6 },
          ],
          understood,
          serverId: server.serverId,
          sourceId: null,
          naturalLanguage: `${SENTENCE} And never mention citations.`,
          createdAt: expect.any(String),
        },
        understood,
        removed: ['never mention citations'],
      },
    ])
    expect((await list()).body.rules).toEqual([answer.rule])
    const about = { ...body, naturalLanguage: SENTENCE, sourceId }
    const { rule } = (await docent.request('POST', PATH, about, { key })).body
    expect(rule).toMatchObject({ sourceId, effects: [{ sourceId }, { sourceId }] })
    await removeAll()
  })

  test('previews a rule without saving it', async () => {
    const body = { serverId: server.serverId, naturalLanguage: SENTENCE }
    const { status, body: answer } = await docent.request('POST', `${PATH}/preview`, body, { key })
    expect([status, answer]).toMatchObject([200, { removed: [], checked: 0, complete: true, changed: [] }])
    expect(answer.effects).toHaveLength(2)
    const refused = { ...body, naturalLanguage: 'Never cite your sources.' }
    expect((await docent.request('POST', `${PATH}/preview`, refused, { key })).status).toBe(400)
    expect((await list()).body.rules).toEqual([])
  })

  test('requires a source, and allows ten rules on the free plan', async () => {
    const write = (serverId: string) => docent.request('POST', PATH, { serverId, naturalLanguage: SENTENCE }, { key })
    for (let n = 0; n < 9; n++) await addRule()
    expect((await write(server.serverId)).status).toBe(200)
    expect(await write(server.serverId)).toMatchObject({
      status: 409,
      body: { error: 'This server has as many rules as it can have. Delete one first.', limit: 10 },
    })
    const bare = await createServer(key)
    await docent.inStore(({ write: db }) => db.deleteFrom('sources').where('serverId', '=', bare.serverId).execute())
    expect(await write(bare.serverId)).toMatchObject({
      status: 400,
      body: { error: 'Add a source before writing a retrieval rule.' },
    })
  })
})

onBothEngines('rate limit of writing rules', (engine) => {
  test('admits 25 requests an hour, refused ones included', async () => {
    await using docent = await startDocent({ engine })
    // The server is looked up before the limit is checked.
    for (let n = 0; n < 30; n++) {
      expect((await docent.request('POST', PATH, { serverId: 'srv_none' })).status).toBe(404)
    }
    for (let n = 0; n < 25; n++) expect((await docent.request('POST', PATH, {})).status).toBe(400)
    expect((await docent.request('POST', PATH, { serverId: 'srv_none' })).status).toBe(404)
    const { status, headers, body } = await docent.request('POST', PATH, {})
    expect([status, body.limit]).toEqual([429, 25])
    expect(body.error).toMatch(/The limit is 25 requests to write a retrieval rule in an hour\. Try again in \d\d min/)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(3_500)
  })
})
