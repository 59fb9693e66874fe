import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cpuSeconds } from '../../test/support/lib/cpu-seconds.ts'
import { fencesOf } from './fences.ts'

test('returns fenced code with its language and offsets', () => {
  const page = 'A\n\n```ts title="a"\nconst a = `b`\n```\n\n  ~~~\n```\n~~\n  ~~~~\nB ```c```\n````\n```\nend'
  const text = (at: number) => page.slice(fencesOf(page)[at]?.start, fencesOf(page)[at]?.end)
  expect(fencesOf(page).map((fence) => [fence.language, fence.text])).toEqual([
    ['ts', 'const a = `b`'],
    [null, '```\n~~'],
    [null, '```\nend'],
  ])
  expect([text(0), text(1)]).toEqual(['```ts title="a"\nconst a = `b`\n```', '  ~~~\n```\n~~\n  ~~~~'])
})

/** Reference implementation, line by line. */
function plainly(markdown: string) {
  return [...markdown.matchAll(/^[ \t]*(`{3,}|~{3,})(.*)$/gm)].map(({ index }) => index)
}

test('starts and ends a fence only on lines that begin with a mark', () => {
  const pieces = fc.constantFrom('```', '~~~', '`', '~', ' ', '\t', '\n', '\r', '\u2028', 'a', 'js', '````')
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
      const markdown = parts.join('')
      const marks = plainly(markdown)
      const fences = fencesOf(markdown)
      for (const { start } of fences) expect(marks).toContain(start)
      expect(fences[0]?.start).toBe(marks[0])
    }),
    { numRuns: 2_000 },
  )
})

test('scans long runs of blanks before marks in linear time', () => {
  const page = `${' '.repeat(200_000)}x\n`.repeat(5) + `a${' '.repeat(1_000)}\`\`\``.repeat(1_000)
  expect(cpuSeconds(() => fencesOf(page))).toBeLessThan(2)
  expect(cpuSeconds(() => fencesOf('```\n'.repeat(500_000)))).toBeLessThan(2)
})
