import { describe, expect, test } from 'vitest'
import { costOf, isBloated, openCrawlBudget } from './crawl-budget.ts'

const open = (limits: Parameters<typeof openCrawlBudget>[0]['limits'] = {}, saved: string | null = null) =>
  openCrawlBudget({ limits: limits ?? {}, saved, textBytes: 0, now: () => clock })
let clock = 0

describe('crawl budget', () => {
  test('ends the crawl at exactly the byte limit', () => {
    const budget = open({ fetchedBytes: 5_000_000 })
    budget.fetched(4_999_999)
    expect(budget.exhausted()).toBeNull()
    budget.fetched(1)
    expect(budget.exhausted()).toEqual({
      reason: 'byte_limit',
      detail: 'The crawl has fetched 5 MB, as much as it may. What comes after is not read.',
    })
  })

  test('counts active time over slices, but no time between them', () => {
    clock = 0
    const first = open({ activeMs: 7_200_000 })
    clock = 4_000_000
    const saved = first.save()
    clock = 90_000_000
    const second = open({ activeMs: 7_200_000 }, saved)
    clock += 3_199_999
    expect(second.exhausted()).toBeNull()
    clock += 1
    expect(second.exhausted()).toMatchObject({
      reason: 'time_limit',
      detail: 'The crawl has taken 2 hours, as long as it may. What comes after is not read.',
    })
  })

  test('ends the crawl after too many useless pages in a row, and allows two more per useful page', () => {
    const budget = open({ useless: 10 })
    for (let n = 0; n < 9; n++) budget.wasted(1, 0)
    budget.gained(100)
    for (let n = 0; n < 11; n++) budget.wasted(1, 0)
    expect(budget.exhausted()).toBeNull()
    budget.wasted(1, 0)
    expect(budget.exhausted()).toMatchObject({ reason: 'no_new_pages' })
  })

  test('charges useless pages by their size', () => {
    expect([0, 1, 262_144, 262_145, 16_777_216].map(costOf)).toEqual([1, 1, 1, 2, 64])
  })

  test('treats a page of 4 MB with less than a thousandth of text as useless', () => {
    const cost = costOf(4 * 1024 * 1024)
    expect([isBloated(cost, 4_194), isBloated(cost, 4_195), isBloated(cost - 1, 1)]).toEqual([true, false, false])
  })

  test('keeps the budget exhausted after a restart', () => {
    const budget = open({ useless: 1 })
    budget.wasted(1, 0)
    expect(budget.exhausted()).not.toBeNull()
    budget.gained(1)
    expect(budget.exhausted()).toMatchObject({ reason: 'no_new_pages' })
    expect(open({}, budget.save()).exhausted()).toMatchObject({ reason: 'no_new_pages' })
  })

  test('refuses text at exactly the text limit, and accepts it again once the source has shrunk', () => {
    const budget = open({ textBytes: 100 })
    budget.gained(99)
    expect(budget.textExhausted()).toBeNull()
    budget.gained(1)
    expect(budget.textExhausted()).toEqual({
      reason: 'text_limit',
      detail: 'The source has 100 bytes of text, as much as it may. What comes after is not read.',
    })
    expect(budget.exhausted()).toBeNull()
    budget.wasted(1, -50)
    expect(budget.textExhausted()).toBeNull()
  })

  test('ends rendering at the limit of pages or of time', () => {
    const pages = open({ renders: 2 })
    pages.rendered(1)
    expect(pages.renderingExhausted()).toBeNull()
    pages.rendered(1)
    expect(pages.renderingExhausted()).toBe('more than 2 pages need it.')
    const time = open({ renderMs: 300_000 })
    time.rendered(299_999)
    expect(time.renderingExhausted()).toBeNull()
    time.rendered(1)
    expect(time.renderingExhausted()).toBe('it took 5 minutes for other pages.')
  })
})
