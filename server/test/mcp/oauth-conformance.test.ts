import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../support/lib/free-port.ts'
import { CONFORMANCE_SUITE, hasTestPackages } from '../support/mcp/test-packages.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { oauthWorld } from '../support/service/oauth-client.ts'

const isInstalled = hasTestPackages('the official conformance suite for authorization servers')

let docent: Docent
const world = oauthWorld(() => docent)
beforeAll(async () => {
  docent = await startDocent()
})
afterAll(() => docent[Symbol.asyncDispose]())

test.skipIf(!isInstalled).each([
  ['2025-06-18', 2],
  ['2025-11-25', 3],
  ['2026-07-28', 3],
])('passes all scenarios for authorization servers of %s', async (revision, checks) => {
  const own = await world.person(`suite-${revision}`)
  // The suite listens there, and says so even where it could not. A client on this machine may use any port.
  const port = await freePort()
  const { client_id: id = '' } = await world.register({ redirect_uris: ['http://127.0.0.1/callback'] })
  const options = { '--url': docent.url, '--client-id': id, '--resource': world.resource(own.slug) }
  const given = Object.entries({ ...options, '--port': String(port), '--spec-version': revision }).flat()
  const child = spawn(process.execPath, [CONFORMANCE_SUITE, 'authorization', ...given])
  const ended = once(child, 'exit')
  let [report, isAllowed] = ['', false]
  child.stderr.on('data', (text: Buffer) => (report += String(text)))
  for await (const text of child.stdout.setEncoding('utf8')) {
    report += String(text)
    // It listens for the browser a moment after it has said where to go.
    const address = report.includes('Callback server started') && /^http\S+code_challenge=\S+$/m.exec(report)?.[0]
    if (isAllowed || !address) continue
    isAllowed = true
    const asked = Object.fromEntries(new URL(address).searchParams)
    const answer = await world.decide(asked, own.cookie)
    await fetch(answer.headers.get('location') ?? '')
  }
  expect((await ended)[0], report).toBe(0)
  // Of the metadata, whose second check came with 2025-11-25, and of the grant.
  expect(report).toContain(`Total: ${checks} passed, 0 failed`)
})
