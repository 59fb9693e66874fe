import { expect, test } from 'vitest'
import { createConcurrencyLimits } from './connect-remote-mcp.ts'

const LIMITS = { account: 2, host: 3 }
const isTaken = (place: Disposable | object): place is Disposable => Symbol.dispose in place

test('admits up to each limit, and names the limit that refuses the next', () => {
  const { take } = createConcurrencyLimits(LIMITS)
  expect([take({ account: 'a', host: 'h' }), take({ account: 'a', host: 'h' })].every(isTaken)).toBe(true)
  expect(take({ account: 'a', host: 'other' })).toEqual({ refusedBy: 'account', limit: 2 })
  expect(isTaken(take({ account: 'b', host: 'h' }))).toBe(true)
  expect(take({ account: 'b', host: 'h' })).toEqual({ refusedBy: 'host', limit: 3 })
  expect(isTaken(take({ account: 'b', host: 'other' }))).toBe(true)
})

test('takes no slot for a refused call, and releases a slot only once', () => {
  const { take } = createConcurrencyLimits(LIMITS)
  const held = [take({ account: 'a', host: 'h' }), take({ account: 'a', host: 'h' })]
  for (let again = 0; again < 5; again++) take({ account: 'a', host: 'h' })
  const first = held[0]
  if (!first || !isTaken(first)) throw new Error('not taken')
  first[Symbol.dispose]()
  first[Symbol.dispose]()
  expect(isTaken(take({ account: 'a', host: 'h' }))).toBe(true)
  expect(isTaken(take({ account: 'a', host: 'h' }))).toBe(false)
})
