import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'

/** Interactions of less than 16 ms are not reported by browsers. */
const WATCH = `
globalThis.interactions = []
new PerformanceObserver((list) => {
  for (const { interactionId, duration } of list.getEntries()) if (interactionId > 0) interactions.push(duration)
}).observe({ type: 'event', durationThreshold: 16 })`

const FIELD = 'main input:not([type=checkbox]):not([type=radio]):not([type=file]):visible, main textarea:visible'
const TYPED = 'web'
/** Long enough for the next paint and for the report about it. */
const REPORT_MS = 700

/**
 * Milliseconds from the slowest interaction with a screen to the next paint: types into its first field, moves the
 * focus, and opens the screens of its navigation. It is the "interaction to next paint" of few interactions.
 */
export async function slowestInteraction(page: Page): Promise<number> {
  await page.evaluate(WATCH)
  const field = page.locator(FIELD).first()
  if ((await field.count()) > 0) {
    await field.pressSequentially(TYPED, { delay: 100 })
    // With an unsaved text, the dashboard would ask before it opens another screen.
    for (let letter = 0; letter < TYPED.length; letter++) await field.press('Backspace')
  }
  await page.keyboard.press('Tab')
  const places = await page
    // The documents are pages of their own.
    .locator('nav a:visible:not([href="/docs"])')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  for (const place of places) {
    const link = page.locator(`nav a[href="${place}"]`).first()
    // It is not there if the screen opened before has another navigation.
    if ((await link.count()) === 0) continue
    await link.click()
    await sleep(REPORT_MS)
  }
  await sleep(REPORT_MS)
  return page.evaluate<number>('Math.max(0, ...interactions)')
}
