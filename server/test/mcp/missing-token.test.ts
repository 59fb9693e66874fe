import { existsSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCommand, runProgram } from '../support/lib/run-program.ts'
import { TEST_PACKAGES, hasTestPackages } from '../support/mcp/test-packages.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'

const ADVICE = 'A private server needs one of its access tokens as'
const MCP_REMOTE = join(TEST_PACKAGES, 'node_modules/mcp-remote/dist/client.js')
const CLAUDE = join(process.env['DOCENT_TEST_CLIENTS'] ?? TEST_PACKAGES, '@anthropic-ai/claude-code-linux-x64/claude')

const hasPackages = hasTestPackages('the message about a missing token in programs of other projects')
if (hasPackages && !existsSync(CLAUDE))
  process.stderr.write('\nSKIPPED: Claude Code is not in DOCENT_TEST_CLIENTS.\n\n')

/** What mcp-remote 0.15 and Claude Code 2.1 ask for, recorded. Both show the last answer, unless it is a 404 or 405. */
const RECORDED = [
  ['GET', '/api/mcp/my-docs', 405],
  ['GET', '/.well-known/oauth-protected-resource/api/mcp/my-docs', 404],
  ['GET', '/.well-known/oauth-protected-resource', 404],
  ['GET', '/.well-known/oauth-authorization-server/api/mcp/my-docs', 404],
  ['GET', '/.well-known/openid-configuration/api/mcp/my-docs', 404],
  ['GET', '/api/mcp/my-docs/.well-known/openid-configuration', 404],
  ['POST', '/api/mcp/my-docs', 401],
  ['GET', '/.well-known/oauth-authorization-server', 404],
  ['GET', '/.well-known/openid-configuration', 404],
  ['POST', '/register', 403],
] as const
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'mcp-remote', version: '0.15.1' } },
}
const REGISTER = { redirect_uris: ['http://localhost:36552/oauth/callback'], client_name: 'MCP CLI Client' }

describe('a client without a token at a private server of a service without OAuth', () => {
  let docent: Docent
  let url = ''
  beforeAll(async () => {
    docent = await startDocent({ environment: { DOCENT_OAUTH: 'off' } })
    const made = { name: 'My docs', uploads: ['docs'], visibility: 'private' }
    url = (await docent.request('POST', '/api/mcp/create', made)).body.url
  })
  afterAll(() => docent[Symbol.asyncDispose]())

  test('gets what to do as the last answer, and no 404 or 405 for it', async () => {
    const accept = 'application/json, text/event-stream'
    const answers: unknown[] = []
    let last = ''
    for (const [method, path] of RECORDED) {
      const body = method === 'GET' ? null : JSON.stringify(path === '/register' ? REGISTER : INITIALIZE)
      const headers = { accept, ...(body === null ? {} : { 'content-type': 'application/json' }) }
      const answer = await fetch(docent.url + path, { method, headers, body })
      last = await answer.text()
      answers.push([method, path, answer.status])
      // Where a client looks for OAuth, and at the endpoint, the advice is there too.
      if (answer.status !== 405) expect(last).toContain('Bearer <ACCESS_TOKEN>')
    }
    expect(answers).toEqual(RECORDED)
    expect(last).toContain(ADVICE)
    // mcp-remote looks for these words in the message, and then shows a failure of another transport.
    expect(last).not.toMatch(/404|405|Not Found|Method Not Allowed/)
  })

  test.skipIf(!hasPackages)('reads it in mcp-remote', async () => {
    await using home = await mkdtempDisposable(join(tmpdir(), 'docent-mcp-remote-'))
    const env = { ...process.env, HOME: home.path, BROWSER: 'true' }
    const { stderr, stdout } = await runProgram(MCP_REMOTE, [url], { env })
    const [, fatal] = /Fatal error: ([^\n]*)/.exec(stderr + stdout) ?? []
    expect(fatal).toContain(ADVICE)
  })

  test.skipIf(!existsSync(CLAUDE))('reads it in Claude Code', async () => {
    await using home = await mkdtempDisposable(join(tmpdir(), 'docent-claude-code-'))
    const options = { env: { ...process.env, HOME: home.path, DISABLE_TELEMETRY: '1' }, cwd: home.path }
    await runCommand(CLAUDE, ['mcp', 'add', '--transport', 'http', 'docs', url], options)
    const { stdout } = await runCommand(CLAUDE, ['mcp', 'get', 'docs'], options)
    expect(stdout).toContain(ADVICE)
  })
})
