import { expect, test } from 'vitest'
import { addressKey } from './address-key.ts'

test.each([
  'https://a.test/s2/',
  'https://a.test/s2//',
  'https://A.test:443/s2',
  'https://a.test./s2#',
  'https://a.test/x/../s2/#part',
])('treats %s as https://a.test/s2', (address) => {
  expect(addressKey(address)).toBe(addressKey('https://a.test/s2'))
})

test.each([
  'http://a.test/s2',
  'https://a.test:8443/s2',
  'https://a.test/S2',
  'https://a.test/s2?x',
  'https://a.test/s2/a',
  'https://a.test/',
  'https://www.a.test/s2',
  'upload://a/s2',
])('distinguishes %s from https://a.test/s2', (address) => {
  expect(addressKey(address)).not.toBe(addressKey('https://a.test/s2'))
})

test('returns other text unchanged', () => {
  expect(addressKey('upload://a/')).toBe('upload://a/')
  expect(addressKey('not an address')).toBe('not an address')
})
