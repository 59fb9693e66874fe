import { expect, test } from 'vitest'
import { createIdleTabs, type Tab } from './tabs.ts'

function tab(pages = 1): Tab & { closed: boolean } {
  const one = {
    pages,
    closed: false,
    frameId: '',
    session: { send: () => Promise.reject(new Error('not asked')), async [Symbol.asyncDispose]() {} },
    async begin() {},
    async [Symbol.asyncDispose]() {
      one.closed = true
    },
  }
  return one
}

test('reuses a tab once, and only for its own origin', () => {
  const tabs = createIdleTabs(2)
  const one = tab()
  tabs.give('http://a.test', one)
  expect(tabs.take('http://b.test')).toBeNull()
  expect(tabs.take('http://a.test')).toBe(one)
  expect(tabs.take('http://a.test')).toBeNull()
})

test('closes the longest idle tab beyond the limit, and a tab after 25 pages', () => {
  const tabs = createIdleTabs(2)
  const [one, two, three] = [tab(), tab(24), tab()]
  tabs.give('http://a.test', one)
  tabs.give('http://b.test', two)
  expect([one.closed, two.closed]).toEqual([false, false])
  tabs.give('http://c.test', three)
  expect([one.closed, two.closed, three.closed]).toEqual([true, false, false])
  const old = tab(25)
  tabs.give('http://d.test', old)
  expect([old.closed, two.closed, three.closed]).toEqual([true, false, false])
  expect(tabs.take('http://d.test')).toBeNull()
})
