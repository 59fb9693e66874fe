import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { disposeAll } from '../support/lib/keep-open.ts'
import { sampleOf } from '../support/lib/sample-of.ts'
import { type Site, startSite } from '../support/sites/site.ts'
import { buildWidget, type HostPage, openBrowser, openHostPage } from '../support/lib/widget-page.ts'

const dist = join(import.meta.dirname, '../../../dist/widget')

const browser: Browser | null = await openBrowser()
beforeAll(buildWidget)
afterAll(() => browser?.close())

describe.skipIf(browser === null)('text of an answer', () => {
  /** What the service answers to any question. */
  let items: object[] = []
  let service: Site
  let host: HostPage
  beforeAll(async () => {
    service = await serve()
    // Opening a page costs a second of processor time, so the tests load the same one again.
    host = await openHostPage(browser as Browser, { service: service.url, data: 'data-configuration="cfg_1"' })
    return () => disposeAll(host, service)
  })

  function serve() {
    const json = (body: () => unknown) =>
      ((request, response) => {
        const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'content-type' }
        response.writeHead(request.method === 'OPTIONS' ? 204 : 200, { ...headers, 'content-type': 'application/json' })
        const sent = request.method === 'OPTIONS' ? '' : body()
        response.end(typeof sent === 'string' ? sent : JSON.stringify(sent))
      }) satisfies Parameters<typeof startSite>[0][string]
    const tools = [{ name: 'ask_question', title: 'Ask' }]
    return startSite({
      '/embed/docent.js': (_, response) =>
        void response.writeHead(200, { 'content-type': 'text/javascript' }).end(readFileSync(join(dist, 'docent.js'))),
      '/api/embed/configurations/cfg_1': json(() => ({ layout: 'horizontal', fontFamily: '', colors: {}, tools })),
      '/api/embed/sessions': json(() => ({ session: 'des_1' })),
      '/api/embed/ask': json(() => items.map((item) => JSON.stringify(item)).join('\n') + '\n'),
    })
  }

  /** Loads the page with a service that answers with these parts. */
  async function load(parts: object[], end: object = {}): Promise<Page> {
    items = [{ type: 'begin' }, ...parts, { type: 'end', outcome: 'answered', confidence: null, followUps: [], ...end }]
    host.problems.length = 0
    await host.page.reload()
    await host.page.getByRole('button', { name: 'Ask the docs' }).waitFor()
    return host.page
  }

  const show = (text: string, citations: object[] = []) =>
    showParts([...citations.map((one) => ({ type: 'citation', heading: '', ...one })), { type: 'text', text }])

  async function showParts(parts: object[], end?: object) {
    const page = await load(parts, end)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('?')
    await page.keyboard.press('Enter')
    await page.getByText('The answer is complete').waitFor({ state: 'attached' })
    const answer = await page.locator('docent-ask .answer').evaluate((node) => node.innerHTML)
    const sources = await page
      .locator('docent-ask article')
      .evaluate((node) => node.querySelector('.sources')?.innerHTML ?? '')
    const text = await page.locator('docent-ask article').evaluate((node) => node.textContent)
    return { answer, sources, text, problems: [...host.problems] }
  }

  test('drops what a restart withdraws, and shows the remark at the end', async () => {
    const citation = (title: string) => ({
      type: 'citation',
      n: 1,
      title,
      heading: '',
      url: `https://s.example/${title}`,
    })
    const remark = 'The language model did not answer in time.'
    const parts = [
      { type: 'progress', message: 'Found 2 passages.' },
      citation('Wrong'),
      { type: 'text', text: 'Withdrawn. [1]' },
      { type: 'restart' },
      citation('Right'),
      { type: 'text', text: 'Shown. [1]' },
    ]
    const { answer, sources, text } = await showParts(parts, { remark })
    expect(answer).toMatch(/^<p>Shown\. <a .*aria-label="Source 1: Right"/)
    expect(sources).toContain('Right')
    expect(text).toContain(remark)
    expect(sources + text).not.toMatch(/Wrong|Withdrawn/)
  })

  test('keeps an answer in view from its question on, until the reader scrolls', async () => {
    const text = Array.from({ length: 40 }, (_, at) => `Paragraph ${at}.`).join('\n\n')
    const page = await load([{ type: 'text', text }])
    await page.getByRole('button', { name: 'Ask the docs' }).click()
    const ask = async (question: string) => {
      await page.keyboard.type(question)
      await page.keyboard.press('Enter')
      await page.locator('docent-ask article', { hasText: question }).getByText('Paragraph 39.').waitFor()
    }
    const topOf = (selector: string) =>
      page
        .locator(selector)
        .last()
        .evaluate((node) => node.getBoundingClientRect().top)
    await ask('first')
    await ask('second')
    expect(Math.abs((await topOf('docent-ask article')) - (await topOf('docent-ask .log')))).toBeLessThan(2)
    await page.locator('docent-ask .log').hover()
    await page.mouse.wheel(0, -300)
    await expect.poll(async () => (await topOf('docent-ask article')) > (await topOf('docent-ask .log'))).toBe(true)
  })

  const texts: [markdown: string, html: string][] = [
    [
      'One `a < b` and **two** and *three*.',
      '<p>One <code>a &lt; b</code> and <strong>two</strong> and <em>three</em>.</p>',
    ],
    ['<img src=x onerror=alert(1)> <b>x</b>', '<p>&lt;img src=x onerror=alert(1)&gt; &lt;b&gt;x&lt;/b&gt;</p>'],
    ['[a](javascript:alert(1)) [b](data:text/html,x)', '<p>[a](javascript:alert(1)) <span>b</span></p>'],
    ['![pic](https://a.example/x.png)', '<p>pic</p>'],
    ['2 * 3 * 4 and a_b_c and ** open', '<p>2 * 3 * 4 and a_b_c and ** open</p>'],
    ['\\*no\\* \\[1]', '<p>*no* [1]</p>'],
    [
      '[1] [2] [1](https://a.example/)',
      '<p><a class="mark" aria-label="Source 1: T" title="T" href="https://s.example/" target="_blank" rel="noopener">1</a> [2] <a href="https://a.example/" target="_blank" rel="noopener">1</a></p>',
    ],
    ['- one\n  more\n- two\n\n3. three', '<ul><li>one more</li><li>two</li></ul><ol start="3"><li>three</li></ol>'],
    ['# Title\n\n> quoted\n> on\n\n---', '<p class="heading">Title</p><blockquote><p>quoted\non</p></blockquote>'],
  ]
  test.each(sampleOf(texts, 0, 3))('shows %j as nodes', async (markdown, html) => {
    const citation = { n: 1, title: 'T', url: 'https://s.example/' }
    const { answer, problems } = await show(markdown, [citation])
    const sorted = (text: string) =>
      text.replaceAll(
        /<(a) ([^>]*)>/g,
        (_, tag: string, all: string) =>
          `<${tag} ${all
            .split(/ (?=[a-z-]+=)/)
            .toSorted()
            .join(' ')}>`,
      )
    expect(sorted(answer)).toBe(sorted(html))
    expect(problems).toEqual([])
  })

  test('shows code with a button to copy it, and tables', async () => {
    const { answer } = await show(
      '````md\n```\n<x>\n```\n````\n\n| A | B \\| C |\n|---|---|\n| 1 | `2` |\n\n```js\nlet open',
    )
    expect(answer).toContain('<pre><code>```\n&lt;x&gt;\n```</code></pre>')
    expect(answer).toContain('<button type="button" class="copy">Copy</button>')
    expect(answer).toContain('<th>A</th><th>B | C</th>')
    expect(answer).toContain('<td>1</td><td><code>2</code></td>')
    expect(answer).toContain('<pre><code>let open</code></pre>')
  })

  test('links sources to http(s) only', async () => {
    const { sources } = await show('x', [
      { n: 1, title: '<i>', url: 'javascript:alert(1)' },
      { n: 2, title: 'Upload', url: 'upload://docs/a.md' },
      { n: 3, title: 'Page', url: 'https://s.example/' },
    ])
    expect(sources).toContain('<span>&lt;i&gt;</span>')
    expect(sources).toContain('<span>Upload</span>')
    expect(sources.match(/href="[^"]*"/g)).toEqual(['href="https://s.example/"'])
  })

  test('shows long text of nothing but markup in time', async () => {
    for (const unit of sampleOf(['*', '`', '[', '[a](', '**a', '> ', '- ', '| ', '\\'], 1, 4))
      await show(unit.repeat(20_000 / unit.length))
  })
})
