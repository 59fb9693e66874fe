import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  MAX_LOGGED_DELIVERIES,
  MAX_WAITING_DELIVERIES,
  MAX_WEBHOOKS,
  OVERLAP_HOURS,
  RETRY_SECONDS,
  SWITCH_OFF_AFTER,
  TEST_EVENT,
  WEBHOOK_EVENTS,
} from '@docent/contract/operations/webhooks'
import { expect, test } from 'vitest'
import { newWebhookSecret, signedHeaders } from './send.ts'

const document = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8')

test('docs/webhooks.md names every event with its fields', () => {
  for (const [type, { about, data }] of Object.entries(WEBHOOK_EVENTS)) {
    const row = document.split('\n').find((line) => line.startsWith(`| \`${type}\``)) ?? ''
    expect(row).toContain(about.replace(/\. Only for the operator$/, ''))
    const fields =
      type === 'server.indexed' || type === 'limit.reached' || type === 'question.unanswered'
        ? Object.keys(data.shape)
        : []
    for (const field of fields) expect(row).toContain(`\`${field}\``)
  }
  expect(document).toContain(`\`${TEST_EVENT}\``)
})

test('sends every event somewhere', () => {
  const cwd = join(import.meta.dirname, '..')
  const code = globSync('{webhooks,operations}/**/*.ts', { cwd }).map((path) => readFileSync(join(cwd, path), 'utf8'))
  const sent = code.flatMap((text) => text.match(/\bSEND_EVENT\[[^\]\n]*'\]/g) ?? [])
  expect(sent.length).toBeGreaterThan(2)
  expect(Object.keys(WEBHOOK_EVENTS).filter((type) => !sent.join().includes(`'${type}'`))).toEqual([])
})

test('docs/webhooks.md names the limits', () => {
  expect(document).toContain(`An account can have ${MAX_WEBHOOKS}.`)
  expect(document).toContain(`At most ${MAX_WAITING_DELIVERIES} deliveries wait`)
  expect(document).toContain(`the last ${MAX_LOGGED_DELIVERIES} deliveries`)
  expect(document).toContain(
    `The overlap is ${OVERLAP_HOURS.usual} hours (\`overlapHours\`, at most ${OVERLAP_HOURS.most}).`,
  )
  expect(RETRY_SECONDS.map((seconds) => seconds / 60)).toEqual([5 / 60, 1, 5, 30, 120, 300, 600])
  expect(SWITCH_OFF_AFTER).toEqual({ days: 3, attempts: 20 })
})

test('verifies signatures by the example of docs/webhooks.md', async () => {
  const code = document.split('```js\n')[1]?.split('```')[0] ?? ''
  type Example = { isGenuine(headers: Record<string, string>, body: Buffer, secret: string): boolean }
  const address = `data:text/javascript,${encodeURIComponent(code)}`
  const { isGenuine } = (await import(/* @vite-ignore */ address)) as Example
  const secret = newWebhookSecret()
  const body = '{"type":"webhook.test"}'
  const headersAt = (now: number) => signedHeaders([newWebhookSecret(), secret], { id: 'msg_1', body, now })
  const headers = headersAt(Date.now())
  expect(isGenuine(headers, Buffer.from(body), secret)).toBe(true)
  expect(isGenuine(headers, Buffer.from(`${body} `), secret)).toBe(false)
  expect(isGenuine(headers, Buffer.from(body), newWebhookSecret())).toBe(false)
  expect(isGenuine({ ...headers, 'webhook-id': 'msg_2' }, Buffer.from(body), secret)).toBe(false)
  expect(isGenuine(headersAt(Date.now() - 301_000), Buffer.from(body), secret)).toBe(false)
  expect(isGenuine({}, Buffer.from(body), secret)).toBe(false)
})
