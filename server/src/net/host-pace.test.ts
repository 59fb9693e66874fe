import { expect, test } from 'vitest'
import { NetError, type NetReason } from './net-error.ts'
import { outcomeOf } from './host-pace.ts'

const HOST = 'a.example'
const AT = 'https://a.example/page'

function fail(reason: NetReason, { transient = true, url = AT } = {}) {
  return outcomeOf(HOST, { elapsedMs: 5, error: new NetError(reason, 'A sentence.', { transient, url }) })
}

test.each(['timeout', 'connect', 'protocol'] as const)('counts a %s of the host as back-pressure', (reason) => {
  expect(fail(reason)).toEqual({ status: null, elapsedMs: 5 })
})

test.each([
  'invalid_url',
  'blocked_address',
  'dns',
  'tls',
  'too_large',
  'too_many_redirects',
  'redirect_loop',
  'decode',
  'aborted',
] as const)('does not count %s against the host', (reason) => {
  expect(fail(reason)).toBeNull()
  expect(fail(reason, { transient: false })).toBeNull()
})

test('does not count a non-HTTP response, which is no overload', () => {
  expect(fail('protocol', { transient: false })).toBeNull()
})

test('does not count an error of our own program', () => {
  expect(outcomeOf(HOST, { elapsedMs: 5, error: new TypeError('a bug') })).toBeNull()
})

test('does not count failures of another host after a redirect', () => {
  expect(fail('timeout', { url: 'https://b.example/' })).toBeNull()
  const response = { url: 'https://b.example/', status: 429, headers: { 'retry-after': '300' } }
  expect(outcomeOf(HOST, { elapsedMs: 5, response })).toBeNull()
})

test.each([200, 404, 429, 503])('passes on a response with status %i', (status) => {
  const response = { url: AT, status, headers: { 'retry-after': '7' } }
  expect(outcomeOf(HOST, { elapsedMs: 5, response })).toEqual({ status, elapsedMs: 5, retryAfter: '7' })
})
