import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, inject } from 'vitest'
import { sampleOf } from '../../server/test/support/lib/sample-of.ts'
import { SCREENSHOTS } from './open-dashboard.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Rules = { runOnly: string[] | { type: 'rule'; values: string[] }; rules?: Record<string, { enabled: boolean }> }

const ALL: Rules = { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }
const COLOURS = 'color-contrast'
/** The dark look differs in its colours only, the narrow one in everything else. */
const ITS_COLOURS: Rules = { runOnly: { type: 'rule', values: [COLOURS] } }
const BUT_COLOURS: Rules = { ...ALL, rules: { [COLOURS]: { enabled: false } } }

const LOOKS = [
  { name: 'light', colorScheme: 'light', width: 1440, rules: ALL },
  { name: 'dark', colorScheme: 'dark', width: 1440, rules: ITS_COLOURS },
  { name: 'mobile', colorScheme: 'light', width: 390, rules: BUT_COLOURS },
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

/** In `npm test`, a screen is checked in the light look and in one of the two others, by its name. */
function looksOf(name: string): readonly (typeof LOOKS)[number][] {
  const [light, ...others] = LOOKS
  return [light, ...sampleOf(others, name.length, others.length)]
}

/**
 * Checks a screen: nothing for axe, nothing beyond the width. `npm run screenshots` and `npm run test:long` keep a
 * picture of each look, and check all rules in all looks.
 */
export async function inspect(page: Page, name: string): Promise<void> {
  const isLong = inject('isLong')
  for (const look of looksOf(name)) {
    await page.setViewportSize({ width: look.width, height: 900 })
    await page.emulateMedia({ colorScheme: look.colorScheme })
    if (isLong) await page.screenshot({ path: join(SCREENSHOTS, `${name}-${look.name}.png`), fullPage: true })
    const wide = await page.evaluate<number>(WIDE)
    expect.soft({ screen: name, look: look.name, wide: Math.max(0, wide) }).toEqual({
      screen: name,
      look: look.name,
      wide: 0,
    })
    expect.soft({ screen: name, look: look.name, plain: await page.evaluate(PLAIN) }).toMatchObject({ plain: [] })
    const found = await violations(page, isLong ? ALL : look.rules)
    expect.soft({ screen: name, look: look.name, found }).toMatchObject({ found: [] })
  }
  await page.setViewportSize({ width: 1440, height: 900 })
}

type Finding = { id: string; nodes: { html: string; failureSummary: string }[] }

/** Findings of axe, one per line. */
async function violations(page: Page, rules: Rules): Promise<string[]> {
  if (await page.evaluate<boolean>("typeof axe === 'undefined'")) await page.evaluate(axe)
  const found = await page.evaluate<Finding[]>(`axe.run(${JSON.stringify(rules)}).then(({ violations }) => violations)`)
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
