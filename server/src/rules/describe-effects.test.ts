import type { RuleEffect } from '@docent/contract/values/rule-effects'
import { expect, test } from 'vitest'
import { describeEffects } from './describe-effects.ts'

const SOURCES = [
  { id: 'src_docs', url: 'https://docs.rivet.example/', label: 'Rivet Docs' },
  { id: 'src_forum', url: 'https://forum.rivet.example/', label: null },
]
const path = (weight: number): RuleEffect => ({ kind: 'prefer_path', glob: '/admin/*', weight })

test.each<[effect: RuleEffect, words: string]>([
  [{ kind: 'prefer_source', sourceId: 'src_docs', weight: 1.5 }, 'Ranks Rivet Docs higher.'],
  [{ kind: 'avoid_source', sourceId: 'src_forum', weight: 0.6 }, 'Ranks forum.rivet.example lower.'],
  [{ kind: 'avoid_source', sourceId: 'src_forum', weight: 0 }, 'Never uses forum.rivet.example.'],
  [{ kind: 'only_source', sourceId: 'src_gone' }, 'Uses only a removed source.'],
  [path(2.5), 'Ranks pages under /admin first.'],
  [path(1.2), 'Ranks pages under /admin slightly higher.'],
  [path(0.85), 'Ranks pages under /admin slightly lower.'],
  [path(0.3), 'Ranks pages under /admin last.'],
  [{ kind: 'exclude_path', glob: '/internal/*' }, 'Leaves out pages under /internal.'],
  [{ kind: 'only_path', glob: '/a/*', sourceId: 'src_docs' }, 'Uses only pages under /a of Rivet Docs.'],
  [{ kind: 'prefer_path', glob: '/a#limits', weight: 1.5 }, 'Ranks the section #limits of /a higher.'],
  [{ kind: 'prefer_type', type: 'api', weight: 1.5 }, 'Ranks sources of type API description higher.'],
  [{ kind: 'prefer_version', version: 'latest', weight: 1.5 }, 'Ranks the latest version higher.'],
  [
    { kind: 'prefer_recent', halfLifeDays: 730 },
    'Ranks pages higher the newer they are: half of the preference is left at 730 days.',
  ],
  [{ kind: 'prefer_code', language: 'go', weight: 1.5 }, 'Ranks passages with go code higher.'],
  [{ kind: 'expand_terms', from: 'tls', to: ['ssl', 'https'] }, 'Reads “tls” also as “ssl”, “https”.'],
  [{ kind: 'max_per_source', n: 1, sourceId: 'src_forum' }, 'Shows at most one passage of forum.rivet.example.'],
  [{ kind: 'max_per_source', n: 2 }, 'Shows at most 2 passages of a source.'],
  [
    { kind: 'only_source', sourceId: 'src_docs', when: { terms: ['a', 'b', 'c'], exceptTerms: ['d'], language: 'fr' } },
    'Uses only Rivet Docs, only for questions with “a”, “b” or “c” and without “d” and in French.',
  ],
  [
    { kind: 'only_source', sourceId: 'src_docs', when: { tool: ['find_api_reference'] } },
    'Uses only Rivet Docs, only for calls of find_api_reference.',
  ],
])('describes %j', (effect, words) => {
  expect(describeEffects([effect], SOURCES)).toEqual([words])
})
