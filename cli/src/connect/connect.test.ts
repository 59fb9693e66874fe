import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CLIENTS } from '@docent/contract/values/client-snippets'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Docent, startDocent } from '../../../server/test/support/service/harness.ts'
import { runProgram } from '../../../server/test/support/lib/run-program.ts'
import { INSPECTOR, hasTestPackages } from '../../../server/test/support/mcp/test-packages.ts'
import { runCli } from '../run-cli.ts'
import { spawnCli } from '../spawn-cli.ts'

let docent: Docent
let home = ''
beforeAll(async () => {
  docent = await startDocent({ environment: { DOCENT_RATE_LIMITS: 'off' } })
  for (const [name, visibility] of [
    ['Open', 'public'],
    ['Closed', 'private'],
  ]) {
    await docent.request('POST', '/api/mcp/create', { name, uploads: ['manual'], visibility })
  }
})
afterAll(() => docent[Symbol.asyncDispose]())
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'docent-connect-test-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

async function connect(...args: string[]) {
  const env = { DOCENT_URL: docent.url, DOCENT_API_KEY: docent.key, HOME: home, INIT_CWD: home }
  const running = runCli(['connect', ...args], { env })
  const code = await running.ended
  return { code, stdout: running.stdout, stderr: running.stderr }
}

const endpoint = (slug: string) => `${docent.url}/api/mcp/${slug}`
const read = (...path: string[]) => readFileSync(join(home, ...path), 'utf8')

describe('docent connect', () => {
  test('lists the clients, and which of them can connect', async () => {
    const { code, stdout } = await connect('open')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^client +name +can connect\nclaude-code +Claude Code +yes\n/)
    expect(stdout).toMatch(/\nchatgpt +ChatGPT +no\n/)
    expect(stdout.trimEnd().split('\n')).toHaveLength(CLIENTS.length + 1)
  })

  test('leaves out the token of a client that signs in', async () => {
    const { code, stdout, stderr } = await connect('closed', '--client', 'claude-code', '--sign-in')
    expect([code, stdout]).toEqual([0, `claude mcp add --transport http --scope user closed ${endpoint('closed')}\n`])
    expect(stderr).toContain('claude mcp login closed')
    await connect('closed', '--client', 'cursor', '--sign-in', '--write', '--yes')
    expect(JSON.parse(read('.cursor', 'mcp.json'))).toEqual({ mcpServers: { closed: { url: endpoint('closed') } } })
    const tokens = await docent.request('GET', '/api/mcp/closed/access-tokens')
    expect(JSON.stringify(tokens.body)).not.toContain('Cursor')
    expect((await connect('closed', '--client', 'zed', '--sign-in')).code).toBe(2)
  })

  test('exits without an error when the output pipe is closed', async () => {
    const env = { DOCENT_URL: docent.url, DOCENT_API_KEY: docent.key, HOME: home }
    const running = spawnCli(['connect', 'open'], { env })
    running.child.stdout?.destroy()
    expect(await running.ended).toBe(0)
    expect(running.stderr).not.toContain('EPIPE')
  })

  test('prints only the snippet on standard output', async () => {
    const { code, stdout, stderr } = await connect('open', '--client', 'cursor')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({ mcpServers: { open: { url: endpoint('open') } } })
    expect(stderr).toContain('Add this to ~/.cursor/mcp.json.')
    expect(stderr).toContain('Or open https://cursor.com/')
  })

  test('warns about a client that connects from elsewhere to an address on this computer', async () => {
    const { code, stdout, stderr } = await connect('open', '--client', 'claude')
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${endpoint('open')}\n` })
    expect(stderr).toContain('127.0.0.1 exists only here')
    expect((await connect('open', '--client', 'claude', '--write', '--yes')).code).toBe(1)
    expect((await connect('closed', '--client', 'chatgpt')).stderr).not.toContain('--new-token')
  })

  test('creates an access token for a private server only with the option for it', async () => {
    const tokens = async () => (await docent.request('GET', '/api/mcp/closed/access-tokens')).body.tokens
    const before = await tokens()
    const without = await connect('closed', '--client', 'codex')
    expect(without.stdout).toContain('Bearer <ACCESS_TOKEN>')
    expect(without.stderr).toContain('--new-token')
    expect(await tokens()).toHaveLength(before.length)
    const given = await connect('closed', '--client', 'codex', '--token', 'dat_mine')
    expect(given.stdout).toContain('Bearer dat_mine')
    const made = await connect('closed', '--client', 'codex', '--new-token')
    expect(made.stdout).toMatch(/Bearer dat_\w{20}/)
    const names = (await tokens()).map(({ name }: any) => name)
    expect(names.filter((name: string) => name.startsWith('Codex, '))).toHaveLength(1)
  })

  test.each([
    ['an unknown client', ['open', '--client', 'emacs'], 2, 'Allowed choices are claude-code, cursor'],
    ['an unknown server', ['nobody'], 7, 'Server not found'],
    ['a client without a file', ['open', '--client', 'other', '--write', '--yes'], 1, 'no configuration file'],
    ['a change that nobody can agree to', ['open', '--client', 'cursor', '--write'], 2, 'Say so with --yes.'],
    ['a file that is not to be changed', ['open', '--client', 'cursor', '--file', 'x'], 2, 'needs --write'],
  ])('refuses %s', async (_, args, code, sentence) => {
    const ended = await connect(...args)
    expect(ended.code).toBe(code)
    expect(ended.stderr).toContain(sentence)
    expect(readdirSync(home)).toEqual([])
  })
})

describe('docent connect --write', () => {
  test.each(CLIENTS.filter(({ id, config }) => config !== undefined && id !== 'other').map(({ id }) => id))(
    'adds the server to a new file of %s, once',
    async (id) => {
      const file = join(home, 'new', 'config')
      const args = ['open', '--client', id, '--write', '--yes', '--file', file, '--json']
      const first = JSON.parse((await connect(...args)).stdout)
      expect(first).toEqual({ client: id, file, backup: null, changed: true })
      expect(readFileSync(file, 'utf8')).toContain(endpoint('open'))
      expect(JSON.parse((await connect(...args)).stdout)).toEqual({ client: id, file, backup: null, changed: false })
      expect(readdirSync(join(home, 'new'))).toEqual(['config'])
    },
  )

  test('shows the change to a configuration file, keeps its other entries, and makes a backup', async () => {
    mkdirSync(join(home, '.cursor'))
    const before = '{\n  // Mine\n  "mcpServers": {\n    "other": { "command": "x" }\n  }\n}\n'
    writeFileSync(join(home, '.cursor', 'mcp.json'), before)
    const { code, stdout, stderr } = await connect('open', '--client', 'cursor', '--write', '--yes')
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toContain('-     "other": { "command": "x" }\n+     "other": { "command": "x" },\n+     "open": {\n')
    expect(read('.cursor', 'mcp.json')).toBe(
      `{\n  // Mine\n  "mcpServers": {\n    "other": { "command": "x" },\n    "open": {\n      "url": "${endpoint('open')}"\n    }\n  }\n}\n`,
    )
    const [backup = ''] = readdirSync(join(home, '.cursor')).filter((name) => name.endsWith('.bak'))
    expect(read('.cursor', backup)).toBe(before)
    expect(stderr).toContain(backup)
  })

  test('writes a new token that opens a private server', async () => {
    const { stderr } = await connect('closed', '--client', 'windsurf', '--write', '--yes')
    expect(stderr).toContain('<ACCESS_TOKEN>')
    const { serverUrl, headers } = JSON.parse(read('.codeium', 'windsurf', 'mcp_config.json')).mcpServers.closed
    expect(stderr).not.toContain(headers.Authorization)
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    const answer = await fetch(serverUrl, { method: 'POST', headers, body })
    expect(answer.status).toBe(200)
  })

  const hasInspector = hasTestPackages('a client that reads what connect writes')
  test.skipIf(!hasInspector).each(['claude-code', 'copilot-cli'])(
    'writes a file of %s that another client reads',
    async (client) => {
      await connect('closed', '--client', client, '--write', '--yes', '--file', 'config.json')
      const args = ['--cli', '--config', join(home, 'config.json'), '--server', 'closed', '--method', 'tools/list']
      // A temporary home folder keeps the machine's configuration out.
      const env = { PATH: process.env['PATH'], HOME: home, MCP_INSPECTOR_SECRET_STORE: 'memory' }
      const { code, stdout, stderr } = await runProgram(INSPECTOR, args, { cwd: home, env })
      expect(code, stderr).toBe(0)
      expect(stdout).toContain('"search_docs"')
    },
  )

  test('changes the target of a symbolic link, and leaves an unreadable file alone', async () => {
    const settings = join(home, 'settings.json')
    writeFileSync(settings, '{}')
    mkdirSync(join(home, '.gemini'))
    symlinkSync(settings, join(home, '.gemini', 'settings.json'))
    await connect('open', '--client', 'gemini-cli', '--write', '--yes')
    expect(JSON.parse(readFileSync(settings, 'utf8'))).toEqual({ mcpServers: { open: { httpUrl: endpoint('open') } } })
    writeFileSync(settings, '{"a": ')
    const { code, stderr } = await connect('open', '--client', 'gemini-cli', '--write', '--yes')
    expect(code).toBe(1)
    expect(stderr).toContain('cannot be changed')
    expect(readFileSync(settings, 'utf8')).toBe('{"a": ')
    expect(existsSync(join(home, '.gemini', 'settings.json'))).toBe(true)
  })
})
