import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createAccount } from '#auth/accounts.ts'
import { openStore } from '#store/engine/open.ts'
import { makePlace, onSqliteAtLeast } from '../support/database/engines.ts'
import { GITHUB_TOKEN, startGithubApi } from '../support/sites/github-api.ts'
import { startRemoteMcp } from '../support/sites/remote-mcp.ts'
import { makeOwner, spawnService } from '../support/service/service-process.ts'

const PASSWORD = 'canary-password-0123'

onSqliteAtLeast('secrets', (engine) => {
  test('leaks no secret into an answer, log, table or file, whatever fails', async () => {
    await using place = await makePlace(engine)
    await using github = await startGithubApi()
    // Its refusals echo the request.
    await using remote = await startRemoteMcp()
    remote.lock = { header: 'x-api-key', value: 'canary-right-0123' }
    const key = await makeOwner(place)
    await using store = await openStore({ database: place.database, onError: () => {} })
    await createAccount(store, { email: 'ada@example.test', password: PASSWORD, plan: 'free' })
    await using service = await spawnService({
      DOCENT_LOG_LEVEL: 'trace',
      DOCENT_DATA_DIR: place.dataDir,
      DOCENT_ALLOW_NETWORKS: '127.0.0.0/8',
      DOCENT_GITHUB_API_URL: github.url,
      DOCENT_GITHUB_CLIENT_ID: 'Iv1.0123456789abcdef',
      DOCENT_GITHUB_CLIENT_SECRET: 'canary-client-secret',
      DOCENT_SECRET_KEY: 'canary-key-of-32-characters-or-more',
      ...(place.database.engine === 'postgres' ? { DATABASE_URL: place.database.url } : {}),
    })
    const answers: string[] = []
    const issued: string[] = [key]
    const ask = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
      const authorized = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers }
      const init = { method, headers: authorized, ...(body ? { body: JSON.stringify(body) } : {}) }
      const answer = await fetch(service.url + path, init)
      const text = await answer.text()
      answers.push(text)
      issued.push(...(text.match(/d(?:k_live|at|ss)_[0-9A-Za-z]{36}/g) ?? []))
      issued.push(...(answer.headers.get('set-cookie')?.match(/dss_[0-9A-Za-z]{36}/g) ?? []))
      return { status: answer.status, body: JSON.parse(text) as { slug: string; id: string } }
    }

    const source = (auth: object) => ({ url: remote.url, type: 'mcp', auth })
    const { body: server } = await ask('POST', '/api/mcp/create', {
      name: 'A',
      // The second has its secret in the address.
      sources: [
        source({ secret: 'canary-wrong-0123' }),
        { url: `${remote.url}?api_key=canary-query-0123`, type: 'mcp' },
      ],
    })
    const path = `/api/mcp/${server.slug}`
    const { body: second } = await ask('POST', `${path}/sources`, {
      ...source({ headerName: 'X-API-Key', secret: 'canary-other-0123' }),
      url: `${remote.url}?second`,
    })
    const rotate = (secret: string) =>
      ask('PATCH', `${path}/sources`, { sourceId: second.id, headerName: 'X-API-Key', secret })
    expect((await rotate('canary-refused-0123')).status).toBe(422)
    expect((await rotate('canary-right-0123')).status).toBe(200)
    expect((await rotate('canary\nbroken')).status).toBe(400)
    const link = (token: string) => ask('PUT', '/api/linked-accounts/github.com', { token })
    expect((await link('ghp_canary-refused')).status).toBe(422)
    expect((await link(GITHUB_TOKEN)).status).toBe(200)
    await ask('POST', '/api/linked-accounts/127.0.0.1:1/authorization')
    const signIn = (password: string) => ask('POST', '/api/sessions', { email: 'ada@example.test', password })
    expect((await signIn('canary-wrong-password')).status).toBe(401)
    expect((await signIn(PASSWORD)).status).toBe(200)
    await ask('GET', path, undefined, { authorization: 'Bearer dk_live_canary' })
    await ask('POST', path, { jsonrpc: '2.0', id: 1, method: 'ping' }, { authorization: 'Bearer dat_canary' })
    await ask('POST', '/api/keys', { name: 'One more' }, { 'idempotency-key': 'once' })
    await expect.poll(() => service.logged().split('a source could not be read')).toHaveLength(4)
    await ask('GET', path)
    await service.end('SIGTERM')

    const dump: string[] = []
    for (const { name } of await store.read.introspection.getTables()) {
      const { rows } = await sql<object>`select * from ${sql.table(name)}`.execute(store.read)
      dump.push(JSON.stringify(rows, (_, value: unknown) => (value instanceof Uint8Array ? '' : value)))
    }
    const files = readdirSync(place.dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== 'secret.key')
      .map((entry) => readFileSync(join(entry.parentPath, entry.name)))
    expect([answers.length, issued.length, dump.length]).toEqual([14, 4, expect.any(Number)])
    const places = { answers: answers.join('\n'), log: service.logged(), tables: dump.join('\n') }
    expect(places.tables).toContain('"sealed"')
    for (const [where, text] of Object.entries(places)) {
      // Includes the surrounding text, so that a failure shows its source.
      expect([where, /.{0,200}canary.{0,50}/.exec(text)?.[0]]).toEqual([where, undefined])
      if (where === 'answers') continue
      expect([where, issued.filter((secret) => text.includes(secret))]).toEqual([where, []])
    }
    expect(files.filter((bytes) => bytes.includes('canary') || issued.some((one) => bytes.includes(one)))).toEqual([])
  })
})
