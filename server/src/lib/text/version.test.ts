import { describe, expect, test } from 'vitest'
import { compareVersions, isOfLine, parseVersion, parseRange, newestAsked, newestReleases } from './version.ts'

const version = (text: string) => {
  const parsed = parseVersion(text)
  if (!parsed) throw new Error(`${text} is no version`)
  return parsed
}

test.each([
  ['1.2.3', [1, 2, 3], null],
  ['v2', [2], null],
  ['V 2.0', [2, 0], null],
  ['version 1.4', [1, 4], null],
  ['2.x', [2], null],
  ['1.0.0-rc.1', [1, 0, 0], ['rc', 1]],
  ['2.0.0b3', [2, 0, 0], ['b', 3]],
  ['3.0.0-0.3.7', [3, 0, 0], [0, 3, 7]],
  ['1.0.0+build.7', [1, 0, 0], null],
  ['2024-03-01', [2024, 3, 1], null],
  ['2024-03-01-preview', [2024, 3, 1], ['preview']],
])('parses the version %s', (text, numbers, pre) => {
  expect(parseVersion(text)).toMatchObject({ numbers, pre })
})

test.each(['', 'v', 'latest', '1.2.3 and more', '3d', 'next-14', '1.2..3'])('rejects %j as a version', (text) => {
  expect(parseVersion(text)).toBeNull()
})

test('orders versions however they are written', () => {
  const order = [
    '0.9',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    'v1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0rc1',
    '1.0',
    'v1.0.1',
    '1.2',
    '1.10.0',
    '2',
    '2024-01-31',
    '2024-02-01',
  ]
  const shuffled = order.toReversed().map(version)
  expect(shuffled.toSorted(compareVersions).map(({ text }) => text)).toEqual(order.map((text) => text.replace('v', '')))
  expect(compareVersions(version('1'), version('v1.0.0'))).toBe(0)
})

test('matches a line to its versions, and a pre-release only to itself', () => {
  expect(isOfLine(version('2.1.4'), version('2'))).toBe(true)
  expect(isOfLine(version('2.1.4'), version('2.1'))).toBe(true)
  expect(isOfLine(version('2.10.0'), version('2.1'))).toBe(false)
  expect(isOfLine(version('2.0.0'), version('2.0.0-rc.1'))).toBe(false)
  expect(isOfLine(version('2.0.0-rc.1'), version('2.0.0'))).toBe(false)
  expect(isOfLine(version('2.0.0-rc.1'), version('2.0'))).toBe(true)
})

test('finds the newest release of each of the newest lines', () => {
  const tags = ['v1.9.0', 'v1.10.0', 'v1.10.2', 'v2.0.0-rc.1', 'release-1.8', 'main', 'v1.10.1', 'nightly', '1.7']
  expect(newestReleases(tags, 3)).toEqual(['v1.10.2', 'v1.9.0', 'release-1.8'])
  expect(newestReleases(['v1', 'v3', 'latest', 'v2'], 2)).toEqual(['v3', 'v2'])
  expect(newestReleases(tags, 0)).toEqual([])
  expect([newestAsked('newest:10'), newestAsked('v2'), newestAsked('newest:0')]).toEqual([10, null, null])
})

describe('ranges', () => {
  test.each([
    ['>=2.0 <3', ['2.0', '2.9.9'], ['1.9', '3.0.0', '3.0.0-rc.1']],
    ['>= 2.0, < 3', ['2.1'], ['3.0']],
    ['>2', ['3'], ['2', '2.4']],
    ['<=2.1', ['2.1.7', '2.0'], ['2.2']],
    ['^1.2', ['1.2', '1.9'], ['1.1', '2.0']],
    ['^0.2.1', ['0.2.9'], ['0.3.0']],
    ['~1.4', ['1.4.9'], ['1.5']],
    ['1.2 - 1.4', ['1.2', '1.4.9'], ['1.5', '1.1']],
    ['2.x', ['2.0', '2.7'], ['3.0']],
    ['1 || 3', ['1.5', '3.1'], ['2.0']],
    ['>=2024-01-01', ['2024-02-01'], ['2023-12-31']],
  ])('matches versions against the range %s', (text, inside, outside) => {
    const range = parseRange(text)
    expect(inside.filter((each) => range?.(version(each)))).toEqual(inside)
    expect(outside.filter((each) => range?.(version(each)))).toEqual([])
  })

  test.each(['', 'newest', '>= <3', '1.2 -', '>>1'])('rejects %j as a range', (text) =>
    expect(parseRange(text)).toBeNull(),
  )
})
