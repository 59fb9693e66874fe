import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drawPdf } from '../../server/test/support/lib/draw-pdf.ts'
import { installedBrowser } from '../../server/test/support/lib/installed-browser.ts'
import { disposeAll } from '../../server/test/support/lib/keep-open.ts'
import { inspect, readJson } from './inspect.ts'
import { type Dashboard, claim, openDashboard, testLong } from './open-dashboard.ts'

const program = installedBrowser()

const LONG = Array.from({ length: 24 }, (_, n) => `Tooth number ${n + 1} of a sprocket wears out first on its left.`)
const NOTES = `# Oiling

To oil every sprocket twice a year, run this script with thin oil:

\`\`\`sh
for tooth in 1 2 3; do
  oil --tooth "$tooth"
done
\`\`\`

# Wear

${LONG.join(' ')}
`
const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })

describe.skipIf(program === null)('uploads and passages in the dashboard', () => {
  let dashboard: Dashboard
  let page: Page
  const open = (path: string) => page.goto(dashboard.docent.url + path)
  const chosen = () => page.getByRole('list', { name: 'Chosen files' })

  beforeAll(async () => {
    dashboard = await openDashboard(program ?? '')
    page = dashboard.page
    await claim(dashboard)
  })
  afterAll(() => disposeAll(dashboard))

  test('makes no server from a word that is no address, and says so at the field', async () => {
    await open('/new')
    await page.getByLabel('Address').fill('sprocket')
    await page.getByRole('button', { name: 'Make the server' }).click()
    await page.getByText('“sprocket” is not an address.').waitFor()
    expect(await page.getByLabel('Address').getAttribute('aria-invalid')).toBe('true')
    await inspect(page, 'new-server-no-address')
    expect(await readJson(page, '/api/mcp/list')).toEqual([])
  })

  testLong('offers to limit callers of a public server, and not of a private one', async () => {
    const offer = page.getByRole('link', { name: 'Limit callers without a token' })
    expect([await offer.getAttribute('href'), await offer.getAttribute('target')]).toEqual(['/plan', '_blank'])
    await page.getByText('More choices').click()
    await page.getByLabel('Private: only callers').check()
    await offer.waitFor({ state: 'detached' })
    await page.getByLabel('Private: only callers').uncheck()
    await offer.waitFor()
    await inspect(page, 'new-server-public')
    await page.getByText('More choices').click()
  })

  test('marks where dragged files can be dropped', async () => {
    const drag = (type: string) => `(() => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['# Notes'], 'dropped.md'))
      document.querySelector('form.new').dispatchEvent(new DragEvent('${type}', { dataTransfer, bubbles: true, cancelable: true }))
    })()`
    await page.getByLabel('Address').fill('')
    await page.evaluate(drag('dragenter'))
    await page.getByText('Drop the files here.').waitFor()
    await page.evaluate(drag('dragleave'))
    await page.getByText('Drop the files here.').waitFor({ state: 'detached' })
    await page.evaluate(drag('dragenter'))
    await page.evaluate(drag('drop'))
    await chosen().locator('.m', { hasText: 'dropped.md' }).waitFor()
    expect(await page.getByText('Drop the files here.').count()).toBe(0)
  })

  test('makes a server from the files that are still chosen, once it has a name', async () => {
    await page
      .locator('form.new input[type=file]')
      .setInputFiles([file('Sprocket notes.md', NOTES), file('broken.pdf', 'This is no PDF.')])
    await chosen().locator('.m', { hasText: 'Sprocket notes.md' }).waitFor()
    await page.getByRole('button', { name: 'Remove dropped.md' }).click()
    await chosen().locator('.m', { hasText: 'dropped.md' }).waitFor({ state: 'detached' })
    await inspect(page, 'new-server-files')
    await page.getByRole('button', { name: 'Make the server' }).click()
    // The browser asks for the name at its field.
    expect(await page.evaluate('document.querySelector("input:invalid").labels[0].textContent')).toBe('Name')
    expect(await readJson(page, '/api/mcp/list')).toEqual([])
    await page.getByLabel('Name', { exact: true }).fill('Sprockets')
    await page.getByRole('button', { name: 'Make the server' }).click()
    await page.getByRole('heading', { name: 'Sprockets', level: 1 }).waitFor()
  })

  test('calls uploads by their files and kinds, and replaces a file that failed', async () => {
    const row = (name: string) => page.locator('.src > li', { hasText: name })
    await row('Sprocket notes.md').getByText('Ready').waitFor()
    await row('Sprocket notes.md').getByText('Markdown, uploaded').waitFor()
    await row('Sprocket notes.md').getByText('1 of 1 document').waitFor()
    await row('broken.pdf').getByText('Needs you').waitFor()
    await row('broken.pdf').getByText('PDF, uploaded').waitFor()
    await inspect(page, 'upload-failed')

    await open('/servers')
    await page.locator('.catalogue').getByText('1 source failed').waitFor()
    await inspect(page, 'servers-failed')

    await page.getByRole('link', { name: 'Sprockets', exact: true }).click()
    await row('broken.pdf')
      .locator('input[type=file]')
      .setInputFiles([file('Chains.md', '# Chains\n\nA chain has as many links as it needs.')])
    await row('Chains.md').getByText('Ready').waitFor()
    expect(await page.locator('.src > li').count()).toBe(2)
  })

  test('says how many pages an uploaded PDF has', async () => {
    await page.getByRole('link', { name: 'Settings', exact: true }).click()
    const pages = ['Sprocket manual', 'Oil', 'Wear'].map((text) => [
      { x: 72, y: 720, text, size: 12, font: 'sans' as const },
    ])
    await page
      .locator('input[type=file]')
      .setInputFiles([{ name: 'manual.pdf', mimeType: 'application/pdf', buffer: Buffer.from(drawPdf(pages)) }])
    await page.getByText('PDF, 3 pages, 1 document').waitFor()
    await inspect(page, 'upload-pdf')
    await page.getByRole('link', { name: 'Overview', exact: true }).click()
    await page.locator('.src > li', { hasText: 'manual.pdf' }).getByText('PDF, 3 pages, uploaded').waitFor()
  })

  test('shows the code of a cited passage with its lines and a copy button, and not as quoted words', async () => {
    await page.getByRole('link', { name: 'Playground', exact: true }).click()
    await page.getByLabel('question').fill('How do I oil every sprocket?')
    await page.getByLabel('question').press('Control+Enter')
    const passage = page.locator('.ps > li').first()
    await passage.locator('mark', { hasText: 'twice a year' }).waitFor()
    const code = passage.locator('pre')
    expect(await code.innerText()).toBe('for tooth in 1 2 3; do\n  oil --tooth "$tooth"\ndone')
    expect(await passage.locator('mark', { hasText: 'for tooth' }).count()).toBe(0)
    await inspect(page, 'cited-code')
    await dashboard.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await passage.getByRole('button', { name: /^Copy/ }).first().click()
    await passage.getByText('Copied').waitFor()
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(await code.innerText())
    // The source of the code is named once.
    expect(await page.locator('.ans').innerText()).not.toMatch(/\(from 1\)[^]*\(from 1\)/)
  })

  testLong('says how much of an excerpt was cut, and shows it', async () => {
    await page.getByRole('button', { name: 'search_docs' }).click()
    await page.getByLabel('query', { exact: true }).fill('tooth wears out first on its left')
    await page.getByRole('button', { name: /^Run/ }).click()
    const passage = page.locator('.ps > li', { hasText: 'Wear' }).first()
    const more = passage.getByRole('button', { name: /more characters/ })
    await more.waitFor()
    expect(await passage.innerText()).not.toContain('Tooth number 24')
    await inspect(page, 'excerpt')
    await more.click()
    await passage.getByText('Tooth number 24').waitFor()
    await passage.getByRole('button', { name: 'Show less' }).click()
    await more.waitFor()
  })

  testLong('exports a server, and makes one from the file, but none from another file', async () => {
    await page.getByRole('link', { name: 'Settings', exact: true }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export the server' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('sprockets.docent')
    const exported = await readFile(await download.path(), 'utf8')
    await page.getByRole('heading', { name: 'Export' }).scrollIntoViewIfNeeded()
    await inspect(page, 'export')

    await open('/new')
    const choose = (text: string) => page.getByLabel('Import a server').setInputFiles([file('sprockets.docent', text)])
    await choose(exported.slice(0, -200))
    await page.getByText('The file is not a complete file of a server').waitFor()
    await inspect(page, 'import-damaged')
    dashboard.complaints.splice(0)
    await choose(exported)
    await page.getByText('3 pages came with the file.').waitFor()
    await page.getByText('The first access token').waitFor()
    await inspect(page, 'import')
    await page.getByRole('button', { name: 'I have it' }).click()
    await page.getByRole('link', { name: /^sprockets-/ }).click()
    await page.locator('.src > li', { hasText: 'Chains.md' }).getByText('Ready').waitFor()
  })

  testLong('sends a large file with its progress, and can be stopped', async () => {
    await open('/new')
    // The request gets no answer.
    await page.route('**/api/server-files?*', () => {})
    await page.getByLabel('Import a server').setInputFiles([file('large.docent', 'x'.repeat(1 << 20))])
    await page.getByRole('progressbar').waitFor()
    await inspect(page, 'importing')
    await page.getByRole('link', { name: 'Servers', exact: true }).first().click()
    await page.getByRole('dialog', { name: 'Leave before the file is sent?' }).waitFor()
    await page.getByRole('button', { name: 'Stay here' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Import a server').waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    expect(await readJson(page, '/api/mcp/list')).toHaveLength(2)
  })

  test('takes the version of an upload from the name of its file', async () => {
    await open('/servers/sprockets/settings')
    await page.getByText('handbook@2.1.zip is version 2.1 of the source handbook').waitFor()
    await page
      .locator('form.add input[type=file]')
      .setInputFiles([file('gears@2.1.md', '# Gears\n\nOf brass.'), file('Gears@3.0.tar.gz', 'No archive.')])
    const versions = async () => {
      type Detail = { sources: { url: string; versions: string[] }[] }
      const { sources } = await readJson<Detail>(page, '/api/mcp/sprockets')
      return sources.find(({ url }) => url === 'upload://gears/')?.versions
    }
    await expect.poll(versions).toEqual(['3.0', '2.1'])
  })

  test('logs nothing to the browser console', () => {
    expect(dashboard.complaints).toEqual([])
  })
})
