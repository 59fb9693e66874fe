import type { Page } from 'playwright-core'

/** Counts the clicks on the page from now on. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate("window.clicks = 0; addEventListener('click', () => (window.clicks += 1), true)")
  return () => page.evaluate<number>('window.clicks')
}
