import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { matchCards, matchEmails, matchTokens } from './find-secrets.ts'
import { compilePattern, createRedact } from './redact.ts'

const ALL = { kinds: ['email' as const, 'token' as const, 'card' as const], patterns: [] }

function redacted(text: string, patterns: string[] = []): string {
  return createRedact({ ...ALL, patterns })?.text(text) ?? text
}

test.each([
  ['ask ada@example.test, or bob+x@mail.example.co.uk.', 'ask [email], or [email].'],
  ['jürgen@müller.de wrote', '[email] wrote'],
  ['<ada@example.test>', '<[email]>'],
  ['card 4111 1111 1111 1111 please', 'card [card] please'],
  ['4111-1111-1111-1111', '[card]'],
  ['5500005555555559', '[card]'],
  ['order 12 4111 1111 1111 1111', 'order 12 [card]'],
  ['key ghp_abcdefghijklmnop failed', 'key [token] failed'],
  ['use dk_live_0123456789abcdef0123', 'use [token]'],
  ['Authorization: Bearer abc.def', 'Authorization: Bearer [token]'],
  ['password=hunter2&next=1', 'password=[token]&next=1'],
  ['"api_key": "s3cr3t"', '"api_key": "[token]"'],
  ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b', '[token]'],
])('redacts %j', (text, left) => {
  expect(redacted(text)).toBe(left)
})

test.each([
  'How do I rotate API keys?',
  'What is a bearer token for?',
  'decorators such as @Injectable and @app.route',
  'npm install @scope/package@1.2.3',
  'how do I set the password of a database',
  'https://example.test/docs/guide/getting-started-2024/page-2',
  'createServerSideProps2Handler and ERR_MODULE_NOT_FOUND_1',
  'the order 4111 1111 1111 1112',
  'tracking number 0000000000000000',
  'from 2024-01-02 to 2025-03-04',
  'port 8787, version 1.20.3',
])('keeps %j', (text) => {
  expect(redacted(text)).toBe(text)
})

describe('a pattern', () => {
  test.each([
    ['falcon', 'Project FALCON is late', 'Project [redacted] is late'],
    ['ORD-*', 'where is ord-2211/b and ORD-7', 'where is [redacted] and [redacted]'],
    ['*@corp.test', 'mail x@corp.test now', 'mail [redacted] now'],
    ['cust*eu', 'cust-12-eu and cust-12 eu', '[redacted] and cust-12 eu'],
    ['project falcon*', 'our project falcon-2 plan', 'our [redacted] plan'],
    ['a b*c', 'a ba bxc', 'a b[redacted]'],
    ['a*b*c', 'axbx axbxc', 'axbx [redacted]'],
  ])('%s turns %j into %j', (pattern, text, left) => {
    expect(createRedact({ kinds: [], patterns: [pattern] })?.text(text)).toBe(left)
  })

  test('takes linear time on texts built to cause backtracking', () => {
    const parts = ['a', 'ab', 'a ', 'a@', '4', '4 ', 'password=', 'a.', '.a']
    const texts = parts.map((part) => `@${part.repeat(100_000 / part.length)}`)
    const patterns = ['aaa*b*c', 'a*a*a*b', 'aba*abc', 'a a*b', '*aaa*bbb*'].map(compilePattern)
    const before = process.cpuUsage()
    for (const text of texts) for (const match of [...patterns, matchEmails, matchCards, matchTokens]) match(text)
    const { user, system } = process.cpuUsage(before)
    // 70 searches. One that takes quadratic time would take a minute by itself.
    expect((user + system) / 1_000_000).toBeLessThan(10)
  })
})

test('redacts values of any depth, names of members, numbers and fields with secret names', () => {
  const value = {
    list: [{ to: 'ada@example.test', 'x@y.test': 1 }],
    card: 4111111111111111,
    client_secret: 'short',
    n: 12,
  }
  expect(createRedact(ALL)?.value(value)).toEqual({
    list: [{ to: '[email]', '[email]': 1 }],
    card: '[card]',
    client_secret: '[token]',
    n: 12,
  })
  expect(createRedact(ALL)?.value(undefined)).toEqual({})
})

test('keeps no part of a secret at the end of a text that is cut', () => {
  for (let before = 2_560; before < 3_010; before += 1) {
    const text = `${'x '.repeat(before / 2)}ada.lovelace@example.test and more ${'y '.repeat(900)}`
    expect(redacted(text)).not.toMatch(/ada|lovelace|example/)
  }
})

test('reads a bounded part of large values', () => {
  const redact = createRedact(ALL)
  const many = redact?.value({ list: Array.from({ length: 20_000 }, () => 'ada@example.test') })
  expect(JSON.stringify(many)).not.toContain('ada')
  expect(JSON.stringify(many)).toContain('[omitted]')
  const names = Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`ada${n}@example.test`, 1]))
  expect(redact?.value({ names })).toEqual({ names: '[omitted]' })
})

test('leaves no email address or card in any text', () => {
  const words = fc.constantFrom('ada@example.test', '4111 1111 1111 1111', 'oil', 'the', '12', '@', '-', '\u00e4', '\n')
  fc.assert(
    fc.property(fc.array(words), (all) => {
      const left = redacted(all.join(' '))
      expect(left).not.toContain('ada@example.test')
      expect(left).not.toMatch(/4111 1111 1111 1111/)
      expect(redacted(left)).toBe(left)
    }),
  )
})

test('removes nothing unless something is configured', () => {
  expect(createRedact({ kinds: [], patterns: [] })).toBeNull()
})
