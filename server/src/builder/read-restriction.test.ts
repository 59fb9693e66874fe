import { expect, test } from 'vitest'
import { readRestriction } from './read-restriction.ts'

const SOURCES = [
  { id: 'docs', type: 'docs', url: 'https://docs.test/', label: 'Quay documentation' },
  { id: 'wiki', type: 'website', url: 'https://wiki.test/', label: 'Harbor Wiki' },
] as const

const filtersOf = (prompt: string) =>
  readRestriction(prompt, { sources: SOURCES, pageVersions: [], places: null }).filters
const WIKI = { source: 'Harbor Wiki' }

test.each(
  `Answer questions from X only.
  Answer questions from X alone.
  Answer questions from X exclusively.
  Answer questions from X and nowhere else.
  Answer questions from X, and from no other page.
  Answer questions from nothing but X.
  Answer questions and use nothing outside X.
  Answer questions. Ignore everything except X.
  Answer questions. Everything except X is off limits.
  Answer questions. Do not use anything but X.
  Answer questions. Do not go beyond X.
  Answer questions; the tool must not leave X.
  Answer questions with X as the sole source.
  Answer questions. X is the only source.
  Answer questions. Limit yourself to X.
  Answer questions. Stick to X.
  Answer questions out of X, no other source.
  Answer questions, but leave everything that is not in X alone.
  Beantworte Fragen aus nichts als dem X.
  Beantworte Fragen. Einzige Quelle ist das X.
  Réponds aux questions avec le X seul.
  Responde preguntas. La única fuente es el X.
  Responda perguntas apenas a partir do X.
  Rispondi alle domande esclusivamente dal X.
  只根据 X 回答问题。
  X だけを使って質問に答えてください。`.split(/\n\s*/),
)('reads the only source of: %s', (prompt) => {
  expect(filtersOf(prompt.replace('X', 'Harbor Wiki'))).toEqual(WIKI)
})

test.each(
  `Answer questions, never from X.
  Answer questions from everything but X.
  Answer questions. Leave X out.
  Answer questions from all sources save the X.
  Answer questions. X is off limits.
  Answer questions. X must not be used.
  Answer questions. Anything in X must be ignored.
  Answer questions, from anywhere other than X.
  Beantworte Fragen aus allem außer dem X.
  X を使わずに質問に答えてください。
  X 以外から質問に答えてください。`.split(/\n\s*/),
)('reads the excluded source of: %s', (prompt) => {
  expect(filtersOf(prompt.replace('X', 'Harbor Wiki'))).toEqual({ not: [WIKI] })
})

test('reads the place behind `below` that a request leaves out, and nothing before `except`', () => {
  expect(filtersOf('Answer questions in German if they are German, never use pages below /old.')).toEqual({
    not: [{ path: '/old' }],
  })
  expect(filtersOf('Everything in the Harbor Wiki except the rules.')).not.toEqual({ not: [WIKI] })
  expect(filtersOf('People ask how long it takes; answer with the days only.')).toBeUndefined()
})

test('reads no restriction where a request allows more than it names', () => {
  expect(filtersOf('Answer questions, not only from Harbor Wiki.')).toBeUndefined()
  expect(filtersOf('Answer questions. Do not leave out Harbor Wiki.')).toBeUndefined()
})

test('leaves out the pages of a version, and refuses one that no page has', () => {
  const read = (places: readonly string[]) =>
    readRestriction('Describe a method; ignore version 4.', {
      sources: SOURCES,
      pageVersions: ['v4'],
      places: { has: (glob) => places.includes(glob), hasVersion: () => true, find: () => [] },
    })
  expect(read(['*/v4/*'])).toMatchObject({ filters: { not: [{ path: '*/v4/*' }] }, unknownVersion: null })
  expect(read([])).toMatchObject({ filters: undefined, unknownVersion: 'version 4' })
})

const TWO = { anyOf: [{ source: 'Quay documentation' }, { source: 'Harbor Wiki' }] }

test('reads each of two places, and the one that owns what is asked for', () => {
  expect(filtersOf('Answer questions from the Quay documentation and the Harbor Wiki.')).toEqual(TWO)
  expect(filtersOf("Get the Harbor Wiki's advice on a problem.")).toEqual(WIKI)
})

test.each([
  ['Search a topic, and only if there is none search the Harbor Wiki.', { stray: 'Harbor Wiki' }],
  ['Search a topic. Use the Harbor Wiki only if there is nothing else.', { preference: expect.any(String) }],
  ['Answer only from the Harbor Wiki. If the Harbor Wiki has nothing, say so.', { filters: WIKI }],
])('reads the condition of a place in: %s', (prompt, read) => {
  expect(readRestriction(prompt, { sources: SOURCES, pageVersions: [], places: null })).toMatchObject(read)
})

test('lists the things of a source, and no page that is called like them', () => {
  const places = { has: () => true, hasVersion: () => true, find: () => ['/abbreviations/*'] }
  const content = { sources: SOURCES, pageVersions: [], places }
  expect(readRestriction('List all abbreviations used in the Harbor Wiki.', content).filters).toEqual(WIKI)
})
