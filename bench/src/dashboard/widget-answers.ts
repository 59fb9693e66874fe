import type { Browser, BrowserContext } from 'playwright-core'
import { openHostPage } from '../../../server/test/support/lib/widget-page.ts'
import { median } from '#lib/median.ts'

/** Questions for any documentation. Each is asked on a new page, so that its widget has to open a session first. */
const QUESTIONS = [
  'How do I install it?',
  'Which options does the configuration have?',
  'How do I set environment variables?',
  'How do I deploy to production?',
  'How are errors handled?',
]

/** Notes the click, and when the first complete line of the answer has arrived. */
const WATCH = `
globalThis.asked = { clicked: null, first: null }
addEventListener('click', () => { asked.clicked = performance.now() }, true)
const send = globalThis.fetch
globalThis.fetch = async (...input) => {
  const response = await send(...input)
  if (String(input[0]?.url ?? input[0]).endsWith('/api/embed/ask') && response.ok) void watch(response.clone().body)
  return response
}
async function watch(body) {
  for await (const chunk of body) {
    if (!chunk.includes(10)) continue
    asked.first ??= performance.now()
  }
}`

type Asked = { clicked: number | null; first: number | null }
type Input = { browser: Browser; context: BrowserContext; url: string; serverId: string }

/** Milliseconds from the click on "Ask" to the first line of the answer, on loopback, without a language model. */
export async function measureWidget({ browser, serverId, ...input }: Input) {
  const data = `data-configuration="${await configure(input, serverId)}"`
  const times: number[] = []
  for (const question of QUESTIONS) {
    await using host = await openHostPage(browser, { service: input.url, data })
    const { page } = host
    await page.addInitScript(WATCH)
    await page.reload()
    await page.getByRole('button', { name: 'Ask the docs' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill(question)
    await dialog.getByRole('button', { name: 'Ask', exact: true }).click()
    await dialog.getByText('The answer is complete').waitFor({ state: 'attached' })
    const { clicked, first } = await page.evaluate<Asked>(() => (globalThis as unknown as { asked: Asked }).asked)
    if (clicked === null || first === null) throw new Error('The widget has shown an answer without a stream.')
    times.push(first - clicked)
  }
  return { answers: times.length, firstLineMs: Math.round(median(times)), slowestMs: Math.round(Math.max(...times)) }
}

/** A configuration of the server, for the domain of the host page. */
async function configure({ context, url }: Pick<Input, 'context' | 'url'>, serverId: string): Promise<string> {
  const credentials = await context.request.get(`${url}/api/credentials`)
  const { clientSecret } = (await credentials.json()) as { clientSecret: string }
  const saved = await context.request.post(`${url}/api/configurations`, {
    headers: { authorization: `Bearer ${clientSecret}` },
    data: { domain: 'docs.example.com', sources: JSON.stringify([{ type: 'docs', enabled: true, serverId }]) },
  })
  if (!saved.ok()) throw new Error(`Saving the configuration answered ${saved.status()}: ${await saved.text()}`)
  return ((await saved.json()) as { id: string }).id
}
