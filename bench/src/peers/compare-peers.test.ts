import { expect, test } from 'vitest'
import { hitsOf } from './compare-peers.ts'

const asked = [{ places: ['docs/a.md#One', 'README.md'] }, { places: ['docs/b.md'] }]
const at = (...paths: string[]) => paths.map((path) => `http://127.0.0.1:1${path}`)

test('counts a hit for the page of a right place, whatever its section', () => {
  expect(hitsOf(asked, [at('/docs/a.html#two'), at('/docs/c.html', '/docs/b.html')])).toEqual({ hit1: 0.5, hit5: 1 })
  expect(hitsOf(asked, [at('/README.html'), at('/docs/b.html')])).toEqual({ hit1: 1, hit5: 1 })
})

test('counts no hit after the fifth result, for another page or without results', () => {
  const five = ['/1', '/2', '/3', '/4', '/5']
  expect(hitsOf(asked, [at(...five.slice(1), '/docs/a.html'), at(...five, '/docs/b.html')])).toEqual({
    hit1: 0,
    hit5: 0.5,
  })
  expect(hitsOf(asked, [at('/docs/README.html')])).toEqual({ hit1: 0, hit5: 0 })
})
