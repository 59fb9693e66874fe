import type { RuleEffect } from '@docent/contract/values/rule-effects'
import { expect, test } from 'vitest'
import type { CompiledRule } from './compile-rule.ts'
import { explainRefusal, explainRule } from './explain-rule.ts'

const SOURCES = [
  { id: 'src_docs', type: 'docs' as const, url: 'https://docs.rivet.example/', label: 'Rivet Docs' },
  { id: 'src_forum', type: 'website' as const, url: 'https://forum.rivet.example/', label: null },
]
const UP: RuleEffect = { kind: 'prefer_source', sourceId: 'src_forum', weight: 1.5 }
const OUT: RuleEffect = { kind: 'avoid_source', sourceId: 'src_forum', weight: 0 }
const ruleOf = (given: Partial<CompiledRule>): CompiledRule => ({
  effects: [],
  removed: [],
  refused: [],
  isOutOfScope: false,
  unclear: [],
  unknown: [],
  reasons: [],
  weakened: [],
  contradictions: [],
  paths: [],
  ...given,
})
const refusal = (given: Partial<CompiledRule>, nearest: string[] = []) =>
  explainRefusal(ruleOf(given), { sources: SOURCES, nearest })

test('lists effects, then parts that ask for more, contradictions and parts without an effect', () => {
  const rule = ruleOf({
    effects: [UP],
    weakened: ['drop old pages'],
    contradictions: [{ one: UP, other: OUT, isTotal: false }],
    reasons: ['it is fast', 'it is new'],
  })
  expect(explainRule(rule, SOURCES)).toEqual([
    'Ranks forum.rivet.example higher.',
    '“drop old pages” asks for more: by age, version or code, a rule ranks pages and leaves none out.',
    'The sentence asks for both “Ranks forum.rivet.example higher.” and “Never uses forum.rivet.example.” Where both apply, the one with the condition counts.',
    'Read without an effect: “it is fast” and “it is new”.',
  ])
})

test('refuses a contradiction with both of its sides', () => {
  const contradictions = [{ one: UP, other: OUT, isTotal: true }]
  expect(refusal({ effects: [UP, OUT], contradictions })).toBe(
    'Understood: “Ranks forum.rivet.example higher.” and “Never uses forum.rivet.example.” They contradict each other. Which of the two do you mean?',
  )
})

test('names what it did not understand before a contradiction', () => {
  const contradictions = [{ one: UP, other: OUT, isTotal: true }]
  const message = refusal({ effects: [UP, OUT], contradictions, unclear: ['on Tuesdays'] })
  expect(message).toMatch(/^Understood: Ranks forum.* Not understood: “on Tuesdays”\. Which sources, pages/)
})

test('asks about unknown names with the sources and at most three similar pages', () => {
  const message = refusal({ unclear: ['/gide'], unknown: ['/gide'] }, ['/guide/', '/guides/', '/aide/', '/side/'])
  expect(message).toBe(
    'Not understood: “/gide”. This server has no source and no page called “/gide”. Its sources are: Rivet Docs, https://forum.rivet.example/. The nearest pages are: /guide/, /guides/, /aide/. Which of them do you mean?',
  )
})

test('lists ten sources', () => {
  const many = Array.from({ length: 11 }, (_, n) => ({ ...SOURCES[0], id: `src_${n}`, label: `Source ${n}` }))
  const sources = many as typeof SOURCES
  const message = explainRefusal(ruleOf({ unclear: ['x'], unknown: ['x'] }), { sources, nearest: [] })
  expect(message).toContain('Source 9.')
  expect(message).not.toContain('Source 10')
})
