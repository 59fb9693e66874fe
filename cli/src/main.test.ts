import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { page, startSite } from '../../server/test/support/sites/site.ts'
import { runCli } from './run-cli.ts'
import { spawnCli } from './spawn-cli.ts'

let folder = ''
const settings = () => ({
  DOCENT_DATA_DIR: join(folder, 'data'),
  DOCENT_PORT: '0',
  DOCENT_LOG_LEVEL: 'warn',
  DOCENT_BROWSER: 'off',
  DOCENT_DASHBOARD: 'off',
})

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docent-cli-test-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function end(args: string[], options: Parameters<typeof runCli>[1] = {}) {
  const run = runCli(args, { ...options, env: { ...settings(), ...options.env } })
  return { code: await run.ended, stdout: run.stdout, stderr: run.stderr }
}

describe('usage', () => {
  test('prints help on standard output and exits with 0', async () => {
    const { code, stdout, stderr } = await end(['--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const command of ['serve', 'try', 'admin']) expect(stdout).toContain(command)
  })

  test('describes every command', async () => {
    const { stdout } = await end(['--help'])
    const [, list = ''] = stdout.split('Commands:')
    const top = [...list.matchAll(/^ {2}([a-z-]+)(.*)$/gm)]
    expect(top.length).toBeGreaterThan(30)
    const silent = top.filter(([, , about = '']) => !/[A-Z].*\./.test(about)).map(([, name]) => name)
    // The description of `help` is that of the library.
    expect(silent).toEqual(['help'])
  })

  test.each([
    ['no command', []],
    ['an unknown command', ['fly']],
    ['an unknown option', ['serve', '--fly']],
    ['try without an address', ['try']],
    ['a key without a name', ['admin', 'key', '--email', 'a@example.org']],
    ['an unknown plan', ['admin', 'plan', '--email', 'a@example.org', '--plan', 'gold']],
    ['a password prompt without a terminal', ['admin', 'create', '--email', 'a@example.org']],
  ])('exits with 2 and an explanation on standard error for %s', async (_, args) => {
    const { code, stdout, stderr } = await end(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).not.toBe('')
    expect(stderr).not.toContain('    at ')
  })
})

describe('admin', () => {
  const create = (email: string, password = 'correct horse') =>
    end(['admin', 'create', '--email', email, '--password-stdin'], { input: `${password}\n` })

  test('creates an account and a key for it, and changes its plan', async () => {
    expect(await create('ada@example.org')).toMatchObject({ code: 0, stdout: '' })
    const { code, stdout, stderr } = await end(['admin', 'key', '--email', 'ada@example.org', '--name', 'first'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^dk_live_[A-Za-z0-9]+\n$/)
    expect(await end(['admin', 'plan', '--email', 'ada@example.org', '--plan', 'free'])).toMatchObject({ code: 0 })
  })

  test('prints setup links until there is an account', async () => {
    const service = runCli(['serve'], { env: settings() })
    await service.until(/ready on/)
    const { code, stdout } = await end(['setup-link'], { env: { DOCENT_PORT: '8787' } })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:8787\/setup#dsl_[0-9A-Za-z]{36}\n$/)
    await create('ada@example.org')
    const late = await end(['setup-link'])
    expect({ code: late.code, stdout: late.stdout }).toEqual({ code: 1, stdout: '' })
    expect(late.stderr).toContain('This instance has an account.')
    service.stop('SIGTERM')
    expect(await service.ended).toBe(0)
  })

  test('sets a new password', async () => {
    await create('ada@example.org')
    const change = (email: string, password: string) =>
      end(['admin', 'password', '--email', email, '--password-stdin'], { input: password })
    expect(await change('ada@example.org', 'another horse')).toMatchObject({
      code: 0,
      stderr: 'ada@example.org has a new password. Sessions that ended: 0.\n',
    })
    expect((await change('ada@example.org', 'short')).stderr).toContain('at least 10 characters')
    expect((await change('no@example.org', 'another horse')).stderr).toContain('There is no account')
  })

  test.each([
    ['a short password', () => create('ada@example.org', 'short'), 'at least 10 characters'],
    ['an invalid address', () => create('ada'), 'not an email address'],
    [
      'a key for nobody',
      async () => {
        await create('ada@example.org')
        return end(['admin', 'key', '--email', 'no@example.org', '--name', 'x'])
      },
      'There is no account',
    ],
  ])('exits with 1 and one sentence for %s', async (_, command, sentence) => {
    const { code, stdout, stderr } = await command()
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(sentence)
    expect(stderr).not.toContain('    at ')
  })
})

describe('serve', () => {
  test('prints its address, accepts keys created meanwhile, and exits with 0 when stopped', async () => {
    const service = spawnCli(['serve'], { env: settings() })
    const url = await service.until(/ready on (\S+)\n/)
    expect(readFileSync(join(folder, 'data', 'docent.pid'), 'utf8').trim()).toBe(String(service.child.pid))
    await end(['admin', 'create', '--email', 'ada@example.org', '--password-stdin'], { input: 'correct horse' })
    const { stdout: key } = await end(['admin', 'key', '--email', 'ada@example.org', '--name', 'first'])
    const answer = await fetch(`${url}/api/mcp/list`, { headers: { authorization: `Bearer ${key.trim()}` } })
    expect({ status: answer.status, body: await answer.json() }).toEqual({ status: 200, body: [] })
    service.child.kill('SIGTERM')
    expect(await service.ended).toBe(0)
    expect(service.stdout).toBe(`Docent ready on ${url}\n`)
  })

  test('creates the configured operator when there are no accounts, and changes no account later', async () => {
    const signIn = async (password: string) => {
      const env = { ...settings(), DOCENT_ADMIN_EMAIL: 'Ada@example.org', DOCENT_ADMIN_PASSWORD: password }
      const service = runCli(['serve'], { env })
      const url = await service.until(/ready on (\S+)\n/)
      const answer = await fetch(`${url}/api/sessions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'ada@example.org', password }),
      })
      const body = (await answer.json()) as { account?: { plan: string; isOperator: boolean } }
      service.stop('SIGTERM')
      await service.ended
      return { status: answer.status, account: body.account }
    }
    const operator = { plan: 'unlimited', isOperator: true }
    expect(await signIn('correct horse')).toMatchObject({ status: 200, account: operator })
    expect(await signIn('correct horse')).toMatchObject({ status: 200, account: operator })
    expect((await signIn('another horse')).status).toBe(401)
  })

  test('warns of variables that are no settings', async () => {
    const service = runCli(['serve'], { env: { ...settings(), DOCENT_ALOW_NETWORKS: '10.0.0.0/8' } })
    await service.until(/ready on/)
    service.stop('SIGTERM')
    expect(await service.ended).toBe(0)
    expect(service.stderr).toContain(
      'DOCENT_ALOW_NETWORKS is not a setting and has no effect. Did you mean DOCENT_ALLOW_NETWORKS?\n',
    )
  })

  test('exits with 1 and one sentence for a second service on the same folder', async () => {
    const first = runCli(['serve'], { env: settings() })
    await first.until(/ready on/)
    const { code, stderr } = await end(['serve'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^error {2}The data folder is in use by another Docent: [^\n]+\n$/)
    first.stop('SIGINT')
    expect(await first.ended).toBe(0)
  })

  test.each([
    ['an invalid port', { DOCENT_PORT: 'eighty' }, 'DOCENT_PORT'],
    ['a data folder that is a file', { DOCENT_DATA_DIR: '/dev/null/data' }, '/dev/null/data'],
    ['a worker without a database to share', { DOCENT_ROLE: 'worker' }, 'DATABASE_URL'],
    ['an invalid network', { DOCENT_ALLOW_NETWORKS: 'home' }, 'home'],
    ['an operator without a password', { DOCENT_ADMIN_EMAIL: 'a@b.example' }, 'DOCENT_ADMIN_PASSWORD'],
    [
      'an operator with a short password',
      { DOCENT_ADMIN_EMAIL: 'a@b.example', DOCENT_ADMIN_PASSWORD: '123456789' },
      'at least 10 characters',
    ],
  ])('exits with 1 and one sentence that names %s', async (_, env, named) => {
    const { code, stdout, stderr } = await end(['serve'], { env })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^error {2}[^\n]+\n$/)
    expect(stderr).toContain(named)
  })

  test('reports a data folder that is a file', async () => {
    writeFileSync(join(folder, 'notes.txt'), 'not a folder')
    for (const below of ['', 'data']) {
      const { code, stderr } = await end(['serve'], { env: { DOCENT_DATA_DIR: join(folder, 'notes.txt', below) } })
      expect(code).toBe(1)
      expect(stderr).toMatch(
        /^error {2}The data folder cannot be made at [^\n]+notes\.txt is a file\. Give a folder[^\n]+\n$/,
      )
    }
  })

  test('finds no key in a folder without a database and creates none there', async () => {
    const { code, stderr } = await end(['admin', 'key', '--email', 'a@example.org', '--name', 'a'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/^error {2}There is no database of Docent in [^\n]+data\. Set DOCENT_DATA_DIR[^\n]+\n$/)
    expect(readdirSync(folder)).toEqual([])
  })

  test('waits for a missing database, logs that, and exits with 0 when stopped', async () => {
    const service = spawnCli(['serve'], { env: { ...settings(), DATABASE_URL: 'postgres://127.0.0.1:1/docent' } })
    await service.until(/the database cannot do its work/)
    service.child.kill('SIGTERM')
    expect(await service.ended).toBe(0)
    expect(service.stdout).toBe('')
    expect(service.stderr).toContain('ECONNREFUSED')
  })

  test('exits with 1 and one sentence that names an unreachable database', async () => {
    const env = { DATABASE_URL: 'postgres://127.0.0.1:1/docent' }
    const { code, stderr } = await end(['admin', 'key', '--email', 'ada@example.org', '--name', 'x'], { env })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^error {2}[^\n]+127\.0\.0\.1:1[^\n]+\n$/)
  })

  test('exits with 1 and one sentence that names a port in use', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const address = other.address()
    const port = String(typeof address === 'object' && address ? address.port : 0)
    const { code, stderr } = await end(['serve'], { env: { DOCENT_PORT: port } })
    other.close()
    expect(code).toBe(1)
    expect(stderr).toMatch(/^error {2}Port \d+ on 127\.0\.0\.1 is taken by another process\.[^\n]*\n$/)
  })

  test('exits with 1 for a missing secret file', async () => {
    writeFileSync(join(folder, 'port'), '0')
    const { code, stderr } = await end(['serve'], { env: { DATABASE_URL_FILE: join(folder, 'missing') } })
    expect(code).toBe(1)
    expect(stderr).toContain('DATABASE_URL_FILE')
  })
})

describe('try', () => {
  test('indexes, shows how to connect and what to ask, and leaves nothing behind', async () => {
    await using site = await startSite({
      '/': page('Widgets', 'Widgets are small parts that are put together.', ['/install', '/colours']),
      '/install': page('Installing the widget kit', 'To install the widget kit, run the installer named kit-setup.'),
      '/colours': page('Changing the colours', 'To change the colours of a widget, set the option palette to warm.'),
    })
    const run = runCli(['try', site.url], {
      env: { ...settings(), DOCENT_ALLOW_NETWORKS: '127.0.0.0/8', TMPDIR: folder },
    })
    const endpoint = await run.until(/^(http\S+)$/m)
    expect(run.stderr).toMatch(/3 found = 3 indexed/)
    expect(run.stderr).toContain(`claude mcp add --transport http 127-0-0-1 ${endpoint}`)
    expect(run.stderr).toMatch(/How do I (install the widget kit|change the colours)\?/)
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const answer = await fetch(endpoint, { method: 'POST', body: JSON.stringify(message) })
    expect(await answer.json()).toMatchObject({ result: { tools: expect.anything() } })
    run.stop('SIGTERM')
    expect(await run.ended).toBe(0)
    expect(run.stdout).toBe(`${endpoint}\n`)
    expect(readdirSync(folder)).toEqual([])
  })

  test('refuses a private address and names the setting that allows it', async () => {
    const { code, stdout, stderr } = await end(['try', 'http://127.0.0.1:4999/'], { env: { TMPDIR: folder } })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('private or internal network addresses')
    expect(stderr).toContain('DOCENT_ALLOW_NETWORKS=127.0.0.0/8')
    expect(readdirSync(folder)).toEqual([])
  })

  test('says once that a host accepts no connection, with advice that fits', async () => {
    const { code, stderr } = await end(['try', 'http://127.0.0.1:19151/'], {
      env: { TMPDIR: folder, DOCENT_ALLOW_NETWORKS: '127.0.0.0/8' },
    })
    expect(code).toBe(1)
    expect(stderr.split('did not accept a connection')).toHaveLength(2)
    expect(stderr).toContain('Run the command again once the site is up.')
    expect(stderr).not.toMatch(/refresh the source/i)
    expect(stderr).toMatch(/\nerror {2}The source could not be indexed\. [^\n]+\n$/)
  })

  test('exits with 1 and the reason for a site without pages', async () => {
    await using site = await startSite({})
    const { code, stderr } = await end(['try', site.url], {
      env: { TMPDIR: folder, DOCENT_ALLOW_NETWORKS: '127.0.0.0/8' },
    })
    expect(code).toBe(1)
    expect(stderr).toContain('404')
    expect(readdirSync(folder)).toEqual([])
  })
})
