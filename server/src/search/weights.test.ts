import { describe, expect, test } from 'vitest'
import { runBuildTask } from './build-tasks.ts'
import type { FusionWeights } from './weights.ts'
import { openSegment } from './segment/open-segment.ts'
import { SegmentBuilder } from './segment/segment-builder.ts'
import { samplePage, type SamplePage } from '../../test/support/lib/sample-pages.ts'
import { createRanker } from './rank/rank.ts'

/*
 * Each test fails if the weight that its title describes is neutral (`npm run bench -- ablate`): what the weight favours
 * comes second, and the other has a small advantage in everything else.
 */

const section = (heading: string, text: string) => ({ heading, text })
const page = (path: string, title: string, ...sections: ReturnType<typeof section>[]) =>
  samplePage(path, title, sections)
const linked = ({ page: one, markdown }: SamplePage, ...anchorTexts: string[]) => ({
  page: { ...one, anchorTexts },
  markdown,
})
const many = (word: string, count: number) => Array<string>(count).fill(word).join(' and ')
const fill = (count: number) =>
  Array.from({ length: count }, (_, at) => `plain text about something else entirely ${'abcdefgh'[at % 8]}${at}`).join(
    ' ',
  )

/** Pages that make words of the others rare. */
const others = (count: number, text = (_at: number) => '') =>
  Array.from({ length: count }, (_, at) =>
    page(`other${at}`, `Other ${at}`, section('Overview', `Nothing is said here ${text(at)} ${fill(3)}`)),
  )

function rank(query: string, pages: readonly SamplePage[]) {
  const builder = new SegmentBuilder()
  for (const each of pages) builder.add(each.page, each.markdown)
  const segment = openSegment(builder.finish())
  return createRanker()([{ segment, sourceId: 'source', type: 'docs' }], { query }, 100).chunks.map((chunk) => {
    const { url, chunk: passage } = chunk.part.segment.passage(chunk.page, chunk.chunk)
    return { page: new URL(url).pathname.slice(1), heading: passage.headings.at(-1), features: chunk.features }
  })
}

/** Pages, or the passages of one, in the order of a feature. Of equal ones, those that rank lower come first. */
function byFeature(feature: keyof FusionWeights, query: string, pages: readonly SamplePage[]): string[] {
  const ranked = rank(query, [...pages, ...others(6)])
  const named = ranked.map((one) => ({ ...one, name: pages.length === 1 ? one.heading : one.page }))
  const reversed = named.toReversed()
  return [
    ...new Set(reversed.toSorted((a, b) => b.features[feature] - a.features[feature]).map(({ name }) => name ?? '')),
  ]
}

describe('words of a question', () => {
  test('counts a repeated word more', () => {
    const pages = [
      page('worker', 'Page', section('Overview', 'The worker runs.')),
      page('lease', 'Page', section('Overview', 'The lease runs.')),
    ]
    expect(byFeature('chunk', 'lease of a worker, renew the lease', pages)[0]).toBe('lease')
  })

  test('counts a rare word more in the share of the question', () => {
    const pages = [
      page('usual', 'Page', section('Overview', 'Common usual things.')),
      page('rare', 'Page', section('Overview', 'A gizmo.')),
    ]
    const ranked = rank('common usual gizmo', [...pages, ...others(9, (at) => (at < 6 ? 'usual common' : ''))])
    expect(ranked.toSorted((a, b) => b.features.page - a.features.page)[0]?.page).toBe('rare')
  })

  test('counts the name of a programming language less', () => {
    const pages = [
      page('language', 'Page', section('Overview', 'All about Python here.')),
      page('subject', 'Page', section('Overview', 'All about tuple here.')),
    ]
    expect(rank('convert tuple python', [...pages, ...others(6)])[0]?.page).toBe('subject')
  })
})

describe('score of a passage', () => {
  test('is higher for a short passage', () => {
    const given = page(
      'one',
      'Page',
      section('Long', `${many('gizmo', 2)} ${fill(40)}`),
      section('Short', 'The gizmo.'),
    )
    expect(byFeature('chunk', 'gizmo settings', [given])[0]).toBe('Short')
  })

  test('is higher for a rare word than for a frequent one twice', () => {
    const given = [
      page('usual', 'Page', section('Overview', many('usual', 2))),
      page('rare', 'Page', section('Overview', 'gizmo and something')),
      ...others(5, () => 'usual'),
    ]
    expect(byFeature('chunk', 'usual gizmo', given)[0]).toBe('rare')
  })

  test('is higher for a word of the title', () => {
    const pages = [
      page('text', 'Gamma', section('First', many('beta', 3))),
      page('title', 'Beta', section('First', 'beta thing')),
    ]
    expect(byFeature('chunk', 'beta', pages)[0]).toBe('title')
  })
})

describe('score of a page', () => {
  const plain = page('plain', 'Page', section('First', 'beta thing'))

  test('is higher for a rare word than for the title of a page whose subject all pages mention', () => {
    const given = [
      page('usual', 'Usual', section('First', 'usual text')),
      page('rare', 'Page', section('Gizmo', 'gizmo text')),
      ...others(20, () => 'usual'),
    ]
    expect(byFeature('page', 'usual gizmo', given)[0]).toBe('rare')
  })

  test.each<[string, SamplePage, SamplePage]>([
    [
      'for a word in the title',
      page('plain', 'Gamma', section('First', many('beta', 4))),
      page('better', 'Beta', section('First', 'beta thing')),
    ],
    ['for a word in a heading', plain, page('better', 'Page', section('Beta', 'first thing'))],
    ['for a word in the text of a link', plain, linked(page('better', 'Page', section('First', 'beta thing')), 'beta')],
    [
      'for a word in the path',
      page('guide/plain', 'Page', section('First', 'beta')),
      page('beta/better', 'Page', section('First', 'beta')),
    ],
    [
      'for a short title',
      page('plain', 'Beta and other long words of a title', section('First', many('beta', 3))),
      page('better', 'Beta', section('First', `beta ${fill(4)}`)),
    ],
    [
      'for few texts of links',
      linked(page('plain', 'Page', section('First', 'beta')), 'beta', 'other words of links', 'further long words'),
      linked(page('better', 'Page', section('First', 'beta')), 'beta'),
    ],
    [
      'for a short path',
      page('several/long/folders/beta', 'Page', section('First', 'beta')),
      page('better/beta', 'Page', section('First', 'beta')),
    ],
  ])('is higher %s', (_, first, second) => {
    expect(byFeature('page', 'beta', [first, second])[0]).toMatch(/better/)
  })

  test('is higher for a part of an identifier', () => {
    const pages = [
      page('alpha', 'Page', section('First', 'alpha alpha thing thing')),
      page('parts', 'Page', section('First', 'alpha thing thing fooBeta')),
    ]
    const ranked = rank('alpha zzz beta', [...pages, ...others(6, (at) => (at === 0 ? 'fooBeta' : ''))])
    expect(ranked.toSorted((a, b) => b.features.page - a.features.page)[0]?.page).toBe('parts')
  })

  test('is higher for more words of the question', () => {
    const pages = [
      page('one', 'Page', section('First', many('alpha', 4))),
      page('both', 'Page', section('First', 'alpha beta')),
      ...others(12, (at) => (at < 3 ? 'gamma' : 'beta')),
    ]
    const both = rank('alpha zzz beta', pages).toSorted((a, b) => b.features.page - a.features.page)
    expect(both[0]?.page).toBe('both')
  })

  test('does not vanish for a word of a long page', () => {
    const pages = [
      page('short', 'Page', section('First', 'alpha'), section('More', fill(8))),
      page('long', 'Page', section('First', 'alpha beta'), section('More', fill(100))),
    ]
    expect(byFeature('page', 'alpha zzz beta', pages)[0]).toBe('long')
  })
})

describe('rank of a page', () => {
  const ranked = (query: string, ...pages: SamplePage[]) => rank(query, [...pages, ...others(6)])[0]?.page

  test('is higher with several passages that match', () => {
    const [matching, ...rest] = [section('First', 'alpha beta'), section('More', 'thing')]
    const better = page('better', 'Page', matching, section('Again', 'alpha beta'), section('More', fill(2)))
    expect(ranked('alpha zzz beta', page('plain', 'Page', matching, ...rest), better)).toBe('better')
  })

  test('is higher if its first passage matches', () => {
    const [matching, none] = [section('Overview', 'alpha beta'), section('First', 'nothing')]
    expect(ranked('alpha beta', page('plain', 'Page', none, matching), page('better', 'Page', matching, none))).toBe(
      'better',
    )
  })

  test('is higher if the question has all words of its title', () => {
    const plain = linked(page('plain', 'Beta of other words', section('First', 'beta')), 'beta', 'beta', 'beta')
    expect(ranked('beta zzz alpha', plain, page('better', 'Beta', section('First', 'beta')))).toBe('better')
  })

  test('is higher if it is about the same things as the best pages', () => {
    const gears = ['gear cog wheel axle', 'wheel cog spindle axle', 'axle gear spindle cog']
    const soups = ['soup bread butter salt', 'salt butter soup ladle', 'bread ladle salt soup']
    const about = (path: string, text: string) => page(path, 'Page', section('First', text))
    const pages = [
      about('soup', `alpha beta ${soups[0]} ${soups[1]}`),
      // A longer page, so that the other is ahead in the score of its words.
      about(
        'gear',
        `alpha beta ${gears[0]} ${gears[1]} ${Array.from({ length: 7 }, (_, at) => `unique${at}`).join(' ')}`,
      ),
      ...Array.from({ length: 5 }, (_, at) => about(`best${at}`, `${many('alpha beta', 3)} ${gears[at % 3]}`)),
      ...Array.from({ length: 24 }, (_, at) =>
        about(`rest${at}`, `${at % 2 ? gears[at % 3] : soups[at % 3]} ${fill(1)}`),
      ),
    ]
    const built = runBuildTask({ kind: 'build', pages })
    const merged = built && runBuildTask({ kind: 'merge', segments: [built], keep: null })
    const segment = openSegment(merged ?? new Uint8Array())
    const { chunks } = createRanker()(
      [{ segment, sourceId: 'source', type: 'docs' }],
      { query: 'alpha qqa beta qqb qqc' },
      100,
    )
    const paths = chunks.map(({ part, page: at }) => new URL(part.segment.url(at)).pathname.slice(1))
    expect(paths.indexOf('gear')).toBeLessThan(paths.indexOf('soup'))
  })
})
