import { zstdCompressSync } from 'node:zlib'
import type { RuleEffect } from '@docent/contract/values/rule-effects'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runBuildTask } from '#search/build-tasks.ts'
import { createRetriever, createSearchMemory } from '#search/retrieve.ts'
import { type SamplePage, samplePage } from '../../../test/support/lib/sample-pages.ts'
import { pageDate } from './weigh-passages.ts'
import { conditionMatcher, questionLanguage, ruleGlob } from './active-rules.ts'

const text = 'Configure the proxy of the server.'
const guide = [
  samplePage('guide/proxy', 'Proxy guide', [{ heading: 'Proxy', text: `${text} First of all.` }]),
  samplePage('v1/proxy', 'Proxy in version 1', [{ heading: 'Proxy setup', text: `${text} The old way of it.` }]),
  samplePage('2019/05/proxy', 'Proxy notes', [{ heading: 'Proxy notes', text: `${text} Notes from a meeting.` }]),
]
const forum = [
  samplePage('thread/1', 'My proxy', [{ heading: 'Proxy', text: `${text} It does not work for me.` }]),
  samplePage('thread/2', 'Proxy again', [
    { heading: 'Proxy again', text: `${text} Here is code.`, code: { language: 'python', text: 'proxy = Proxy()' } },
  ]),
  samplePage('thread/3', 'Kubernetes', [{ heading: 'Cluster', text: 'Kubernetes runs pods on nodes.' }]),
]

function setUp() {
  const build = (pages: SamplePage[]) => runBuildTask({ kind: 'build', pages }) ?? new Uint8Array()
  const segments = new Map([
    ['guide', build(guide)],
    ['forum', build(forum)],
  ])
  const pages = [...guide, ...forum]
  const retriever = createRetriever(
    {
      loadSegment: async (id) => segments.get(id) ?? null,
      loadTexts: async (_, hashes) =>
        new Map(
          pages
            .filter(({ page }) => hashes.includes(page.textHash))
            .map(({ page, markdown }) => [page.textHash, zstdCompressSync(Buffer.from(markdown))]),
        ),
    },
    createSearchMemory({ cacheBytes: 1_000_000 }),
  )
  const sources = [
    { id: 'guide', type: 'docs' as const, url: 'https://guide.test/', label: null, segments: ['guide'] },
    { id: 'forum', type: 'website' as const, url: 'https://forum.test/', label: null, segments: ['forum'] },
  ]
  const find = async (
    effects: RuleEffect[],
    request: { query?: string; sourceId?: string } = {},
    tool = 'search_docs',
  ) => {
    const rules = effects.length > 0 ? [{ id: 'rule_1', effects }] : []
    const { passages } = await retriever.retrieve(
      { sources, rules, tool },
      { query: 'configure proxy', limit: 9, ...request },
    )
    return passages.map(({ url }) => new URL(url).pathname)
  }
  return { retriever, sources, find }
}

const first = (paths: string[]) => paths[0]

describe('rules in a search', () => {
  test('changes nothing without rules or without a condition that is met', async () => {
    const { find } = setUp()
    const plain = await find([])
    expect(plain).toHaveLength(5)
    expect(await find([{ kind: 'only_source', sourceId: 'forum', when: { terms: ['cache'] } }])).toEqual(plain)
    expect(await find([{ kind: 'only_source', sourceId: 'forum', when: { tool: ['ask_question'] } }])).toEqual(plain)
    expect(await find([{ kind: 'only_source', sourceId: 'forum', when: { language: 'de' } }])).toEqual(plain)
  })

  test.each<[what: string, effect: RuleEffect, path: string]>([
    ['a source', { kind: 'prefer_source', sourceId: 'forum', weight: 2.5 }, '/thread/'],
    ['a type', { kind: 'prefer_type', type: 'website', weight: 2.5 }, '/thread/'],
    ['a path', { kind: 'prefer_path', glob: '/2019/*', weight: 2.5 }, '/2019/05/proxy'],
    ['a version', { kind: 'prefer_version', version: '1', weight: 2.5 }, '/v1/proxy'],
    ['code', { kind: 'prefer_code', language: 'py', weight: 2.5 }, '/thread/2'],
  ])('moves %s up', async (_, effect, path) => {
    expect(first(await setUp().find([effect]))).toContain(path)
  })

  test('moves a source down without losing it', async () => {
    const found = await setUp().find([{ kind: 'avoid_source', sourceId: 'guide', weight: 0.3 }])
    expect(found).toHaveLength(5)
    expect(found.slice(0, 2).every((path) => path.startsWith('/thread/'))).toBe(true)
  })

  test.each<[what: string, effect: RuleEffect, paths: RegExp]>([
    ['all but one source', { kind: 'only_source', sourceId: 'guide' }, /^\/(?:guide|v1|2019)\//],
    ['a source', { kind: 'avoid_source', sourceId: 'guide', weight: 0 }, /^\/thread\//],
    ['a path, whatever its case', { kind: 'exclude_path', glob: '/THREAD/*' }, /^\/(?:guide|v1|2019)\//],
  ])('leave out %s', async (_, effect, paths) => {
    const found = await setUp().find([effect])
    expect(found.length).toBeGreaterThan(1)
    for (const path of found) expect(path).toMatch(paths)
  })

  test.each<[what: string, effects: RuleEffect[], paths: string[]]>([
    ['a path', [{ kind: 'only_path', glob: '/thread/*' }], ['/thread/1', '/thread/2']],
    [
      'paths of several sources',
      [
        { kind: 'only_path', glob: '/thread/1' },
        { kind: 'only_path', glob: '/v1/*' },
      ],
      ['/thread/1', '/v1/proxy'],
    ],
    [
      'a source, and a path of another',
      [
        { kind: 'only_source', sourceId: 'forum' },
        { kind: 'only_path', glob: '/v1/*' },
      ],
      ['/thread/1', '/thread/2', '/v1/proxy'],
    ],
    [
      'a path of one source, and all of the others',
      [{ kind: 'only_path', glob: '/v1/*', sourceId: 'guide' }],
      ['/thread/1', '/thread/2', '/v1/proxy'],
    ],
    [
      'a path of the only source',
      [
        { kind: 'only_source', sourceId: 'guide' },
        { kind: 'only_path', glob: '/v1/*', sourceId: 'guide' },
      ],
      ['/v1/proxy'],
    ],
    ['nothing, if no page has the path', [{ kind: 'only_path', glob: '/nowhere/*' }], []],
  ])('leave only %s', async (_, effects, paths) => {
    expect((await setUp().find(effects)).toSorted()).toEqual(paths)
  })

  test('let only the rule of the higher priority restrict pages', async () => {
    const { retriever, sources } = setUp()
    const rules = [
      { id: 'high', effects: [{ kind: 'only_path' as const, glob: '/v1/*' }] },
      { id: 'low', effects: [{ kind: 'only_path' as const, glob: '/thread/*' }] },
    ]
    const { passages } = await retriever.retrieve({ sources, rules }, { query: 'configure proxy', limit: 9 })
    expect(passages.map(({ url }) => new URL(url).pathname)).toEqual(['/v1/proxy'])
  })

  test.each<[what: string, effect: RuleEffect, sections: string[]]>([
    ['moves a section up', { kind: 'prefer_path', glob: '/guide/parts#limits', weight: 10 }, ['limits', '', 'part-2']],
    ['leaves out a section', { kind: 'exclude_path', glob: '/guide/parts#LIMITS' }, ['', 'part-2']],
    ['leaves only a section', { kind: 'only_path', glob: '*parts#limits' }, ['limits']],
  ])('%s', async (_, effect, sections) => {
    const page = samplePage('guide/parts', 'Parts of a proxy', [
      { heading: 'Start', text: 'The proxy starts with the server, and reads its parts from a file.' },
      { heading: 'Limits', text: 'A proxy accepts a thousand parts of a server in one minute at most.' },
      { heading: 'Parts', text: 'Each part of the proxy is a program. The server of the proxy starts it.' },
    ])
    const segment = runBuildTask({ kind: 'build', pages: [page] }) ?? new Uint8Array()
    const retriever = createRetriever(
      {
        loadSegment: async () => segment,
        loadTexts: async () => new Map([[page.page.textHash, zstdCompressSync(Buffer.from(page.markdown))]]),
      },
      createSearchMemory({ cacheBytes: 1_000_000 }),
    )
    const searched = {
      sources: [{ id: 'guide', type: 'docs' as const, url: 'https://guide.test/', label: null, segments: ['one'] }],
      rules: [{ id: 'rule_1', effects: [effect] }],
    }
    const { passages } = await retriever.retrieve(searched, { query: 'parts of the proxy', limit: 9 })
    const found = passages.map(({ url }) => new URL(url).hash.slice(1))
    expect(effect.kind === 'prefer_path' ? found.slice(0, 1) : found.toSorted()).toEqual(
      effect.kind === 'prefer_path' ? sections.slice(0, 1) : sections,
    )
  })

  test('excludes nothing from a source that the call names', async () => {
    const { find } = setUp()
    const found = await find([{ kind: 'only_source', sourceId: 'guide' }], { sourceId: 'forum' })
    expect(found).toHaveLength(2)
  })

  test('limits the passages of each source', async () => {
    const found = await setUp().find([{ kind: 'max_per_source', n: 1 }])
    expect(found.filter((path) => path.startsWith('/thread/'))).toHaveLength(1)
    expect(found).toHaveLength(2)
  })

  test('prefers recent pages over old and undated ones', async () => {
    const dated = await setUp().find([{ kind: 'prefer_recent', halfLifeDays: 36_500 }])
    expect(dated.indexOf('/2019/05/proxy')).toBeLessThanOrEqual((await setUp().find([])).indexOf('/2019/05/proxy'))
  })

  test('searches for synonyms too, without making the question look answered', async () => {
    const { retriever, sources, find } = setUp()
    expect(await find([], { query: 'orchestrator' })).toEqual([])
    const effects: RuleEffect[] = [{ kind: 'expand_terms', from: 'orchestrator', to: ['kubernetes'] }]
    expect(await find(effects, { query: 'orchestrator' })).toEqual(['/thread/3'])
    const request = { query: 'orchestrator pods', limit: 5 }
    const plain = await retriever.retrieve({ sources }, request)
    const ruled = await retriever.retrieve({ sources, rules: [{ id: 'rule_1', effects }] }, request)
    expect(ruled.words).toEqual(plain.words)
  })

  test('never raises the agreement of a search', async () => {
    const { retriever, sources } = setUp()
    for (const query of ['configure proxy', 'proxy code', 'meeting notes', 'kubernetes nodes']) {
      const request = { query, limit: 5 }
      const { agreement } = await retriever.retrieve({ sources }, request)
      for (const glob of ['/guide/*', '/v1/*', '/2019/*', '/thread/*']) {
        const rules = [{ id: 'rule_1', effects: [{ kind: 'prefer_path' as const, glob, weight: 10 }] }]
        expect((await retriever.retrieve({ sources, rules }, request)).agreement).toBeLessThanOrEqual(agreement)
      }
    }
  })

  test('leaves passages, citations, words and agreement alone under any rules', async () => {
    const { retriever, sources } = setUp()
    const all = [...guide, ...forum]
    const weight = fc.constantFrom(0, 0.3, 0.6, 1.5, 10)
    const source = fc.constantFrom('guide', 'forum', 'gone')
    const glob = fc.constantFrom('/guide/*', '*', '*proxy', '/thread/*', '*/v1/*')
    const scoring = fc.oneof(
      fc.record({ kind: fc.constant('prefer_source' as const), sourceId: source, weight }),
      fc.record({ kind: fc.constant('prefer_path' as const), glob, weight }),
      fc.record({ kind: fc.constant('prefer_code' as const), weight }),
      fc.record({ kind: fc.constant('prefer_recent' as const), halfLifeDays: fc.constant(30) }),
      fc.record({
        kind: fc.constant('expand_terms' as const),
        from: fc.constant('proxy'),
        to: fc.constant(['cluster']),
      }),
    )
    const restricting = fc.oneof(
      fc.record({ kind: fc.constant('only_source' as const), sourceId: source }),
      fc.record({ kind: fc.constant('exclude_path' as const), glob }),
      fc.record({ kind: fc.constant('only_path' as const), glob }),
      fc.record({ kind: fc.constant('max_per_source' as const), n: fc.constantFrom(1, 2) }),
    )
    const query = fc.constantFrom('configure proxy', 'meeting notes', 'kubernetes pods', 'nothing of this sort')
    const effects = fc.record({
      scores: fc.array(scoring, { maxLength: 4 }),
      limits: fc.array(restricting, { maxLength: 2 }),
    })
    const property = fc.asyncProperty(effects, query, async ({ scores, limits }, asked) => {
      const rules = [{ id: 'rule_1', effects: [...scores, ...limits] as RuleEffect[] }]
      const plain = await retriever.retrieve({ sources }, { query: asked, limit: 5 })
      const ruled = await retriever.retrieve({ sources, rules }, { query: asked, limit: 5 })
      for (const { url, passage, sourceId } of ruled.passages) {
        const page = all.find((one) => url.startsWith(one.page.url))
        expect(page?.markdown).toContain(passage)
        expect(sourceId).toBe(page !== undefined && guide.includes(page) ? 'guide' : 'forum')
      }
      if (limits.length > 0) return
      expect(ruled.words).toEqual(plain.words)
      // Synonyms find other passages, whose signals are their own.
      if (scores.some(({ kind }) => kind === 'expand_terms')) return
      expect(ruled.agreement).toBeLessThanOrEqual(plain.agreement)
    })
    await fc.assert(property, { numRuns: 150 })
  })

  test('lets the rule of the higher priority choose the sources', async () => {
    const { retriever, sources } = setUp()
    const rules = [
      { id: 'high', effects: [{ kind: 'only_source' as const, sourceId: 'guide' }] },
      { id: 'low', effects: [{ kind: 'only_source' as const, sourceId: 'forum' }] },
    ]
    const { passages } = await retriever.retrieve({ sources, rules }, { query: 'proxy', limit: 9 })
    expect(new Set(passages.map(({ sourceId }) => sourceId))).toEqual(new Set(['guide']))
  })
})

describe('condition of a rule', () => {
  test.each([
    ['How are webhooks signed?', ['webhook'], true],
    ['Which status codes exist?', ['status code'], true],
    ['What is the status of my code?', ['status code'], false],
    ['C++ or C#?', ['c++'], true],
    ['コンテナの認証について', ['認証'], true],
    ['Nothing of this', ['webhook', 'token'], false],
    ['Why does a delivery fail?', ['failed deliveries'], true],
    ['What does GET /jobs return?', ['get /'], true],
    ['How do I get jobs?', ['get /'], false],
    ['¿Cómo es la instalación de un servidor?', ['instalaciones'], true],
  ])('tells whether %s has one of %j: %s', (query, terms, expected) => {
    expect(conditionMatcher({ query, tool: null })({ terms })).toBe(expected)
  })

  test.each([
    ['How do I sign webhooks?', true],
    ['How large is a webhook?', false],
    ['How large is a token?', false],
  ])('is not met by a question with an excepted word: %s', (query, expected) => {
    const matches = conditionMatcher({ query, tool: null })
    expect(matches({ terms: ['webhook'], exceptTerms: ['how large'] })).toBe(expected)
  })

  test.each([
    ['How do I configure the proxy?', 'en'],
    ['Wie kann ich den Proxy einrichten?', 'de'],
    ['Comment est-ce que je configure le proxy ?', 'fr'],
    ['¿Cómo se configura el proxy?', 'es'],
    ['代理如何配置', 'zh'],
    ['プロキシの設定', 'ja'],
    ['proxy', null],
  ])('reads the language of: %s', (question, language) => {
    expect(questionLanguage(question)).toBe(language)
  })
})

describe('path of a rule', () => {
  test.each([
    ['/blog/*', 'website', '/blog', true],
    ['/blog/*', 'website', '/blogs/1', false],
    ['*/blog/*', 'website', '/en/Blog/post', true],
    ['/src/*', 'repo', '/owner/name/blob/main/src/index.ts', true],
    ['/src/*', 'website', '/owner/name/blob/main/src/index.ts', false],
    ['*.pdf', 'website', '/files/manual.pdf', true],
  ] as const)('tells whether %s of a %s matches %s: %s', (glob, type, path, expected) => {
    expect(ruleGlob(glob, type)(path)).toBe(expected)
  })

  test.each([
    ['/blog/2024/03/12/post', '', Date.UTC(2024, 2, 12)],
    ['/news/2024-03', '', Date.UTC(2024, 2, 1)],
    ['/changes', 'Release 2 (2023-11-05)', Date.UTC(2023, 10, 5)],
    ['/v2024/guide', 'Guide', null],
  ])('reads the date of %s %s', (path, title, expected) => {
    expect(pageDate(path, title)).toBe(expected)
  })
})
