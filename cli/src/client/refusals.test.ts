import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { runCli } from '../run-cli.ts'

async function end(args: string[], env: Record<string, string>) {
  const run = runCli(args, { env })
  return { code: await run.ended, stdout: run.stdout, stderr: run.stderr }
}

/** A service that refuses every request, until it is disposed. */
async function refuseAll(status: number, body: object, headers: Record<string, string> = {}) {
  const service = createServer((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(service, 'listening')
  const { port } = service.address() as AddressInfo
  const env = { DOCENT_URL: `http://127.0.0.1:${port}`, DOCENT_API_KEY: 'key' }
  return { env, [Symbol.dispose]: () => service.close() }
}

test.each([
  [
    401,
    { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'This server is private. Add an access token.' } },
    {},
    'This server is private. Add an access token.',
  ],
  [
    429,
    { error: 'Too many requests. Try again in 12 minutes.' },
    { 'retry-after': '700' },
    'Too many requests. Try again in 12 minutes.',
  ],
  [503, { error: 'too_busy', message: 'Busy.' }, { 'retry-after': '5' }, 'Busy. Try again in 5 seconds.'],
])('explains a question refused with %i in words', async (status, body, headers, sentence) => {
  using service = await refuseAll(status, body, headers)
  expect(await end(['ask', 'docs', 'why?'], service.env)).toEqual({
    code: { 401: 3, 429: 6, 503: 1 }[status],
    stdout: '',
    stderr: `error  ${sentence}\n`,
  })
})

test.each([
  [
    'where to buy',
    { purchaseUrl: 'https://docent.test/buy', upgradeUrl: 'https://docent.test/plan' },
    ' https://docent.test/buy',
  ],
  ['where the plans are', { purchaseUrl: null, upgradeUrl: 'https://docent.test/plan' }, ' https://docent.test/plan'],
  ['no page if there is none', {}, ''],
])('explains a refusal by a limit of the plan: %s', async (_, pages, tail) => {
  const message = 'The server has as many sources as the plan includes.'
  using service = await refuseAll(402, { error: 'source_limit_reached', message, ...pages })
  const { code, stderr } = await end(['sources', 'add', 'docs', 'https://docs.example.org/'], service.env)
  expect({ code, stderr }).toEqual({ code: 6, stderr: `error  ${message}${tail}\n` })
})

test('finds the service at DOCENT_PORT if DOCENT_URL is not set', async () => {
  const { stderr } = await end(['ask', 'docs', 'why?'], { DOCENT_PORT: '1', DOCENT_API_KEY: 'key' })
  expect(stderr).toContain('The service at http://127.0.0.1:1 cannot be reached')
})
