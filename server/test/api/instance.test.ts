import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createAccount } from '#auth/accounts.ts'
import { inspectBackup } from '#backup/read-backup.ts'
import { onBothEngines } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { insertFailedJob } from '../support/database/insert-failed-job.ts'
import { disposeAll } from '../support/lib/keep-open.ts'
import { page, type Site, startSite } from '../support/sites/site.ts'

const [FIRST, SECOND] = ['correct horse battery', 'another horse battery']
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' }

onBothEngines('the instance', (engine) => {
  let docent: Docent
  let site: Site
  let server: { serverId: string; slug: string; sourceId: string }
  const get = (path: string) => docent.request('GET', `/api/instance${path}`)
  const failJob = (more: { error?: string; at?: number } = {}) =>
    docent.inStore(({ write }) => insertFailedJob(write, { ...server, ...more }))

  beforeAll(async () => {
    site = await startSite({ '/': page('Sprockets', 'A sprocket drives a chain.') })
    docent = await startDocent({ engine })
    const made = await docent.request('POST', '/api/mcp/create', { name: 'Sprockets', sources: [{ url: site.url }] })
    const { slug, serverId } = made.body
    const { sources } = await docent.untilDone(slug)
    server = { slug, serverId, sourceId: sources[0].id }
  })
  afterAll(() => disposeAll(docent, site))

  test('refuses everybody but the operator, whatever is asked', async () => {
    const stranger = await docent.makeKey('stranger@example.test')
    const scoped = await docent.makeKey('owner@example.test', [server.serverId])
    for (const path of ['', '/jobs', '/accounts', '/backups']) {
      const answers = [null, stranger, scoped].map((key) =>
        docent.request('GET', `/api/instance${path}`, undefined, { key }),
      )
      const [none, other, part] = await Promise.all(answers)
      expect([none?.status, other?.body.error, part?.body.error]).toEqual([401, 'operator_only', 'key_scoped'])
    }
    const retry = await docent.request('POST', '/api/instance/jobs/1/retry', {}, { key: stranger })
    expect(retry.body.message).toBe('Only the operator of this instance can do this.')
  })

  test('reports the state of the database and the machine, and the amount of stored data', async () => {
    const { status, body } = await get('')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      database: { engine },
      storage: { servers: 1, sources: 1, pages: 1 },
      models: { language: null, embeddings: null, browser: false },
      settings: { signUps: false, defaultPlan: 'free', rateLimits: true },
    })
    expect(body.database.bytes).toBeGreaterThan(100_000)
    expect(body.database.version).toMatch(/^\d+\.\d+/)
    expect(body.storage.indexBytes).toBeGreaterThan(100)
    expect(body.disk.totalBytes).toBeGreaterThan(body.disk.freeBytes)
    expect(body.memory.usedBytes).toBeGreaterThan(20_000_000)
    expect(body.nodes).toMatchObject([{ role: 'all', isThis: true }])
  })

  test.runIf(engine === 'postgres')('lists every node, as long as it runs', async () => {
    const { place, key } = docent
    const roles = async () =>
      (await get('')).body.nodes.map(({ role, isThis }: { role: string; isThis: boolean }) => [role, isThis])
    await using stack = new AsyncDisposableStack()
    stack.use(
      await startDocent({ engine, place, key, environment: { DOCENT_ROLE: 'web', DATABASE_URL: databaseUrl(place) } }),
    )
    expect(await roles()).toEqual([
      ['all', true],
      ['web', false],
    ])
    await stack.disposeAsync()
    await vi.waitFor(async () => expect(await roles()).toEqual([['all', true]]))
  })

  test('lists failed jobs with server, account and error, and repeats one', async () => {
    const id = await failJob({ error: 'The site answered 503.' })
    const { body } = await get('/jobs')
    expect(body).toMatchObject({ total: 1, totalPages: 1 })
    expect(body.jobs[0]).toMatchObject({
      id: String(id),
      kind: 'ingest',
      attempts: 5,
      error: 'The site answered 503.',
      server: { serverId: server.serverId, name: 'Sprockets' },
      account: 'owner@example.test',
    })
    expect((await get('')).body.queue).toMatchObject({ failed: 1 })
    const retry = () => docent.request('POST', `/api/instance/jobs/${id}/retry`)
    expect((await retry()).body).toEqual({ ok: true })
    expect((await retry()).body).toEqual({ error: 'Failed job not found' })
    const after = await docent.untilDone(server.slug)
    expect(after.sources[0].crawlStatus).toBe('complete')
    expect((await get('/jobs')).body.total).toBe(0)
  })

  test('shows the last of several failures of one source, and none after a success', async () => {
    await failJob({ error: 'First.', at: 1 })
    await failJob({ error: 'Second.', at: 2 })
    const { body } = await get('/jobs?state=failed')
    expect(body.jobs.map(({ error }: { error: string }) => error)).toEqual(['Second.'])
    await docent.inStore(({ write }) => write.updateTable('sources').set({ crawlStatus: 'complete' }).execute())
    expect((await get('/jobs')).body.total).toBe(0)
  })

  test('dismisses a failed job with earlier failures of its source, and repeats nothing', async () => {
    await failJob({ error: 'First.', at: 1 })
    const id = await failJob({ error: 'Second.', at: 2 })
    const dismiss = () => docent.request('DELETE', `/api/instance/jobs/${id}`)
    expect((await dismiss()).body).toEqual({ ok: true })
    expect(await dismiss()).toMatchObject({ status: 404, body: { error: 'Failed job not found' } })
    expect(await docent.inStore(({ read }) => read.selectFrom('jobs').selectAll().execute())).toEqual([])
  })

  test('repeats all failed jobs at once, each source once', async () => {
    await failJob({ at: 3 })
    await failJob({ at: 4 })
    const { body } = await docent.request('POST', '/api/instance/jobs/retry')
    expect(body).toEqual({ ok: true, retried: 1 })
    await docent.untilDone(server.slug)
    expect(await docent.inStore(({ read }) => read.selectFrom('jobs').selectAll().execute())).toEqual([])
  })

  test('drops the failed job of a deleted server instead of indexing it', async () => {
    const made = await docent.request('POST', '/api/mcp/create', { name: 'Gone', sources: [{ url: site.url }] })
    const { sources } = await docent.untilDone(made.body.slug)
    const about = { serverId: made.body.serverId, sourceId: sources[0].id }
    const id = await docent.inStore(({ write }) => insertFailedJob(write, about))
    await docent.request('DELETE', `/api/mcp/${about.serverId}`)
    expect((await get('/jobs')).body.total).toBe(0)
    expect((await docent.request('POST', `/api/instance/jobs/${id}/retry`)).body).toEqual({ ok: true })
    const { jobs } = (await get('/jobs?state=queued')).body
    expect(jobs.map(({ kind }: { kind: string }) => kind)).toEqual(['purge'])
  })

  test('makes an account with a link for its owner, resets it, and switches it off and on', async () => {
    const visit = (path: string, body: object) =>
      docent.request('POST', path, body, { key: null, headers: { 'sec-fetch-site': 'same-origin' } })
    const tokenOf = ({ body }: { body: { link: string } }) => body.link.split('#')[1]
    const invited = await docent.request('POST', '/api/instance/accounts', { email: 'New@Example.test', plan: 'core' })
    expect(invited).toMatchObject({ status: 200, body: { email: 'new@example.test' } })
    const taken = await docent.request('POST', '/api/instance/accounts', { email: 'new@example.test' })
    expect(taken).toMatchObject({ status: 409, body: { error: 'email_taken' } })
    const [{ id }] = (await get('/accounts?email=new@')).body.accounts
    const reset = () => docent.request('POST', `/api/instance/accounts/${id}/reset`)
    // The account has no owner yet, so that this makes another link for one.
    const token = tokenOf(await reset())
    expect((await visit('/api/invitations/accept', { token: tokenOf(invited), password: FIRST })).status).toBe(404)
    const joined = await visit('/api/invitations/accept', { token, password: FIRST })
    expect(joined.body.account).toMatchObject({ role: 'owner', plan: 'core', isOperator: false })
    const cookie = String(joined.headers.get('set-cookie')).split(';')[0] ?? ''
    const as = (path: string) => docent.request('GET', path, undefined, { key: null, headers: { cookie } })
    expect((await as('/api/keys')).status).toBe(200)

    const again = tokenOf(await reset())
    expect((await as('/api/keys')).status).toBe(401)
    expect((await visit('/api/sessions', { email: 'new@example.test', password: FIRST })).status).toBe(401)
    expect((await visit('/api/invitations/accept', { token: again, password: 'short' })).status).toBe(400)
    expect((await visit('/api/invitations/accept', { token: again, password: SECOND })).status).toBe(200)
    expect((await visit('/api/invitations/accept', { token: again, password: FIRST })).status).toBe(404)
    expect((await visit('/api/sessions', { email: 'new@example.test', password: SECOND })).status).toBe(200)

    const key = await docent.makeKey('new@example.test')
    const made = await docent.request('POST', '/api/mcp/create', { name: 'New', sources: [{ url: site.url }] }, { key })
    const endpoint = async () =>
      (await docent.request('POST', `/api/mcp/${made.body.slug}`, PING, { key: null })).status
    const turn = (disabled: boolean, account = id) =>
      docent.request('PUT', `/api/instance/accounts/${account}/disabled`, { disabled })
    const statuses = async () => [
      (await docent.request('GET', '/api/keys', undefined, { key })).status,
      (await visit('/api/sessions', { email: 'new@example.test', password: SECOND })).status,
      await endpoint(),
    ]
    expect(await statuses()).toEqual([200, 200, 200])
    expect((await turn(true)).body.disabledAt).toEqual(expect.any(String))
    expect(await statuses()).toEqual([401, 403, 404])
    expect((await turn(false)).body.disabledAt).toBeNull()
    expect(await statuses()).toEqual([200, 200, 200])
    const [owner] = (await get('/accounts?email=owner')).body.accounts
    expect((await turn(true, owner.id)).body.error).toBe('account_is_operator')
  })

  test.runIf(engine === 'postgres')('refuses the keys of an account that another node switched off', async () => {
    const key = await docent.makeKey('elsewhere@example.test')
    await using other = await startDocent({ engine, place: docent.place, key })
    expect((await other.request('GET', '/api/keys')).status).toBe(200)
    const [{ id }] = (await get('/accounts?email=elsewhere')).body.accounts
    await docent.request('PUT', `/api/instance/accounts/${id}/disabled`, { disabled: true })
    expect((await other.request('GET', '/api/keys')).status).toBe(401)
  })

  test('finds accounts by a part of their address, 20 on a page', async () => {
    await docent.inStore(async (store) => {
      for (let at = 1; at <= 20; at++)
        await createAccount(store, { email: `Reader_${at}@example.org`, password: null, plan: 'free' })
    })
    const first = (await get('/accounts?email=READER_')).body
    expect([first.accounts.length, first.total, first.totalPages]).toEqual([20, 20, 1])
    await docent.inStore((store) =>
      createAccount(store, { email: 'reader_21@example.org', password: null, plan: 'free' }),
    )
    const second = (await get('/accounts?email=reader_&page=2')).body
    expect([second.accounts.length, second.total, second.totalPages]).toEqual([1, 21, 2])
    expect((await get('/accounts?email=%25')).body.total).toBe(0)
    const [owner] = (await get('/accounts?email=owner')).body.accounts
    expect(owner).toMatchObject({ plan: 'unlimited', isOperator: true, servers: 1, trialEndsAt: null })
  })

  test('moves an account to another plan, with effect on its next request', async () => {
    const key = await docent.makeKey('mover@example.test')
    const [{ id }] = (await get('/accounts?email=mover')).body.accounts
    const change = (accountId: string, plan: string) =>
      docent.request('PUT', `/api/instance/accounts/${accountId}/plan`, { plan })
    expect((await change(id, 'core')).body).toMatchObject({ id, plan: 'core' })
    const { body } = await docent.request('GET', '/api/account/entitlements', undefined, { key })
    expect([body.plan, body.limits.servers]).toEqual(['core', 20])
    expect((await change(id, 'golden')).body.message).toContain('plan must be one of free, core, unlimited')
    expect((await change('acc_none', 'core')).body).toEqual({ error: 'Account not found' })
  })

  test('writes one backup at a time, and lists it when it is complete', async () => {
    const begin = () => docent.request('POST', '/api/instance/backups')
    const begun = await begin()
    expect(begun.body).toMatchObject({ isComplete: false })
    expect((await begin()).body.error).toBe('backup_running')
    await vi.waitFor(async () => expect((await get('/backups')).body.backups[0].isComplete).toBe(true), 20_000)
    const { folder, backups, lastError } = (await get('/backups')).body
    expect([backups.length, backups[0].name, lastError]).toEqual([1, begun.body.name, null])
    const { manifest, problem } = await inspectBackup(join(folder, begun.body.name))
    expect(problem).toBeNull()
    expect(manifest?.tables.find(({ name }) => name === 'accounts')?.rows).toBeGreaterThan(20)
    expect(backups[0].bytes).toBeGreaterThan(1_000)
  })

  test('reports why a backup failed', async () => {
    mkdirSync(docent.place.dataDir, { recursive: true })
    const file = join(docent.place.dataDir, 'not-a-folder')
    writeFileSync(file, '')
    await using other = await startDocent({ engine, environment: { DOCENT_BACKUP_DIR: join(file, 'backups') } })
    await other.request('POST', '/api/instance/backups')
    await vi.waitFor(async () => {
      const { body } = await other.request('GET', '/api/instance/backups')
      expect(body.lastError).toMatch(/^The backup could not be written: .*ENOTDIR/)
    }, 20_000)
  })
})

const databaseUrl = ({ database }: Docent['place']): string => (database.engine === 'postgres' ? database.url : '')
