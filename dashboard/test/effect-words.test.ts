import { expect, test } from 'vitest'
import { createRuleCompiler } from '../../server/src/rules/compile-rule.ts'
import { effectWords } from '../src/rules/effect-words.ts'

type Source = Parameters<ReturnType<typeof createRuleCompiler>>[1]['sources'][number]

const SOURCES: Source[] = [
  { id: 'src_docs', type: 'docs', url: 'https://docs.rivet.example/', label: 'Rivet Docs' },
  { id: 'src_forum', type: 'website', url: 'https://forum.rivet.example/', label: null },
]
const compile = createRuleCompiler()

/** The dashboard's description of the effects of a sentence. */
function told(sentence: string): string[] {
  return compile(sentence, { sources: SOURCES, sourceId: null }).effects.map((effect) => {
    const { what, when } = effectWords(effect, SOURCES)
    return when === null ? what : `${what} Only ${when}.`
  })
}

test.each<[sentence: string, words: string[]]>([
  ['Prefer the Rivet Docs over forum.rivet.example.', ['Ranks Rivet Docs higher.', 'Ranks forum.rivet.example lower.']],
  ['Never show anything from the forum.', ['Never uses forum.rivet.example.']],
  ['Use only the Rivet Docs.', ['Uses only Rivet Docs.']],
  ['Put pages under /admin first in the results.', ['Ranks pages under /admin first.']],
  ['Rank pages under /admin slightly higher.', ['Ranks pages under /admin slightly higher.']],
  ['Rank pages under /admin slightly lower.', ['Ranks pages under /admin slightly lower.']],
  ['Rank pages under /admin last.', ['Ranks pages under /admin last.']],
  ['Leave out pages under /internal.', ['Leaves out pages under /internal.']],
  ['Prefer the latest version.', ['Ranks the latest version higher.']],
  ['Prefer version 4 when someone asks about plugins.', ['Ranks version 4 higher. Only for questions with “plugins”.']],
  [
    'Rank pages from the last 2 years higher.',
    ['Ranks pages higher the newer they are: half of the preference is left at 730 days.'],
  ],
  ['Prefer Go examples over anything else.', ['Ranks passages with go code higher.']],
  ['TLS stands for transport layer security.', ['Reads “tls” also as “transport layer security”.']],
  ['Show no more than one result from the forum.', ['Shows at most one passage of forum.rivet.example.']],
  ['Show at most 2 results per source.', ['Shows at most 2 passages of a source.']],
  [
    'If the question is in French, prefer pages in /fr/.',
    ['Ranks pages under /fr higher. Only for questions in French.'],
  ],
  ['For API lookups, use only the Rivet Docs.', ['Uses only Rivet Docs. Only for calls of find_api_reference.']],
])('describes the effects of: %s', (sentence, words) => {
  expect(told(sentence)).toEqual(words)
})

test('names a source that has been removed', () => {
  const effect = { kind: 'only_source' as const, sourceId: 'src_gone' }
  expect(effectWords(effect, SOURCES).what).toBe('Uses only a removed source.')
})
