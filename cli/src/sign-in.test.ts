import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createAccount } from '@docent/server/auth/accounts.ts'
import { type Docent, startDocent } from '../../server/test/support/service/harness.ts'
import { runCli } from './run-cli.ts'

const PASSWORD = 'correct horse'

let docent: Docent
let folder = ''
beforeAll(async () => {
  docent = await startDocent({ environment: { DOCENT_RATE_LIMITS: 'off' } })
  await docent.inStore((store) =>
    createAccount(store, { email: 'ada@example.test', password: PASSWORD, plan: 'unlimited' }),
  )
})
afterAll(() => docent[Symbol.asyncDispose]())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docent-sign-in-test-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const path = () => join(folder, 'config', 'profiles.json')
const stored = () => JSON.parse(readFileSync(path(), 'utf8'))

async function run(args: string[], { env = {}, input = '' }: { env?: Record<string, string>; input?: string } = {}) {
  const running = runCli(args, { env: { DOCENT_CONFIG_DIR: join(folder, 'config'), ...env }, input })
  const code = await running.ended
  return { code, stdout: running.stdout, stderr: running.stderr }
}

const withPassword = (...more: string[]) =>
  run(['login', docent.url, '--email', 'ada@example.test', '--password-stdin', ...more], { input: `${PASSWORD}\n` })
const withKey = (key: string, ...more: string[]) => run(['login', docent.url, '--key-stdin', ...more], { input: key })

describe('docent login', () => {
  test('signs in with a password, uses the new key for other commands, and revokes it at logout', async () => {
    const { host } = new URL(docent.url)
    const signedIn = await withPassword()
    expect(signedIn).toMatchObject({ code: 0, stdout: '' })
    expect(signedIn.stderr).toContain(`Signed in to ${docent.url} as ada@example.test.`)
    expect(statSync(path()).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'config')).mode & 0o777).toBe(0o700)
    expect(readFileSync(path(), 'utf8')).not.toContain(PASSWORD)
    const { apiKey } = stored().profiles[host]
    expect(apiKey).toMatch(/^dk_live_/)
    const { body } = await docent.request('GET', '/api/sessions', undefined, { key: apiKey })
    expect(body.sessions).toEqual([])

    const who = await run(['whoami', '--json'])
    expect(JSON.parse(who.stdout)).toEqual({
      url: docent.url,
      profile: host,
      email: 'ada@example.test',
      plan: 'unlimited',
      scope: 'account',
      serverIds: null,
    })
    expect((await run(['servers', 'list'])).stderr).toBe('The account has no servers yet.\n')

    const out = await run(['logout'])
    expect(out.stderr).toContain('is deleted, and its key is revoked.')
    expect((await run(['servers', 'list'])).code).toBe(3)
    expect((await docent.request('GET', '/api/keys', undefined, { key: apiKey })).status).toBe(401)
    expect((await run(['logout'])).code).toBe(7)
  })

  test('replaces and revokes the key of an earlier sign-in with the same name', async () => {
    await withPassword('--profile', 'work')
    const first = stored().profiles.work.apiKey
    await withPassword('--profile', 'work')
    const second = stored().profiles.work.apiKey
    expect(second).not.toBe(first)
    expect((await docent.request('GET', '/api/mcp/list', undefined, { key: first })).status).toBe(401)
    expect((await docent.request('GET', '/api/mcp/list', undefined, { key: second })).status).toBe(200)
    await run(['logout'])
  })

  test('stores a given key, and does not revoke it at logout', async () => {
    const key = await docent.makeKey()
    expect((await withKey(`${key}\n`)).stderr).toContain('as owner@example.test.')
    expect((await run(['logout'])).stderr).toContain('its key stays valid')
    expect((await docent.request('GET', '/api/mcp/list', undefined, { key })).status).toBe(200)
  })

  test('shows the email address only to account-wide keys', async () => {
    const { serverId } = (await docent.request('POST', '/api/mcp/create', { name: 'One', uploads: ['manual'] })).body
    const key = await docent.makeKey('owner@example.test', [serverId])
    expect((await withKey(key)).stderr).toContain('with the API key.')
    const { stdout } = await run(['whoami'])
    expect(stdout).toContain('account  not shown to a key for some servers\n')
    expect(stdout).toContain(`key      only the servers ${serverId}\n`)
  })

  test.each([
    ['a wrong password', ['--email', 'ada@example.test', '--password-stdin'], 'wrong', 3, /password/],
    ['a wrong key', ['--key-stdin'], 'dk_live_wrong', 3, /valid API key/],
    ['an empty key', ['--key-stdin'], '', 2, /An API key is needed/],
    ['a password without an address', ['--password-stdin'], 'x', 2, /--email/],
    ['a password and a key', ['--email', 'a@example.test', '--key-stdin'], 'x', 2, /not both/],
    ['no terminal to ask for the account', [], '', 2, /no terminal to ask on/],
    ['no terminal to ask for the password', ['--email', 'a@example.test'], '', 2, /Send it with --password-stdin/],
  ])('stores nothing with %s', async (_, args, input, code, sentence) => {
    const ended = await run(['login', docent.url, ...args], { input })
    expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code, stdout: '' })
    expect(ended.stderr).toMatch(sentence)
    expect(ended.stderr).not.toContain('    at ')
    expect(() => statSync(path())).toThrow('ENOENT')
  })

  test.each([
    ['no address', [], 2, 'docent login URL'],
    ['an address that is none', ['ftp://docs.example.org'], 2, 'is not the address of a service'],
    ['an address without a service', ['http://127.0.0.1:1'], 4, 'cannot be reached'],
  ])('refuses %s', async (_, args, code, sentence) => {
    const ended = await run(['login', ...args, '--key-stdin'], { input: 'dk_live_x' })
    expect(ended.code).toBe(code)
    expect(ended.stderr).toContain(sentence)
  })

  test('reports another kind of service', async () => {
    const other = createServer((_, response) => response.writeHead(404).end('<h1>Not found</h1>'))
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    const { code, stderr } = await run(['login', `127.0.0.1:${port}`, '--key-stdin'], { input: 'dk_live_x' })
    other.close()
    expect(code).toBe(1)
    expect(stderr).toContain(`http://127.0.0.1:${port} answered 404, and not as Docent does.`)
  })
})

describe('stored sign-ins', () => {
  test('chooses a sign-in by --profile, DOCENT_PROFILE, the address and docent profiles use', async () => {
    const other = await docent.makeKey('other@example.test')
    await withPassword('--profile', 'first')
    await withKey(other, '--profile', 'second')
    const who = async (args: string[] = [], env = {}) =>
      JSON.parse((await run(['whoami', '--json', ...args], { env })).stdout).profile
    expect(await who()).toBe('second')
    expect(await who(['--profile', 'first'])).toBe('first')
    expect(await who([], { DOCENT_PROFILE: 'first' })).toBe('first')
    expect(await who([], { DOCENT_URL: docent.url })).toBe('second')
    expect(await who([], { DOCENT_URL: docent.url, DOCENT_API_KEY: docent.key })).toBeNull()
    expect(await who(['--profile', 'first'], { DOCENT_API_KEY: docent.key })).toBe('first')
    expect((await run(['profiles', 'use', 'first'])).code).toBe(0)
    expect(await who()).toBe('first')
    const { stdout } = await run(['profiles', 'list'])
    expect(stdout).toMatch(/^profile +current +service +account\nfirst +yes +http/)
    expect(stdout).not.toContain('dk_live_')
    expect((await run(['whoami', '--profile', 'third'])).stderr).toContain('Known are: first, second.')
    await run(['logout', '--profile', 'first'])
    expect(await who()).toBe('second')
  })

  test('sends the key of a sign-in to no other address', async () => {
    const asked: (string | undefined)[] = []
    const other = createServer((request, response) => {
      asked.push(request.headers.authorization)
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"No."}')
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    await withPassword()
    const env = { DOCENT_URL: `http://127.0.0.1:${port}` }
    expect(await run(['servers', 'list'], { env })).toMatchObject({ code: 3 })
    await run(['ask', 'docs', 'why?'], { env })
    other.close()
    expect(asked).toEqual([undefined])
    await run(['logout'])
  })

  test.each([
    ['that other users can read', '{"current":null,"profiles":{}}', 0o644, 'chmod 600'],
    ['that is damaged', '{"current":', 0o600, 'is damaged'],
    ['of another form', '{"profiles":[1]}', 0o600, 'is damaged'],
  ])('refuses a file of sign-ins %s', async (_, text, mode, sentence) => {
    const file = join(folder, 'profiles.json')
    writeFileSync(file, text)
    chmodSync(file, mode)
    const { code, stderr } = await run(['servers', 'list'], { env: { DOCENT_CONFIG_DIR: folder } })
    expect(code).toBe(1)
    expect(stderr).toContain(sentence)
  })
})
