import { expect, test } from 'vitest'
import { clientNetwork, networkSteps } from './client-network.ts'

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['192.0.2.1:4711', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::ffff:c000:201', '192.0.2.1'],
  ['[::ffff:192.0.2.1]:80', '192.0.2.1'],
  ['64:ff9b::192.0.2.1', '192.0.2.1'],
  ['::ffff:0:192.0.2.1', '192.0.2.1'],
])('counts %s as the IPv4 address %s', (address, network) => {
  expect(clientNetwork(address)).toBe(network)
})

test.each([
  '2001:db8:1:2::',
  '2001:db8:1:2::1',
  '2001:DB8:1:2:ffff:ffff:ffff:ffff',
  '2001:0db8:0001:0002:a:b:c:d',
  '[2001:db8:1:2::1]:4711',
  '[2001:db8:1:2::1]',
  '2001:db8:1:2::1%eth0',
])('counts %s by its /64', (address) => {
  expect(clientNetwork(address)).toBe('2001:db8:1:2::/64')
})

test.each(['2001:db8:1:3::1', '2001:db8:1:1:ffff:ffff:ffff:ffff', '2001:db8:2:2::1'])(
  'distinguishes %s from the neighbouring /64',
  (address) => {
    expect(clientNetwork(address)).not.toBe('2001:db8:1:2::/64')
  },
)

test.each(['unknown', '', '192.0.2.999', 'caller-7', '[nonsense]:1'])('leaves %j unchanged', (text) => {
  expect(clientNetwork(text)).toBe(text)
})

test('counts an IPv6 client by its /64, /56 and /48, and any other alone', () => {
  expect(networkSteps(clientNetwork('2001:db8:1:23ff::1'))).toEqual([
    { network: '2001:db8:1:23ff::/64', times: 1 },
    { network: '2001:db8:1:2300::/56', times: 4 },
    { network: '2001:db8:1::/48', times: 16 },
  ])
  for (const network of ['192.0.2.1', 'unknown', 'caller::/64x']) {
    expect(networkSteps(clientNetwork(network))).toEqual([{ network, times: 1 }])
  }
})
