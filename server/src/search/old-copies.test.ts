import { expect, test } from 'vitest'
import { createAddressSplitter } from './old-copies.ts'

test('takes the version out of an address, in lower case', () => {
  const split = createAddressSplitter()
  expect(split('https://a.example/Docs/V2.1/Use')).toEqual({ key: 'https://a.example/docs/use', version: 'v2.1' })
  expect(split('https://a.example/docs/use')).toEqual({ key: 'https://a.example/docs/use', version: null })
})

test('remembers 4,000 addresses, and no more', () => {
  const split = createAddressSplitter()
  const first = split('https://a.example/0')
  for (let n = 1; n < 4_000; n++) split(`https://a.example/${n}`)
  expect(split('https://a.example/0')).toBe(first)
  split('https://a.example/4000')
  expect(split('https://a.example/0')).not.toBe(first)
})
