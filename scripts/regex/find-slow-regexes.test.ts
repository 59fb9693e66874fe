import { expect, test } from 'vitest'
import { findSlowRegexes } from './find-slow-regexes.ts'
import { readRegexesOf } from './read-regexes.ts'

const check = (code: string, allowed: Parameters<typeof findSlowRegexes>[1] = []) =>
  findSlowRegexes(readRegexesOf('a.ts', code), allowed)

test.each([
  ['exponential backtracking', String.raw`/^(?:\w+\s?)+$/`],
  ['cubic backtracking between neighbours', String.raw`/^\s*\|?(?:\s*:?-+:?\s*\|)+\s*:?-*:?\s*\|?\s*$/`],
  ['a scan from every blank', String.raw`/\s+$/`],
  ['a scan from every word', String.raw`/curl [^\n]*\| *(?:ba)?sh/`],
  ['a scan from every line', String.raw`/^schema\s*@[^{]*\{/m`],
  ['a scan from every bracket', String.raw`/\[([^\]]*)\]\([^)]*\)/g`],
])('finds %s', (_, regex) => {
  expect(check(`const A = ${regex}`)).toEqual([expect.stringMatching(/^a\.ts:1 .* takes more than linear time /)])
})

test.each([
  ['a lookbehind that holds the scan to the first blank', String.raw`/(?<!\s)\s+$/`],
  ['bounded repetition', String.raw`/<[^>]{0,200}>/g`],
  ['words and classes that exclude each other', String.raw`/^([\w.]+)[ \t]*=[ \t]*(\S.*)?$/`],
])('accepts %s', (_, regex) => {
  expect(check(`const A = ${regex}`)).toEqual([])
})

test('finds a slow expression composed of constants of its file', () => {
  const code = "const BLANK = String.raw`\\s+`\nconst A = new RegExp(`${BLANK}$`, 'm')"
  expect(check(code)).toEqual([expect.stringContaining('a.ts:2 /\\s+$/m takes more than linear time')])
})

test('reports an expression that it cannot resolve', () => {
  expect(check('const A = new RegExp(read())')).toEqual([expect.stringContaining('cannot be checked')])
})

test('accepts a slow expression listed with a reason, and reports an unused entry', () => {
  const listed = { file: 'a.ts', source: String.raw`\s+$`, reason: 'Reads constants alone.' }
  expect(check(String.raw`const A = /\s+$/`, [listed])).toEqual([])
  expect(check('const A = /a/', [listed])).toEqual([expect.stringContaining('unlist it')])
})
