import { expect, test } from 'vitest'
import { newWebhookSecret, signedHeaders } from './send.ts'

test('signs the example of the specification like its reference libraries', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek'
  const headers = signedHeaders([secret], { id, body: '{"test": 2432232314}', now: 1_614_265_330_999 })
  expect(headers).toEqual({
    'webhook-id': id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('signs once with each secret, the first one first', () => {
  const secrets = [newWebhookSecret(), newWebhookSecret()]
  const event = { id: 'msg_1', body: '{}', now: 1_000 }
  const [both, ...alone] = [secrets, ...secrets.map((secret) => [secret])].map(
    (each) => signedHeaders(each, event)['webhook-signature'],
  )
  expect(both).toBe(alone.join(' '))
  expect(alone[0]).not.toBe(alone[1])
})

test('creates secrets of 32 random bytes', () => {
  const secrets = Array.from({ length: 100 }, newWebhookSecret)
  expect(new Set(secrets).size).toBe(100)
  for (const secret of secrets) expect(Buffer.from(secret.replace('whsec_', ''), 'base64')).toHaveLength(32)
})
