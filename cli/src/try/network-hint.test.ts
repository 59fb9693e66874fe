import { expect, test } from 'vitest'
import { networkHint } from './network-hint.ts'

const REFUSAL = 'These URLs point to private or internal network addresses and cannot be indexed: …'

test.each([
  ['http://localhost:3000/', '127.0.0.0/8'],
  ['http://127.0.0.1/', '127.0.0.0/8'],
  ['http://192.168.1.7/docs', '192.168.1.7/32'],
  ['http://[fd00::1]/', 'fd00::1/128'],
  ['http://wiki.internal/', '10.0.0.0/8'],
])('suggests for %s to allow %s', (url, network) => {
  expect(networkHint(REFUSAL, [url])).toContain(`DOCENT_ALLOW_NETWORKS=${network}`)
})

test('gives no hint for other refusals', () => {
  expect(networkHint('Name is required', ['http://127.0.0.1/'])).toBe('')
})
