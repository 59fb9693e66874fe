import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { conformanceEndpoint } from '../support/mcp/conformance-endpoint.ts'
import { runProgram } from '../support/lib/run-program.ts'
import { answerMcp, serveMcp } from '../support/mcp/serve-mcp.ts'
import { CONFORMANCE_SUITE, hasTestPackages } from '../support/mcp/test-packages.ts'

const isInstalled = hasTestPackages('the official conformance suite')

/** Lower bounds for passed checks, so that a suite that tests nothing is noticed. */
test.skipIf(!isInstalled).each([
  { revision: '2025-11-25', passed: 47 },
  { revision: '2026-07-28', passed: 113 },
])('reports only known failures in the official conformance suite for $revision', async ({ revision, passed }) => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'docent-conformance-'))
  const endpoint = conformanceEndpoint()
  await using server = await serveMcp((request) => answerMcp(endpoint, request))
  const listed = join(import.meta.dirname, `conformance/${revision}.yml`)
  const args = ['server', '--url', server.url, '--requirements', revision, '--expected-failures', listed]
  const { code, stdout, stderr } = await runProgram(CONFORMANCE_SUITE, args, { cwd: folder.path })
  const report = stdout + stderr
  expect(code, report).toBe(0)
  expect(Number(/Total: (\d+) passed/.exec(report)?.[1]), report).toBeGreaterThanOrEqual(passed)
})

test.skipIf(!isInstalled)(
  'reports the same failures on a private server behind a proxy that adds the access token',
  async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'docent-conformance-'))
    const open = conformanceEndpoint()
    const refused = { reason: 'invalid_token', message: 'The access token is not valid.' }
    const authenticate = async (bearer: string | null) => (bearer === 'dat_right' ? ('ok' as const) : refused)
    const endpoint = { ...open, visibility: 'private' as const, hooks: { ...open.hooks, authenticate } }
    await using server = await serveMcp((request) => {
      const get = (name: string) => (name === 'authorization' ? 'Bearer dat_right' : request.headers.get(name))
      return answerMcp(endpoint, { ...request, headers: { get } })
    })
    const listed = join(import.meta.dirname, 'conformance/2026-07-28.yml')
    const args = ['server', '--url', server.url, '--requirements', '2026-07-28', '--expected-failures', listed]
    const { code, stdout, stderr } = await runProgram(CONFORMANCE_SUITE, args, { cwd: folder.path })
    expect(code, stdout + stderr).toBe(0)
  },
)

test.skipIf(!isInstalled).each([
  { scenario: 'http-header-validation', revision: '2026-07-28' },
  { scenario: 'json-schema-2020-12', revision: '2025-11-25' },
  { scenario: 'json-schema-2020-12', revision: '2026-07-28' },
])('passes the optional scenario $scenario for $revision', async ({ scenario, revision }) => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'docent-conformance-'))
  const endpoint = conformanceEndpoint()
  await using server = await serveMcp((request) => answerMcp(endpoint, request))
  const args = ['server', '--url', server.url, '--scenario', scenario, '--spec-version', revision]
  const { code, stdout, stderr } = await runProgram(CONFORMANCE_SUITE, args, { cwd: folder.path })
  const report = stdout + stderr
  expect(code, report).toBe(0)
  expect(report).toMatch(/Passed: ([1-9]\d*)\/\1, 0 failed/)
})
