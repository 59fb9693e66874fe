import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Place, makePlace, onSqliteAtLeast } from '../support/database/engines.ts'
import { disposeAll } from '../support/lib/keep-open.ts'
import { configureWidget } from '../support/service/configure-widget.ts'
import { portalOf } from '../support/service/developer-portal.ts'
import { sourcesOf } from '../support/service/embed-world.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { type Site, startSite } from '../support/sites/site.ts'

const html = (title: string, body: string, language = 'en') =>
  `<!doctype html><html lang="${language}"><title>${title}</title><body><main><h1>${title}</h1>${body}</main></body></html>`

const OIL = `<p>To oil a sprocket, take it off and put three drops of thin oil on each tooth. Wipe it dry with a cloth.</p>`
const PAGES = {
  '/': html(
    'Sprocket manual',
    `<p>Everything about sprockets.</p><ul><li><a href="/oil">Care</a><li><a href="/teeth">Teeth</a><li><a href="/skips">Skips</a>
     <li><a href="/links">Links</a><li><a href="/de">Deutsch</a><li><a href="/changelog">Changes</a></ul>`,
  ),
  '/oil': html(
    'Care',
    `<h2 id="oiling">Oiling a sprocket</h2>${OIL}
     <h2 id="cleaning">Cleaning the chain guard</h2><p>You clean the chain guard with warm water and a soft brush twice a year.</p>
     <h2 id="more">Writing to us</h2><p>See the address.</p>`,
  ),
  '/teeth': html(
    'Tooth counters',
    `<p>A tooth counter is a device that shows the number of teeth of a sprocket while it turns on its axle.</p>`,
  ),
  '/skips': html(
    'Troubles',
    `<h2 id="why">Why does a bicycle chain skip?</h2><p>A bicycle chain skips if it is worn, or longer than the frame of the bicycle allows.</p>`,
  ),
  '/links': html('Adding chain links', `<p><a href="/oil">Care</a></p>`),
  '/de': html(
    'Pflege',
    `<h2 id="wie">Wie oft wird ein Kettenrad geölt?</h2><p>Ein Kettenrad wird zweimal im Jahr geölt, im Frühling und im Herbst.</p>
     <h2 id="reinigen">Reinigen der Kette</h2><p>Die Kette wird mit warmem Wasser und einer weichen Bürste gereinigt.</p>`,
    'de',
  ),
  '/changelog': html(
    'Changelog',
    `<h2 id="two">Upgrading to version 2.0</h2><p>You upgrade by replacing every old sprocket by a new one.</p>`,
  ),
  '/robots.txt': '',
}

onSqliteAtLeast('questions that a server answers', (engine) => {
  let place: Place
  let site: Site
  let docent: Docent
  let slug: string
  let serverId: string

  beforeAll(async () => {
    place = await makePlace(engine)
    site = await startSite(PAGES)
    docent = await startDocent({ engine, place, environment: ENVIRONMENT })
    ;({ slug, serverId } = await docent.createServer({ name: 'Sprockets', sources: [{ url: `${site.url}/` }] }))
  })
  afterAll(() => disposeAll(docent, site, place))

  const ENVIRONMENT = { DOCENT_SECRET_KEY: 'k'.repeat(32) }
  const listed = async (of = slug): Promise<{ question: string; url: string; title: string; sourceId: string }[]> =>
    (await docent.request('GET', `/api/mcp/${of}/questions`)).body.questions
  const ask = async (question: string) => {
    const attempt = { tool: 'ask_question', arguments: { question } }
    return (await docent.request('POST', `/api/mcp/${slug}/try`, attempt)).body
  }

  test('are made from headings and first sentences, in English or as their page has them', async () => {
    const questions = await listed()
    expect(questions.map(({ question }) => question).toSorted()).toEqual([
      'How do I clean the chain guard?',
      'How do I oil a sprocket?',
      'What is a tooth counter?',
      'Why does a bicycle chain skip?',
      'Wie oft wird ein Kettenrad geölt?',
    ])
    const oil = questions.find(({ question }) => question.includes('oil'))
    expect(oil).toMatchObject({
      url: `${site.url}/oil#oiling`,
      title: 'Care',
      sourceId: expect.stringMatching(/^src_/),
    })
  })

  test('are all answered, first of all from the section that they were made from', async () => {
    for (const { question, url } of await listed()) {
      const { outcome, data } = await ask(question)
      expect([question, outcome, data.citations[0].url]).toEqual([question, 'answered', url])
    }
  })

  test('are not in the request log, and take nothing from an allowance', async () => {
    const { body } = await docent.request('GET', `/api/analytics/${slug}/summary`)
    expect(body.totalCalls).toBe(0)
    expect((await docent.request('GET', '/api/billing/usage')).body.mcpRequests.used).toBe(0)
  })

  test('are the follow-ups of an answer whose pages they are about, and no others', async () => {
    const { data, response } = await ask('How do I oil a sprocket?')
    const stored = (await listed()).map(({ question }) => question)
    expect(data.followUps[0]).toBe('How do I clean the chain guard?')
    expect(data.followUps.length).toBeLessThanOrEqual(3)
    for (const followUp of data.followUps) expect(stored).toContain(followUp)
    expect(data.followUps).not.toContain('How do I oil a sprocket?')
    expect(response.result.content[0].text).toContain('Related, to ask next: How do I clean the chain guard?')
    expect((await ask('zeppelin')).data.followUps).toBeUndefined()
  })

  test('are proposed by widgets of public servers that have the tool for questions', async () => {
    const owner = await portalOf(docent, 'owner')
    const proposed = async (settings: object) => {
      const { send, configurationId } = await configureWidget(docent, owner.clientSecret, settings)
      return (await send('GET', `/api/embed/configurations/${configurationId}`)).body.questions
    }
    const sources = sourcesOf(serverId)
    const questions = await proposed({ sources })
    expect(questions).toEqual((await listed()).slice(0, 3).map(({ question }) => question))
    expect(await proposed({ sources, tools: JSON.stringify([{ name: 'search_docs', enabled: true }]) })).toBeUndefined()
    await docent.request('PATCH', `/api/mcp/${slug}/visibility`, { visibility: 'private' })
    expect(await proposed({ sources })).toBeUndefined()
    await docent.request('PATCH', `/api/mcp/${slug}/visibility`, { visibility: 'public' })
  })

  test('outlast a restart of the service', async () => {
    const before = await listed()
    const { key } = docent
    await docent[Symbol.asyncDispose]()
    docent = await startDocent({ engine, place, key, environment: ENVIRONMENT })
    expect(await listed()).toEqual(before)
  })

  test('change with the pages, and go with their source', async () => {
    site.pages.set(
      '/oil',
      html('Care', `<h2 id="greasing">Greasing a bearing</h2><p>You grease a bearing with a brush once a year.</p>`),
    )
    await docent.request('POST', '/api/mcp/crawl', { serverId })
    await docent.untilDone(serverId)
    const questions = (await listed()).map(({ question }) => question)
    expect(questions).not.toContain('How do I oil a sprocket?')
    expect(questions).toContain('What is a tooth counter?')
    const [{ id: sourceId }] = (await docent.request('GET', `/api/mcp/${slug}`)).body.sources
    await docent.request('DELETE', `/api/mcp/${slug}/sources`, { sourceId })
    expect(await listed()).toEqual([])
    expect(await docent.inStore(({ read }) => read.selectFrom('sourceQuestions').selectAll().execute())).toEqual([])
  })

  test('are seen with a key of their server only', async () => {
    const other = await docent.makeKey('other@example.test')
    expect((await docent.request('GET', `/api/mcp/${slug}/questions`, undefined, { key: other })).status).toBe(404)
    expect((await docent.request('GET', `/api/mcp/${slug}/questions`, undefined, { key: null })).status).toBe(401)
  })
  test('are made from the tasks of the operations of an API, what is made first, without deprecated ones', async () => {
    const get = (summary: string, more = {}) => ({
      get: { summary, ...more, responses: { 200: { description: 'OK' } } },
    })
    const api = {
      openapi: '3.1.0',
      info: { title: 'Trees', version: '1' },
      servers: [{ url: 'https://api.example' }],
      paths: {
        '/trees/{id}/leaves': get('Lists the leaves of a tree'),
        '/trees': { post: { summary: 'Plants and waters a tree', responses: { 201: { description: 'Planted' } } } },
        '/forests': { post: { summary: 'Create a forest', responses: { 201: { description: 'Created' } } } },
        '/twigs': get('List all twigs', { deprecated: true }),
        '/health': get('Health'),
      },
    }
    await using trees = await startSite({ '/openapi.json': JSON.stringify(api) })
    const server = await docent.createServer({
      name: 'Trees',
      sources: [{ url: `${trees.url}/openapi.json`, type: 'api' }],
    })
    const questions = await listed(server.slug)
    expect(questions.map(({ question }) => question)).toEqual([
      'How do I create a forest?',
      'How do I list the leaves of a tree?',
    ])
    const { data } = (
      await docent.request('POST', `/api/mcp/${server.slug}/try`, {
        tool: 'ask_question',
        arguments: { question: questions[0]?.question },
      })
    ).body
    expect(data.citations[0].url).toBe(questions[0]?.url)
  })
})
