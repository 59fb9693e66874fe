import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { FROZEN, type GateQuestion, hasFact, readGateQuestions } from './gate-questions.ts'
import { askGate, figuresOf } from './measure-gate.ts'
import { indexDocs, openDocs } from './open-docs.ts'
import { compareFigures, recordedFigures } from './recorded-figures.ts'

const QUESTIONS = readGateQuestions()

test('asks at least 100 different questions, of which some have no answer', () => {
  expect(new Set(QUESTIONS.map(({ question }) => question)).size).toBe(QUESTIONS.length)
  expect(QUESTIONS.filter(({ places }) => places.length > 0).length).toBeGreaterThanOrEqual(100)
  expect(QUESTIONS.filter(({ places }) => places.length === 0).length).toBeGreaterThanOrEqual(12)
})

test('names sections of the frozen documents that contain the key fact', () => {
  const texts = new Map(
    globSync('**/*.md', { cwd: FROZEN }).map((path) => [path, readFileSync(join(FROZEN, path), 'utf8')]),
  )
  const wrong = QUESTIONS.flatMap((asked: GateQuestion) =>
    asked.places.flatMap((place) => {
      const [page = '', heading] = place.split('#', 2)
      const section = sectionOf(texts.get(page) ?? '', heading)
      return section !== '' && hasFact(asked, section) ? [] : [`${asked.question} ${place}`]
    }),
  )
  expect(wrong).toEqual([])
})

test('keeps the recorded quality of search and answers on the frozen documents', async () => {
  const figures = figuresOf(await askGate(openDocs(indexDocs(FROZEN)), QUESTIONS))
  const { fell, rose } = compareFigures(recordedFigures('questions'), figures)
  if (rose.length > 0)
    process.stderr.write(
      `\nFigures of the gate rose. Record them with "npm run bench -- gate --record":\n  ${rose.join('\n  ')}\n\n`,
    )
  expect(fell, 'Figures fell. "npm run bench -- gate --misses" lists the questions.').toEqual([])
})

describe('comparison of figures', () => {
  test.each([
    [0.5, 0.489, ['fell']],
    [0.5, 0.4901, []],
    [0.5, 0.5099, []],
    [0.5, 0.511, ['rose']],
  ])('with %d recorded and %d measured: %j', (before, now, expected) => {
    const { fell, rose } = compareFigures({ figure: before }, { figure: now })
    expect([...fell.map(() => 'fell'), ...rose.map(() => 'rose')]).toEqual(expected)
  })
})

/** The text of a section with its subsections. The section of a page's title is the page. */
function sectionOf(text: string, heading: string | undefined): string {
  const lines = text.split('\n')
  if (heading === undefined) return text
  const from = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading)
  if (from < 0) return ''
  const level = lines[from]?.indexOf(' ') ?? 0
  let isCode = false
  const rest = lines.slice(from + 1)
  const end = rest.findIndex((line) => {
    if (line.trimStart().startsWith('```')) isCode = !isCode
    return !isCode && /^#+ /.test(line) && line.indexOf(' ') <= Math.max(2, level)
  })
  return (end < 0 || level === 1 ? rest : rest.slice(0, end)).join('\n')
}
