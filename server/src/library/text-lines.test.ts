import { expect, test } from 'vitest'
import { tablesOf } from './reference/read-parameters.ts'
import { linesOf, MAX_LINE } from './text-lines.ts'

test('reads a line up to 10,000 characters', () => {
  const line = 'a'.repeat(MAX_LINE)
  expect(linesOf(`${line}\n${line}b\nc`)).toEqual([line, line, 'c'])
})

test('reads a table row up to the maximum line length', () => {
  const rowOf = (length: number) => `| a | ${'b'.repeat(length - '| a |  |'.length)} |`
  const read = (length: number) => tablesOf(`| A | B |\n| - | - |\n${rowOf(length)}`)[0]?.rows[0]?.[1]?.length
  expect([read(MAX_LINE), read(MAX_LINE + 100)]).toEqual([MAX_LINE - 8, MAX_LINE - 6])
})
