import { assert, constantFrom, ipV4, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judgeAddress, EVERYWHERE, parseNetworks, namesOwnListener } from './judge-address.ts'

const NONE = parseNetworks('')

describe('address check', () => {
  test.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.0.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '168.63.129.16',
    '::',
    '::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'fc00::1',
    'fd00:ec2::254',
    'ff02::1',
    '100::1',
    '2001:db8::1',
    '3fff::1',
    '5f00::1',
    '2001:2::1',
    '2001:10::1',
    '2001:20::1',
    '4000::1',
    'not an address',
    '',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '::127.0.0.1',
    '::ffff:0:10.0.0.1',
    '64:ff9b::10.0.0.1',
    '64:ff9b:1::1',
    '64:ff9b::8.8.8.8',
    '2002:a00:1::1',
    '2002:808:808::1',
    '2001:0:a00:1::1',
    '2a00::5efe:10.0.0.1',
    '2a00::200:5efe:192.168.0.1',
  ])('forbids %j', (address) => {
    expect(judgeAddress(address, NONE)).toMatchObject({ verdict: 'forbidden', range: expect.stringMatching(/./) })
  })

  test.each([
    '8.8.8.8',
    '93.184.216.34',
    '172.32.0.1',
    '192.0.1.1',
    '::ffff:8.8.8.8',
    '2606:2800:220:1::1',
    '2a00::5efe:8.8.8.8',
  ])('accepts %s as public', (address) => {
    expect(judgeAddress(address, NONE).verdict).toBe('public')
  })
})

describe('allowed network', () => {
  const networks = parseNetworks('127.0.0.0/8, 10.1.0.0/16 ::1 64:ff9b::/96')

  test.each([
    ['127.0.0.1', 'allowed'],
    ['::ffff:127.0.0.1', 'allowed'],
    ['10.1.255.1', 'allowed'],
    ['10.2.0.1', 'forbidden'],
    ['::1', 'allowed'],
    ['::2', 'forbidden'],
    ['8.8.8.8', 'public'],
    ['64:ff9b::8.8.8.8', 'allowed'],
    ['64:ff9b::10.1.0.1', 'allowed'],
    ['64:ff9b::10.2.0.1', 'forbidden'],
  ])('judges %s within allowed networks as %s', (address, verdict) => {
    expect(judgeAddress(address, networks).verdict).toBe(verdict)
  })

  test.each(['localhost', '10.0.0.0/33', '127.1/8', '010.0.0.0/8', '10.0.0.0/8;::1'])(
    'rejects %j as an allowed network',
    (text) => {
      expect(() => parseNetworks(`10.0.0.0/8, ${text}`)).toThrow(`"${text}" is not a network`)
    },
  )
})

test.each([
  '169.254.169.254',
  '169.254.170.2',
  '169.254.0.23',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
  'fd00:c1::a9fe:a9fe',
  'fd00:42::42',
  'fe80::a9fe:a9fe',
  'fe80::1%eth0',
  '::ffff:169.254.169.254',
  '64:ff9b::169.254.169.254',
  '::ffff:a9fe:a9fe',
  '2002:a9fe:a9fe::1',
])('blocks the metadata address %s with any setting', (address) => {
  expect(judgeAddress(address, EVERYWHERE).verdict).toBe('forbidden')
  expect(judgeAddress(address, parseNetworks(`${address.replace('%eth0', '')}, 127.0.0.0/8`)).verdict).toBe('forbidden')
})

test.each(['169.253.255.255', '169.255.0.0', '100.100.100.201', '192.0.0.191', '168.63.129.17', 'fd00:ec3::254'])(
  'allows %s in an allowed network next to a metadata address',
  (address) => {
    expect(judgeAddress(address, EVERYWHERE).verdict).toBe('allowed')
  },
)

test('blocks private IPv4 addresses in every IPv6 form', () => {
  const prefixes = ['::ffff:', '::', '64:ff9b::', '::ffff:0:', '2a00::5efe:']
  assert(
    property(constantFrom(...prefixes), ipV4(), (prefix, address) => {
      const plain = judgeAddress(address, NONE).verdict
      const wrapped = judgeAddress(`${prefix}${address}`, NONE).verdict
      expect(wrapped === 'public' && plain !== 'public').toBe(false)
    }),
  )
})

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
