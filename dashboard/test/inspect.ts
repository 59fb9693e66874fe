import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, inject } from 'vitest'
import { sampleOf } from '../../server/test/support/lib/sample-of.ts'
import { SCREENSHOTS } from './open-dashboard.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const RULES = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }

const LOOKS = [
  { name: 'light', colorScheme: 'light', width: 1440 },
  { name: 'dark', colorScheme: 'dark', width: 1440 },
  { name: 'mobile', colorScheme: 'light', width: 390 },
] as const

/** Pixels beyond the width, once the page is laid out for it: after a resize, that takes up to two frames. */
const WIDE = `new Promise((done) => {
  const measure = () => done(document.documentElement.scrollWidth - innerWidth)
  requestAnimationFrame(() => requestAnimationFrame(measure))
})`

/** Fields in the grey that browsers give those without a style in the dark, where little can be read. */
const PLAIN = `[...document.querySelectorAll('input:not([type=checkbox], [type=radio], [type=file]), select, textarea')]
  .filter((field) => field.checkVisibility() && getComputedStyle(field).backgroundColor === 'rgb(59, 59, 59)')
  .map((field) => field.outerHTML.slice(0, 160))`

/** Addresses that `npm test` has checked. */
const checked = new WeakMap<Page, Set<string>>()

/**
 * Checks a screen: nothing for axe, nothing beyond the width. `npm test` checks each address of a page in one look, by
 * its first name. `npm run screenshots` and `npm run test:long` check all names in all looks, and keep a picture of each.
 */
export async function inspect(page: Page, name: string): Promise<void> {
  if (!inject('isLong') && !isNew(page)) return
  for (const look of sampleOf(LOOKS, name.length, LOOKS.length)) {
    await page.setViewportSize({ width: look.width, height: 900 })
    await page.emulateMedia({ colorScheme: look.colorScheme })
    if (inject('isLong')) await page.screenshot({ path: join(SCREENSHOTS, `${name}-${look.name}.png`), fullPage: true })
    const wide = await page.evaluate<number>(WIDE)
    const plain = await page.evaluate(PLAIN)
    const seen = { screen: name, look: look.name, wide: Math.max(0, wide), plain, found: await violations(page) }
    expect.soft(seen).toEqual({ screen: name, look: look.name, wide: 0, plain: [], found: [] })
  }
  await page.setViewportSize({ width: 1440, height: 900 })
}

function isNew(page: Page): boolean {
  const known = checked.get(page) ?? new Set()
  checked.set(page, known)
  return known.size < known.add(new URL(page.url()).pathname).size
}

type Finding = { id: string; nodes: { html: string; failureSummary: string }[] }

/** Findings of axe, one per line. */
async function violations(page: Page): Promise<string[]> {
  if (await page.evaluate<boolean>("typeof axe === 'undefined'")) await page.evaluate(axe)
  const found = await page.evaluate<Finding[]>(`axe.run(${JSON.stringify(RULES)}).then(({ violations }) => violations)`)
  return found.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary}`),
  )
}

/** The slug in the address, or of the only server. */
export async function slugOf(page: Page): Promise<string> {
  const slug = /\/servers\/([^/?#]+)/.exec(page.url())?.[1]
  if (slug) return slug
  const [server] = await readJson<{ slug: string }[]>(page, '/api/mcp/list')
  return server?.slug ?? ''
}

/** A request with the browser's session. */
export function readJson<T>(page: Page, path: string): Promise<T> {
  return page.evaluate<T>(`fetch(${JSON.stringify(path)}).then((response) => response.json())`)
}
