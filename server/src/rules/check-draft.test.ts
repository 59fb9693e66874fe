import type { RuleEffect } from '@docent/contract/values/rule-effects'
import { expect, test } from 'vitest'
import { createLexicon } from '#grammar/lexicon.ts'
import { type RuleDraft, wordsLeftOut } from './check-draft.ts'

const server = {
  sources: [
    { id: 'src_docs', type: 'docs' as const, url: 'https://docs.rivet.example/', label: 'Rivet Docs' },
    { id: 'src_forum', type: 'website' as const, url: 'https://forum.rivet.example/', label: null },
  ],
  sourceId: null,
}
const lexicon = createLexicon()
const left = (sentence: string, effects: RuleEffect[], more: Partial<RuleDraft> = {}) =>
  wordsLeftOut(sentence, { effects, removed: [], wording: [], ...more }, { lexicon, server })

const FORUM: RuleEffect = { kind: 'prefer_source', sourceId: 'src_forum', weight: 1.5 }

test.each<[sentence: string, effects: RuleEffect[]]>([
  ['Prefer the forum.', [FORUM]],
  ['Prefer Rivet Docs.', [{ kind: 'prefer_source', sourceId: 'src_docs', weight: 1.5 }]],
  ['Prefer the forum when asked about webhooks.', [{ ...FORUM, when: { terms: ['webhook'] } }]],
  ['Leave out /archive.', [{ kind: 'exclude_path', glob: '/archive/*' }]],
  ['Prefer pages of the last two months.', [{ kind: 'prefer_recent', halfLifeDays: 60 }]],
  ['At most 3 from the forum.', [{ kind: 'max_per_source', n: 3, sourceId: 'src_forum' }]],
  ['If the question is in French, use the forum.', [{ ...FORUM, when: { language: 'fr' } }]],
  ['Prefer Go examples.', [{ kind: 'prefer_code', language: 'go', weight: 1.5 }]],
])('finds a part for each word of: %s', (sentence, effects) => {
  expect(left(sentence, effects)).toEqual([])
})

test.each<[what: string, sentence: string, effects: RuleEffect[], words: string[]]>([
  ['a condition', 'Prefer the forum when asked about webhooks.', [FORUM], ['when', 'webhooks']],
  ['a name', 'Prefer the forum and the glossary.', [FORUM], ['glossary']],
  ['a source', 'Prefer the forum and Rivet Docs.', [FORUM], ['Rivet Docs']],
  ['a path', 'Prefer the forum and /guides.', [FORUM], ['/guides']],
  ['a negation', 'Do not use the forum.', [FORUM], ['Do not']],
  [
    'an exclusion',
    'Prefer the forum and leave out /a.',
    [FORUM, { kind: 'prefer_path', glob: '/a/*', weight: 2 }],
    ['leave out'],
  ],
  ['a restriction', 'Use only the forum.', [FORUM], ['only']],
  ['a number', 'At most 3 from the forum.', [{ kind: 'max_per_source', n: 2, sourceId: 'src_forum' }], ['3']],
  ['a version', 'Prefer version 4.2 of the forum.', [FORUM], ['4.2']],
  ['a quotation', 'Prefer the forum for “dead letters”.', [FORUM], ['“dead letters”']],
])('names a lost word: %s', (_, sentence, effects, words) => {
  expect(left(sentence, effects)).toEqual(words)
})

test('takes unknown words as wording, but no names', () => {
  const sentence = 'Lean hard on the forum that Ada keeps.'
  expect(left(sentence, [FORUM], { wording: ['Lean hard on', 'Ada'] })).toEqual(['Ada'])
  expect(left(sentence, [FORUM], { wording: ['Lean hard on'], removed: ['that Ada keeps'] })).toEqual([])
})
