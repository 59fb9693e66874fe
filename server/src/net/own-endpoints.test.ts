import { expect, test } from 'vitest'
import { namesOwnListener } from './own-endpoints.ts'

const listener = { hosts: ['Docs.example', 'fd00::1', '192.0.2.7'], ports: [3000, 443] }

test.each([
  'http://localhost:3000/api/mcp/a',
  'http://localhost.:3000/',
  'http://a.localhost:3000/',
  'http://127.8.9.1:3000/',
  'http://2130706433:3000/',
  'http://[::1]:3000/',
  'http://[::ffff:127.0.0.1]:3000/',
  'http://0.0.0.0:3000/',
  'http://docs.example:3000/',
  'https://docs.example./',
  'http://[fd00:0::1]:3000/',
  'http://192.0.2.7:3000/',
])('finds that %s names the listener', (url) => {
  expect(namesOwnListener(new URL(url), listener)).toBe(true)
})

test.each([
  'http://localhost:3001/',
  'http://localhost/',
  'http://localhost.example:3000/',
  'http://192.0.2.8:3000/',
  'http://10.0.0.1:3000/',
  'http://other.example:3000/',
])('finds that %s names something else', (url) => {
  expect(namesOwnListener(new URL(url), listener)).toBe(false)
})
