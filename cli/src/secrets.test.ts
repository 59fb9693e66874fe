import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { GITHUB_TOKEN, startGithubApi } from '../../server/test/support/sites/github-api.ts'
import { startRemoteMcp } from '../../server/test/support/sites/remote-mcp.ts'
import { runCli } from './run-cli.ts'
import { spawnCli } from './spawn-cli.ts'

const RIGHT = 'canary-right-0123456789'
const WRONG = 'canary-wrong-0123456789'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docent-secrets-test-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const data = () => join(folder, 'data')
const settings = (more: Record<string, string> = {}) => ({
  DOCENT_DATA_DIR: data(),
  DOCENT_PORT: '0',
  DOCENT_LOG_LEVEL: 'trace',
  DOCENT_ALLOW_NETWORKS: '127.0.0.0/8',
  ...more,
})

async function end(args: string[], env = settings(), input = '') {
  const run = runCli(args, { env, input })
  return { code: await run.ended, stdout: run.stdout, stderr: run.stderr }
}

async function makeKey(env = settings()) {
  await end(['admin', 'create', '--email', 'ada@example.test', '--password-stdin'], env, 'correct horse')
  return (await end(['admin', 'key', '--email', 'ada@example.test', '--name', 'x'], env)).stdout.trim()
}

/** The service as a separate process with its whole output. */
async function serve(env = settings()) {
  const service = spawnCli(['serve'], { env })
  const url = await service.until(/ready on (\S+)\n/)
  const answers: string[] = []
  return {
    answers,
    output: () => service.stdout + service.stderr,
    async call(key: string, method: string, path: string, body?: unknown) {
      const response = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      answers.push(text)
      return { status: response.status, body: JSON.parse(text) }
    },
    async stop() {
      service.child.kill('SIGTERM')
      return service.ended
    },
  }
}

function filesWith(words: readonly string[]): string[] {
  return readdirSync(data()).filter((name) => {
    const bytes = readFileSync(join(data(), name))
    return words.some((word) => bytes.includes(word))
  })
}

describe('secrets of the service process', () => {
  test('leaks no secret into a log, answer or file, whatever fails', async () => {
    await using github = await startGithubApi()
    await using remote = await startRemoteMcp()
    remote.lock = { header: 'authorization', value: `Bearer ${RIGHT}` }
    const env = settings({ DOCENT_GITHUB_API_URL: github.url })
    const key = await makeKey(env)
    const service = await serve(env)
    const call = (method: string, path: string, body?: unknown) => service.call(key, method, path, body)

    const sources = [{ url: remote.url, auth: { secret: RIGHT } }]
    const { body: made } = await call('POST', '/api/mcp/create', { name: 'A', sources })
    const path = `/api/mcp/${made.slug}`
    const [source] = (await call('GET', path)).body.sources
    expect((await call('PATCH', `${path}/sources`, { sourceId: source.id, secret: WRONG })).status).toBe(422)
    expect((await call('PATCH', `${path}/sources`, { sourceId: source.id, secret: RIGHT })).body.tools).toHaveLength(2)
    expect((await call('PUT', '/api/linked-accounts/github.com', { token: GITHUB_TOKEN })).status).toBe(200)
    await call('PUT', '/api/linked-accounts/github.com', { token: WRONG })
    await call('POST', `${path}/sources`, { url: 'https://github.com/acme/secret' })
    await call('POST', `${path}/sources`, { url: 'https://github.com/acme/broken' })
    await call('PATCH', `${path}/sources`, { sourceId: source.id, secret: `${WRONG}\n`, headerName: WRONG })
    await call('POST', `${path}/crawl`)
    for (const other of ['/api/mcp/list', path, `${path}/crawl-next`, '/api/keys', `${path}/access-tokens`]) {
      await call('GET', other)
    }
    const { body: newKey } = await call('POST', '/api/keys', { name: 'x' })
    await service.call(made.accessToken, 'POST', path, { jsonrpc: '2.0', id: 1, method: 'ping' })

    const sent = [RIGHT, WRONG, GITHUB_TOKEN, key]
    expect(service.answers.filter((answer) => sent.some((secret) => answer.includes(secret)))).toEqual([])
    const issued = [made.accessToken, newKey.plaintext]
    for (const secret of issued) expect(service.answers.filter((text) => text.includes(secret))).toHaveLength(1)
    const all = [...sent, ...issued]
    // While it runs there is a write-ahead log too; after the stop everything is in the database file.
    expect(filesWith(all)).toEqual([])
    expect(filesWith(['acme'])).not.toEqual([])
    expect(await service.stop()).toBe(0)
    expect(filesWith(all)).toEqual([])
    expect(all.filter((secret) => service.output().includes(secret))).toEqual([])
    expect(service.output()).toContain('ready on')
  })

  test('reads secrets again after a key rotation and reports them as unavailable without the key', async () => {
    await using remote = await startRemoteMcp()
    const env = settings()
    const key = await makeKey(env)
    let service = await serve(env)
    const sources = [{ url: remote.url, auth: { secret: RIGHT } }]
    const { body: made } = await service.call(key, 'POST', '/api/mcp/create', { name: 'A', sources })
    const busy = await end(['secrets', 'rotate'], env)
    expect(busy).toMatchObject({ code: 1, stdout: '' })
    expect(busy.stderr).toContain('in use by another Docent')
    await service.stop()

    const before = readFileSync(join(data(), 'secret.key'), 'utf8')
    expect(await end(['secrets', 'rotate'], env)).toMatchObject({
      code: 0,
      stderr: '1 credential is encrypted with the new key now.\n',
    })
    const after = readFileSync(join(data(), 'secret.key'), 'utf8')
    expect([after === before, after.trim().split('\n').length]).toEqual([false, 1])

    const rotate = async () => {
      const [source] = (await service.call(key, 'GET', `/api/mcp/${made.slug}`)).body.sources
      return service.call(key, 'PATCH', `/api/mcp/${made.slug}/sources`, { sourceId: source.id, secret: RIGHT })
    }
    service = await serve(env)
    expect((await rotate()).status).toBe(200)
    await service.stop()

    rmSync(join(data(), 'secret.key'))
    service = await serve(env)
    expect(service.output()).toContain('The key for credentials is missing')
    expect(await rotate()).toMatchObject({
      status: 503,
      body: { error: 'credentials_unavailable', message: expect.any(String) },
    })
    const refused = await service.call(key, 'POST', '/api/mcp/create', { name: 'B', sources })
    expect([refused.status, refused.body.error]).toEqual([503, 'credentials_unavailable'])
    const plain = { name: 'C', sources: [{ url: 'http://127.0.0.1:19151/' }] }
    expect((await service.call(key, 'POST', '/api/mcp/create', plain)).status).toBe(200)
    expect((await service.call(key, 'GET', '/api/mcp/list')).body).toHaveLength(2)
    await service.stop()
    expect((await end(['secrets', 'rotate'], env)).stderr).toContain('no key file')
  })

  test('re-encrypts secrets with the first key of the settings', async () => {
    const [old, next] = ['an-old-key-of-more-than-32-characters', 'a-new-key-of-more-than-32-characters!']
    const key = await makeKey(settings({ DOCENT_SECRET_KEY: old }))
    const service = await serve(settings({ DOCENT_SECRET_KEY: old }))
    await service.call(key, 'GET', '/api/mcp/list')
    await service.stop()
    const rotate = (keys: string) => end(['secrets', 'rotate'], settings({ DOCENT_SECRET_KEY: keys }))
    expect(await rotate(old)).toMatchObject({ code: 1, stderr: expect.stringContaining('in use already') })
    expect(await rotate(`${next} ${old}`)).toMatchObject({
      code: 0,
      stderr: '0 credentials are encrypted with the new key now. The old keys can be taken out of DOCENT_SECRET_KEY.\n',
    })
    expect(await rotate('too short')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('DOCENT_SECRET_KEY: each key must have at least 32 characters'),
    })
    expect(readdirSync(data())).not.toContain('secret.key')
  })
})

describe('admin credit', () => {
  test('raises a server’s source limit cumulatively', async () => {
    const key = await makeKey()
    const service = await serve()
    const given = { name: 'A', sources: [{ url: 'http://127.0.0.1:19151/' }] }
    const { body } = await service.call(key, 'POST', '/api/mcp/create', given)
    await service.stop()
    const credit = (server: string, sources: string) =>
      end(['admin', 'credit', '--server', server, '--sources', sources])
    expect((await credit(body.slug, '1')).stderr).toContain('may have 1 source beyond its plan')
    expect((await credit(body.serverId, '2')).stderr).toContain('may have 3 sources beyond its plan')
    expect(await credit('srv_none', '1')).toMatchObject({ code: 1, stderr: expect.stringContaining('no server') })
    expect(await credit(body.slug, '0')).toMatchObject({ code: 2 })
  })
})
