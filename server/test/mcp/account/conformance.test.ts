import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { conformanceEndpoint } from '../../support/mcp/conformance-endpoint.ts'
import { type Docent, startDocent } from '../../support/service/harness.ts'
import { runProgram } from '../../support/lib/run-program.ts'
import { sampleOf } from '../../support/lib/sample-of.ts'
import { answerMcp, serveMcp } from '../../support/mcp/serve-mcp.ts'
import { CONFORMANCE_SUITE, INSPECTOR, hasTestPackages } from '../../support/mcp/test-packages.ts'

const isInstalled = hasTestPackages('the official conformance suite and inspector')

let docent: Docent
beforeAll(async () => {
  docent = await startDocent({ environment: { DOCENT_RATE_LIMITS: 'off' } })
})
afterAll(() => docent[Symbol.asyncDispose]())

/** Lower bounds for passed checks, so that a suite that tests nothing is noticed. */
test.skipIf(!isInstalled).each([
  { revision: '2025-11-25', passed: 49 },
  { revision: '2026-07-28', passed: 114 },
])(
  'reports only known failures in the conformance suite for $revision, with the tools that it expects',
  async (run) => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'docent-conformance-'))
    const endpoint = conformanceEndpoint({ account: true })
    await using server = await serveMcp((request) => answerMcp(endpoint, request))
    const listed = join(import.meta.dirname, `conformance/${run.revision}.yml`)
    const args = ['server', '--url', server.url, '--requirements', run.revision, '--expected-failures', listed]
    const { code, stdout, stderr } = await runProgram(CONFORMANCE_SUITE, args, { cwd: folder.path })
    const report = stdout + stderr
    expect(code, report).toBe(0)
    expect(Number(/Total: (\d+) passed/.exec(report)?.[1]), report).toBeGreaterThanOrEqual(run.passed)
  },
)

const SCENARIOS = [
  { scenario: 'server-initialize', revision: '2025-11-25' },
  { scenario: 'ping', revision: '2025-11-25' },
  { scenario: 'tools-list', revision: '2025-11-25' },
  { scenario: 'tools-list', revision: '2026-07-28' },
  { scenario: 'http-header-validation', revision: '2026-07-28' },
]

/** The suite cannot send a key, so a proxy adds it. */
test.skipIf(!isInstalled).each(sampleOf(SCENARIOS, 0, 2))(
  'passes the scenario $scenario for $revision in the running service',
  async ({ scenario, revision }) => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'docent-conformance-'))
    await using proxy = await serveMcp(async ({ method, headers, body }) => {
      const sent = new Headers([...(headers as Headers)])
      for (const name of ['host', 'connection', 'content-length']) sent.delete(name)
      sent.set('authorization', `Bearer ${docent.key}`)
      const answer = await fetch(`${docent.url}/api/headless/mcp`, {
        method,
        headers: sent,
        ...(method === 'POST' ? { body: Buffer.from(body) } : {}),
      })
      const type = answer.headers.get('content-type')
      return { status: answer.status, headers: type ? { 'content-type': type } : {}, body: await answer.text() }
    })
    const args = ['server', '--url', proxy.url, '--scenario', scenario, '--spec-version', revision]
    const { code, stdout, stderr } = await runProgram(CONFORMANCE_SUITE, args, { cwd: folder.path })
    const report = stdout + stderr
    expect(code, report).toBe(0)
    expect(report).toMatch(/Passed: ([1-9]\d*)\/\1, 0 failed/)
  },
)

describe.skipIf(!isInstalled).each(['legacy', 'modern'])('MCP inspector (%s)', (era) => {
  test('reports no problem with the tools and calls one', async () => {
    // A temporary home folder keeps the machine's configuration out.
    await using home = await mkdtempDisposable(join(tmpdir(), 'docent-inspector-'))
    const inspect = (...args: string[]) => {
      const target = ['--cli', `${docent.url}/api/headless/mcp`, '--transport', 'http', '--protocol-era', era]
      return runProgram(INSPECTOR, [...target, '--header', `Authorization: Bearer ${docent.key}`, ...args], {
        cwd: home.path,
        env: { PATH: process.env['PATH'], HOME: home.path },
      })
    }
    const listed = await inspect('--method', 'tools/list', '--strict')
    expect(listed.code, listed.stderr).toBe(0)
    expect(listed.stdout).toContain('update_retrieval_rule')
    const called = await inspect('--method', 'tools/call', '--tool-name', 'get_account')
    expect(called.code, called.stderr).toBe(0)
    expect(called.stdout).toContain('mcpRequests')
  })
})
