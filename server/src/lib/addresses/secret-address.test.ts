import { expect, test } from 'vitest'
import { maskAddress, maskAddresses, readSecrets, withoutMasked, withoutSecrets } from './secret-address.ts'

const SITE = 'https://a.test/docs'

test.each([
  ['?api_key=x', '?api_key=…'],
  ['?a=1&API-Key=x&b=2', '?a=1&API-Key=…&b=2'],
  ['?access_token=x#part', '?access_token=…#part'],
  ['?X-Amz-Signature=x&X-Amz-Date=y', '?X-Amz-Signature=…&X-Amz-Date=…'],
  ['?client%5Fsecret=x', '?client%5Fsecret=…'],
  ['?sig=x&sv=2024-01-01', '?sig=…&sv=2024-01-01'],
  ['?q=4f9Gk2xV9bQ4mZ8sT1nR', '?q=…'],
  ['?id=550e8400-e29b-41d4-a716-446655440000', '?id=…'],
  ['?key=x', '?key=…'],
])('masks the credential of an address that ends in %s', (given, shown) => {
  expect(maskAddress(SITE + given)).toBe(SITE + shown)
  expect(URL.canParse(SITE + shown)).toBe(true)
  expect(maskAddress(SITE + shown)).toBe(SITE + shown)
  expect(maskAddress(new URL(SITE + shown).href)).toBe(new URL(SITE + shown).href)
})

test.each([
  '',
  '?',
  '?api_key',
  '?api_key=',
  '?q=getting-started-with-version-2',
  '?page=2&lang=de&pageToken=3',
  '?path=/guide/authentication/tokens',
  '?ids=100001,100002,100003,100004',
  '?author=ada&keyword=signature',
  '#api_key=x',
])('shows an address that ends in %j as it is', (query) => {
  expect(maskAddress(SITE + query)).toBe(SITE + query)
  expect(withoutSecrets(SITE + query)).toBe(SITE + query)
})

test('leaves out a user name and password', () => {
  expect(maskAddress('https://ada:x@y@a.test/@ada?b=c@d')).toBe('https://a.test/@ada?b=c@d')
  expect(maskAddress('not an address?token=x')).toBe('not an address?token=…')
})

test('removes credentials of links by their name only, and keeps masks', () => {
  const link = `${SITE}?id=4f9Gk2xV9bQ4mZ8sT1nR&token=x&key=y&api_key=…&sig=%E2%80%A62#part`
  expect(withoutSecrets(link)).toBe(`${SITE}?id=4f9Gk2xV9bQ4mZ8sT1nR&key=y&api_key=…&sig=%E2%80%A62#part`)
  expect(withoutSecrets(`${SITE}?token=x`)).toBe(SITE)
  expect(withoutMasked(`${SITE}?a=1&api_key=…&sig=…2`)).toBe(`${SITE}?a=1`)
})

test('masks all addresses of a text', () => {
  expect(maskAddresses('{"a":"See https://a.test/?token=x, or http://u:p@b.test."}')).toBe(
    '{"a":"See https://a.test/?token=… or http://b.test."}',
  )
})

test('gives the secrets back to their origin only', () => {
  const { reveal, hide, names, headers } = readSecrets('https://ada:p%40ss@a.test/?b=1&api_key=s%2Fecret-1234')
  expect(names).toEqual(['api_key', 'user name and password'])
  expect(headers).toEqual({ authorization: `Basic ${btoa('ada:p@ss')}` })
  expect(reveal('https://a.test/next?api_key=…&c=1')).toBe('https://a.test/next?api_key=s%2Fecret-1234&c=1')
  expect(reveal('https://a.test/?api_key=%E2%80%A62')).toBe('https://a.test/?api_key=s%2Fecret-1234')
  expect(reveal('https://b.test/?api_key=…')).toBe('https://b.test/?api_key=…')
  expect(reveal('https://a.test/?other=…')).toBe('https://a.test/?other=…')
  expect(hide('api_key=s%2Fecret-1234 and s/ecret-1234')).toBe('api_key=… and …')
})
