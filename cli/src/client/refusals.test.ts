import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { runCli } from '../run-cli.ts'

async function end(args: string[], env: Record<string, string>) {
  const run = runCli(args, { env })
  return { code: await run.ended, stdout: run.stdout, stderr: run.stderr }
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
  const service = createServer((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(service, 'listening')
  try {
    const { port } = service.address() as AddressInfo
    const env = { DOCENT_URL: `http://127.0.0.1:${port}`, DOCENT_API_KEY: 'key' }
    expect(await end(['ask', 'docs', 'why?'], env)).toEqual({
      code: { 401: 3, 429: 6, 503: 1 }[status],
      stdout: '',
      stderr: `error  ${sentence}\n`,
    })
  } finally {
    service.close()
  }
})

test('finds the service at DOCENT_PORT if DOCENT_URL is not set', async () => {
  const { stderr } = await end(['ask', 'docs', 'why?'], { DOCENT_PORT: '1', DOCENT_API_KEY: 'key' })
  expect(stderr).toContain('The service at http://127.0.0.1:1 cannot be reached')
})
