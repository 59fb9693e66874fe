import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { configureWidget } from '../support/service/configure-widget.ts'
import { portalOf } from '../support/service/developer-portal.ts'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { disposeAll } from '../support/lib/keep-open.ts'
import { eventsOf, type LanguageModel, type Reply, startLanguageModel } from '../support/models/language-model.ts'
import { page, type Site, startSite } from '../support/sites/site.ts'

const QUESTION = 'How often do I oil a widget?'
const FIRST = 'Oil every widget twice a year with fine oil [1].'
const SECOND = 'Never oil a hot gear of a widget [1].'

/** Sends each text after a pause, as a model that writes slowly. */
const writing =
  (...texts: string[]): Reply =>
  async (response, asked) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const whole = eventsOf(asked, texts.join(''))
    const each = Math.ceil(whole.length / texts.length)
    for (let at = 0; at < whole.length; at += each) {
      response.write(whole.slice(at, at + each).join(''))
      await sleep(150)
    }
    response.end()
  }

onSqliteAtLeast('an answer that a model writes', (engine) => {
  let site: Site
  let model: LanguageModel
  let docent: Docent
  let slug: string
  let widget: Awaited<ReturnType<typeof configureWidget>>
  let session: string

  beforeAll(async () => {
    site = await startSite({
      '/': page('Widgets', 'Oil every widget twice a year with fine oil. Never oil a hot gear of a widget.'),
    })
    model = await startLanguageModel()
    docent = await startDocent({
      engine,
      environment: {
        DOCENT_SECRET_KEY: 'k'.repeat(32),
        DOCENT_LLM_PROVIDER: 'openai',
        DOCENT_LLM_BASE_URL: `${model.url}/v1`,
        DOCENT_LLM_MODEL: 'slow-1',
        DOCENT_LLM_TIMEOUT: '3',
      },
    })
    const { clientSecret } = await portalOf(docent, 'owner')
    const made = await docent.createServer({
      name: 'Widgets',
      sources: [{ url: `${site.url}/` }],
      structuredOutput: true,
    })
    slug = made.slug
    const sources = JSON.stringify([{ type: 'docs', enabled: true, serverId: made.serverId }])
    widget = await configureWidget(docent, clientSecret, { sources })
    session = (await widget.open()).body.session
  })
  afterAll(() => disposeAll(docent, model, site))
  beforeEach(() => {
    model.asked.length = 0
  })

  /** Calls `ask_question` over MCP, and reads the events or the JSON of the response. */
  async function call(meta: object) {
    const params = { name: 'ask_question', arguments: { question: QUESTION }, _meta: meta }
    const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' }
    const response = await docent.request(
      'POST',
      `/api/mcp/${slug}`,
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      { key: null, headers },
    )
    const isStream = response.headers.get('content-type') === 'text/event-stream'
    const events = [...response.text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data))
    return { isStream, events, body: response.body }
  }

  test('reports its progress to a client with a progress token, then replies', async () => {
    model.replies = [writing(`${FIRST}\n\n`, SECOND)]
    const { isStream, events } = await call({ progressToken: 'p-1' })
    expect(isStream).toBe(true)
    const reports = events.slice(0, -1)
    expect(reports.map(({ method, params }) => [method, params.progressToken, params.progress])).toEqual(
      reports.map((_, at) => ['notifications/progress', 'p-1', at + 1]),
    )
    expect(reports.map(({ params }) => params.message)).toEqual([
      expect.stringMatching(/^Found \d+ passages?\. The language model reads (?:it|them)\.$/),
      'A part of the answer is written and checked against the sources.',
    ])
    expect(events.at(-1).result.structuredContent.answer).toBe(
      'Oil every widget twice a year with fine oil [1].\n\nNever oil a hot gear of a widget [1].',
    )
  })

  test('answers a client without a progress token by one JSON response', async () => {
    model.replies = [writing(FIRST)]
    const { isStream, body } = await call({})
    expect(isStream).toBe(false)
    expect(body.result.structuredContent.answer).toBe('Oil every widget twice a year with fine oil [1].')
  })

  /** Asks in the widget. The text is that after the last restart. */
  async function askWidget() {
    const { items } = await widget.ask(session, QUESTION)
    const kinds: string[] = items.map(({ type }: { type: string }) => type)
    const rest = items.slice(kinds.lastIndexOf('restart') + 1)
    const said = rest.map(({ text = '' }: { text?: string }) => text).join('')
    return { items, kinds, said, last: items.at(-1) }
  }

  test('sends the widget verified paragraphs, each after its citations', async () => {
    model.replies = [writing(`${FIRST}\n\n`, SECOND)]
    const { items, kinds, said } = await askWidget()
    expect(kinds).toEqual(['begin', 'progress', 'progress', 'citation', 'text', 'text', 'end'])
    expect(items[4].text).toBe('Oil every widget twice a year with fine oil [1].')
    expect(said).toBe('Oil every widget twice a year with fine oil [1].\n\nNever oil a hot gear of a widget [1].')
  })

  test('sends the widget no statement that the sources do not support', async () => {
    model.replies = [writing(`${FIRST}\n\n`, 'A widget lasts 12 years and costs 40 dollars [1].\n\n', SECOND)]
    const { said, items } = await askWidget()
    expect(said).toBe('Oil every widget twice a year with fine oil [1].\n\nNever oil a hot gear of a widget [1].')
    expect(JSON.stringify(items)).not.toContain('12 years')
  })

  test('withdraws the answer from the widget if the model breaks off, with the reason', async () => {
    model.replies = [
      (response, asked) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(eventsOf(asked, `${FIRST}\n\nNever oil`).slice(0, -3).join(''))
        setTimeout(() => response.destroy(), 200)
      },
    ]
    const { kinds, last, said } = await askWidget()
    expect(kinds).toContain('restart')
    expect(said).toContain('Oil every widget twice a year with fine oil.')
    expect(last).toMatchObject({ type: 'end', remark: expect.stringMatching(/broke off/) })
  })

  test('replaces the answer in the widget if the sources do not support it', async () => {
    const lies = 'Widgets grow on 7 trees [1]. Widgets sing 9 songs [1]. Widgets cost 11 dollars [1].'
    model.replies = [writing(`${FIRST}\n\n`, `${lies}`), writing(FIRST)]
    const { kinds, said } = await askWidget()
    expect(kinds.filter((kind) => kind === 'restart')).toHaveLength(1)
    expect(said).toBe('Oil every widget twice a year with fine oil [1].')
    expect(model.asked).toHaveLength(2)
  })
})
