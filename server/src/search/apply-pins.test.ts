import { describe, expect, test } from 'vitest'
import { openShelf } from '../../test/support/mcp/shelf.ts'
import type { SearchPin } from './rules/pinned-sections.ts'

const URL = 'https://w.example/care'
const paragraph = 'Widgets are cared for in a quiet room, by two people who have learned to do it slowly.'
const text = (paragraphs: number) => Array.from({ length: paragraphs }, (_, at) => `${at} ${paragraph}`).join('\n\n')

const pinOf = (pin: Partial<SearchPin>): SearchPin => {
  return { id: 'pin_1', effect: 'first', questions: ['oil'], sourceId: 'src_1', url: URL, heading: '', ...pin }
}
const shelfOf = (markdown: string, others: { url: string; markdown: string }[] = []) =>
  openShelf({ pages: [{ url: URL, title: 'Care', markdown }, ...others] })

async function pinned(shelf: ReturnType<typeof shelfOf>, ...pins: Partial<SearchPin>[]) {
  const result = await shelf.search({ query: 'oil', limit: 5 }, pins.map(pinOf))
  return result.pinned ?? []
}

describe('a pinned section', () => {
  test('is the text between two headings, of which a search finds a part only', async () => {
    const shelf = shelfOf(`# Care\n\nLead.\n\n## Oil\n\n${text(40)}\n\n### Below\n\nMore.\n\n## Dust\n\nWipe.`)
    const [section] = await pinned(shelf, { url: `${URL}#oil`, heading: 'Oil' })
    expect(section?.passage).toBe(`## Oil\n\n${text(40)}`)
    expect(section?.blocks).toHaveLength(41)
    const [lead] = await pinned(shelf, { heading: '' })
    expect(lead?.passage).toBe('# Care\n\nLead.')
  })

  test('is found by its heading if only its anchor changed, and not by an address that has another heading', async () => {
    const shelf = shelfOf('# Care\n\nLead.\n\n## Oil\n\nUse it.\n\n## Dust\n\nWipe.')
    expect((await pinned(shelf, { url: `${URL}#lubrication`, heading: 'Oil' }))[0]?.url).toBe(`${URL}#oil`)
    expect(await pinned(shelf, { url: `${URL}#oil`, heading: 'Grease' })).toEqual([])
    expect(await pinned(shelf, { url: `${URL}/elsewhere`, heading: 'Oil' })).toEqual([])
    expect(await pinned(shelf, { url: `${URL}#oil`, heading: 'Oil', sourceId: 'src_2' })).toEqual([])
  })

  test('is one of two sections with the same heading', async () => {
    const shelf = shelfOf('# Care\n\n## A\n\n### Oil\n\nOf A.\n\n## B\n\n### Oil\n\nOf B.')
    const [section] = await pinned(shelf, { url: `${URL}#oil-1`, heading: 'B › Oil' })
    expect(section?.passage).toContain('Of B.')
  })

  test('is whole up to 16 kB, and cut at the end of a block beyond', async () => {
    const fits = `## Oil\n\n${text(174)}`
    const over = `## Oil\n\n${text(178)}`
    expect([fits.length < 16_000, over.length > 16_000]).toEqual([true, true])
    const [whole] = await pinned(shelfOf(`# Care\n\nLead.\n\n${fits}`), { url: `${URL}#oil`, heading: 'Oil' })
    expect([whole?.passage, whole?.isCut]).toEqual([fits, undefined])
    const [cut] = await pinned(shelfOf(`# Care\n\nLead.\n\n${over}`), { url: `${URL}#oil`, heading: 'Oil' })
    expect([(cut?.passage.length ?? 0) <= 16_000, cut?.isCut]).toEqual([true, true])
    expect(over.startsWith(`${cut?.passage}\n\n`)).toBe(true)
  })

  test('shares these 16 kB with the others of the question', async () => {
    const shelf = shelfOf(`# Care\n\nLead.\n\n## Oil\n\n${text(100)}\n\n## Dust\n\n${text(100)}`)
    const [first, second] = await pinned(
      shelf,
      { url: `${URL}#oil`, heading: 'Oil' },
      { id: 'pin_2', url: `${URL}#dust`, heading: 'Dust' },
    )
    expect(first?.passage).toBe(`## Oil\n\n${text(100)}`)
    expect((first?.passage.length ?? 0) + (second?.passage.length ?? 0)).toBeLessThanOrEqual(16_000)
    expect(second?.passage).toMatch(/^## Dust\n\n0 Widgets/)
  })

  test('does not come for code examples, other versions and other paths', async () => {
    const shelf = shelfOf('# Care\n\nOil it.', [{ url: 'https://w.example/v2/oil', markdown: '# Oil 2\n\nOil.' }])
    const pins = [pinOf({})]
    const shown = async (filters: object) =>
      (await shelf.search({ query: 'oil', limit: 5, ...filters }, pins)).pinned?.length ?? 0
    expect(await shown({})).toBe(1)
    expect(await shown({ path: '/care' })).toBe(1)
    for (const filters of [{ path: '/v2' }, { version: '2' }, { code: true }, { type: 'pdf' }, { sourceId: 'src_2' }])
      expect([filters, await shown(filters)]).toEqual([filters, 0])
  })
})

test('a section that is left out leaves the ranking, and the agreement is that of the rest', async () => {
  const shelf = shelfOf('# Care\n\nLead.\n\n## Oil\n\nOil with oil.', [
    { url: 'https://w.example/b', markdown: '# B\n\nAn oil.' },
  ])
  const plain = await shelf.search({ query: 'oil', limit: 5 })
  const left = await shelf.search({ query: 'oil', limit: 5 }, [
    pinOf({ effect: 'never', url: `${URL}#oil`, heading: 'Oil' }),
  ])
  const urls = ({ passages }: typeof plain) => passages.map(({ url }) => url)
  expect(urls(plain)[0]).toBe(`${URL}#oil`)
  expect(urls(left)).toEqual(urls(plain).slice(1))
  expect(left.excluded).toEqual([{ url: `${URL}#oil`, heading: 'Oil' }])
  expect(left.agreement).toBeLessThan(plain.agreement)
})
