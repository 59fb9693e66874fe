import { expect, test } from 'vitest'
import { createRuleCompiler } from '../../server/src/rules/compile-rule.ts'
import { type Ranked, type Wish, suggestRule, tellingWords } from '../src/rules/suggest-rule.ts'

type Source = Parameters<ReturnType<typeof createRuleCompiler>>[1]['sources'][number]

const SITE: Source = { id: 'src_site', url: 'https://docs.example.org/', label: 'Example docs', type: 'docs' }
const BLOG: Source = { id: 'src_blog', url: 'https://blog.example.org/', label: null, type: 'website' }

const compile = createRuleCompiler()

function suggested(wish: Wish, ranked: Ranked[], { words = ['oil'], place = 0, sources = [SITE] } = {}) {
  const server = { sources }
  const candidate = ranked[place]
  const draft = candidate ? suggestRule(wish, candidate, { server, words, ranked }) : null
  if (!draft) return null
  const { effects, removed } = compile(draft.sentence, { sources, sourceId: draft.sourceId })
  return { sourceId: draft.sourceId, effects, removed }
}

const at = (path: string, score = 1, source = SITE): Ranked => ({
  url: new URL(path, source.url).href,
  sourceId: source.id,
  score,
})
const when = { terms: ['oil'] }

test.each<[what: string, wish: Wish, other: number, effects: object[]]>([
  ['lowers a page slightly that is hardly ahead', 'less', 0.95, [{ glob: '/a/*', weight: 0.85 }]],
  ['lowers a page more that is far ahead', 'less', 0.7, [{ glob: '/a/*', weight: 0.6 }]],
  ['puts a page last that no mild word moves', 'less', 0.1, [{ glob: '/a/*', weight: 0.3 }]],
  ['raises a page that is close behind', 'first', 1.2, [{ glob: '/a/*', weight: 1.5 }]],
  ['puts a page first that is further behind', 'first', 2, [{ glob: '/a/*', weight: 2.5 }]],
  [
    'puts a page first and the best one last if nothing else helps',
    'first',
    4,
    [
      { glob: '/a/*', weight: 2.5 },
      { glob: '/b/*', weight: 0.3 },
    ],
  ],
])('%s', (_what, wish, other, effects) => {
  const ranked = [at('/a', 1), at('/b', other)].toSorted((one, two) => two.score - one.score)
  const place = ranked.findIndex(({ url }) => url.endsWith('/a'))
  expect(suggested(wish, ranked, { place })).toEqual({
    sourceId: null,
    effects: effects.map((effect) => ({ kind: 'prefer_path', ...effect, when })),
    removed: [],
  })
})

test('suggests excluding a page without a condition', () => {
  const effects = [{ kind: 'exclude_path', glob: '/guide/setup.html' }]
  expect(suggested('never', [at('/guide/setup.html')])).toEqual({ sourceId: null, effects, removed: [] })
})

test.each(['/a%20b/c', '/Guide_(old)/x.html', '/wiki/Zürich', "/it's/here", '/a,b;c'])(
  'makes a sentence for the path %s',
  (path) => {
    const effects = suggested('never', [at(path)])?.effects ?? []
    expect(effects).toMatchObject([{ kind: 'exclude_path' }])
  },
)

test('names the source of a page that several sites could have', () => {
  expect(suggested('less', [at('/a')], { sources: [SITE, BLOG] })?.sourceId).toBe('src_site')
})

test('suggests a rule about the whole source instead of its first page', () => {
  const effects = [{ kind: 'avoid_source', sourceId: 'src_blog', weight: 0 }]
  const sources = [SITE, BLOG]
  expect(suggested('never', [at('/', 1, BLOG)], { sources })).toMatchObject({ sourceId: null, effects })
})

test('suggests nothing for the first page of the only source', () => {
  expect(suggested('less', [at('/')])).toBeNull()
})

test('suggests no path that all pages share', () => {
  expect(suggested('less', [at('/docs/', 2), at('/docs/install'), at('/docs/oil')])).toBeNull()
  expect(suggested('less', [at('/docs', 2), at('/docs/install')])).toBeNull()
  // A page outside the path makes the path distinctive again.
  expect(suggested('less', [at('/docs/', 2), at('/docs/install'), at('/blog')])).not.toBeNull()
})

test('distinguishes equal paths on different sites', () => {
  const ranked = [at('/docs/', 2), at('/docs/install'), at('/docs/oil', 0.5, BLOG)]
  const effects = [{ kind: 'prefer_path', glob: '/docs/*', sourceId: 'src_site', weight: 0.3, when }]
  const draft = suggested('less', ranked, { sources: [SITE, BLOG] })
  expect(draft).toEqual({ sourceId: 'src_site', effects, removed: [] })
})

test('excludes no page whose path contains other results', () => {
  expect(suggested('never', [at('/docs'), at('/docs/install'), at('/blog')])).toBeNull()
  expect(suggested('never', [at('/docs/install'), at('/docs'), at('/blog')])).not.toBeNull()
})

test('suggests a rule for every question if it finds no typical words', () => {
  const effects = [{ kind: 'prefer_path', glob: '/a/*', weight: 0.6 }]
  expect(suggested('less', [at('/a')], { words: [] })?.effects).toEqual(effects)
})

test('uses the rarest words, spelled as in the question', () => {
  const searched = [
    { word: 'copi', share: 0.02 },
    { word: 'sprocket', share: 0.9 },
    { word: 'chain', share: 0.3 },
    { word: 'oil', share: 0.1 },
  ]
  expect(tellingWords('Which sprockets copies of a chain need oiling?', searched)).toEqual(['copies', 'oiling'])
  expect(tellingWords('Sprockets', [{ word: 'sprocket', share: 0.9 }])).toEqual(['Sprockets'])
})
