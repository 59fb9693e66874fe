import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeZip } from '../support/lib/make-archive.ts'
import { readCitations } from '#mcp/passages/read-citations.ts'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { QUESTION as ASKED } from '../support/service/configure-widget.ts'
import { sourcesOf, startEmbedWorld } from '../support/service/embed-world.ts'
import { resultsIn } from '../support/mcp/results-in.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { disposeAll } from '../support/lib/keep-open.ts'
import { startWidgetWorld, type WidgetWorld } from '../support/service/widget-world.ts'
import { page, type Site } from '../support/sites/site.ts'

const MORE = 'A paragraph about the history of the machine and of its makers, which nobody asks about. '.repeat(14)
const GUIDE = `<!doctype html><html lang="en"><head><title>Care</title></head><body><main><h1>Care</h1>
<p>Everything about the care of widgets.</p>
<h2 id="oiling">Lubrication</h2><p>Use fine lubricant twice a year.</p><p>${MORE}</p>
<pre><code>widget lubricate --all</code></pre><p>${MORE}</p><p>Then wipe it.</p>
<h2 id="cleaning">Cleaning</h2><p>Clean it with a cloth.</p></main></body></html>`
const QUESTION = 'How do I oil a widget?'

onSqliteAtLeast('pinned sections', (engine) => {
  let world: WidgetWorld
  let site: Site
  let docent: Docent
  let slug: string

  beforeAll(async () => {
    world = await startWidgetWorld(engine, {
      '/': page('Widgets', 'A widget is a small machine that bends spoons.', ['/care', '/blog', '/shop']),
      '/care': GUIDE,
      '/blog': page('How we oil a widget', 'We oil a widget with olive oil, once in a while. To oil a widget is fun.'),
      '/shop': page('Shop', 'We sell oil for any widget. The oil of a widget costs little.'),
    })
    ;({ site, docent, slug } = world)
  })
  afterAll(() => disposeAll(world))

  const pin = async (body: object): Promise<string> => {
    const given = { questions: [QUESTION], url: `${site.url}/care#oiling`, ...body }
    return (await docent.request('POST', `/api/mcp/${slug}/pins`, given)).body.pin.id
  }
  const remove = (id: string) => docent.request('DELETE', `/api/mcp/${slug}/pins/${id}`)
  const pins = async () => (await docent.request('GET', `/api/mcp/${slug}/pins`)).body.pins
  const ask = async (question = QUESTION) => {
    const { result } = await docent.callTool(slug, 'ask_question', { question })
    const [text]: string[] = result.content.map((block: { text: string }) => block.text)
    return { text: text ?? '', confidence: /Confidence: \w+/.exec(text ?? '')?.[0], ...readCitations(text ?? '') }
  }
  const found = async (query = QUESTION, filters: object = {}): Promise<string[]> => {
    const { result } = await docent.callTool(slug, 'search_docs', { query, ...filters })
    return resultsIn(result).map(({ url }) => url.slice(site.url.length))
  }
  const trace = async () => {
    const [call] = (await docent.request('GET', `/api/analytics/${slug}/calls`)).body.calls
    return (await docent.request('GET', `/api/mcp/${slug}/calls/${call.id}/trace`)).body
  }

  test('come first and whole with the next answer and search, and leave with their pin', async () => {
    const [answer, places] = [await ask(), await found()]
    expect(places[0]).not.toBe('/care#oiling')
    const id = await pin({})
    const pinned = await ask()
    expect(pinned.lead).toMatch(/^## Lubrication\n\nUse fine lubricant twice a year\.[^]*--all[^]*Then wipe it\./)
    expect(pinned.passages[0]?.url).toBe(`${site.url}/care#oiling`)
    expect(pinned.confidence).toBe(answer.confidence)
    expect(pinned.notes).toContain('The owner of this server chose the section at [1] for this question.')
    expect(await found()).toEqual(['/care#oiling', ...places.filter((place) => place !== '/care#oiling')])
    await remove(id)
    expect([(await ask()).text, await found()]).toEqual([answer.text, places])
  })

  test('come for the same question in other words with the same terms, and for no other', async () => {
    const id = await pin({})
    for (const query of ['oiling widgets', 'how can I oil my widget', 'Widget: oil?'])
      expect([query, (await found(query))[0]]).toEqual([query, '/care#oiling'])
    for (const query of ['oil a red widget', 'oil', 'not oiling a widget'])
      expect([query, (await found(query))[0]]).not.toEqual([query, '/care#oiling'])
    await remove(id)
  })

  test('are left out for a question if the pin says so, and not for others', async () => {
    const places = await found()
    const first = places[0] ?? ''
    const id = await pin({ effect: 'never', url: site.url + first })
    expect(await found()).not.toContain(first)
    expect((await ask()).passages.map(({ url }) => url)).not.toContain(`${site.url}${first}`)
    expect(await found('oil a widget again')).toContain(first)
    await remove(id)
    expect(await found()).toEqual(places)
  })

  test('are left out of an answer that would take them by their name', async () => {
    const question = 'What is lubrication?'
    expect((await ask(question)).passages[0]?.url).toBe(`${site.url}/care#oiling`)
    const id = await pin({ effect: 'never', questions: [question] })
    expect((await ask(question)).text).not.toContain('/care#oiling')
    await remove(id)
  })

  test('follow the newest of two pins about one section', async () => {
    const ids = [await pin({}), await pin({ effect: 'never' })]
    expect(await found()).not.toContain('/care#oiling')
    ids.push(await pin({}))
    expect((await found())[0]).toBe('/care#oiling')
    await Promise.all(ids.map(remove))
  })

  test('come in the order of their pins', async () => {
    const ids = [await pin({ url: `${site.url}/care#cleaning` }), await pin({})]
    expect((await found()).slice(0, 2)).toEqual(['/care#cleaning', '/care#oiling'])
    await Promise.all(ids.map(remove))
  })

  test('make a question answered that the sources do not seem to answer', async () => {
    const question = 'Who wins the football cup?'
    expect((await ask(question)).confidence).toBe('Confidence: none')
    expect((await trace()).outcome).toBe('none')
    const id = await pin({ questions: [question] })
    const pinned = await ask(question)
    expect([pinned.confidence, pinned.lead]).toEqual(['Confidence: none', expect.stringMatching(/^## Lubrication/)])
    expect((await trace()).outcome).toBe('answered')
    await remove(id)
  })

  test('respect the filters of a search', async () => {
    const id = await pin({})
    expect(await found(QUESTION, { path: '/blog' })).toEqual(['/blog'])
    expect((await found(QUESTION, { path: '/care' }))[0]).toBe('/care#oiling')
    await remove(id)
  })

  test('are named in the trace of a call', async () => {
    const ids = [await pin({}), await pin({ effect: 'never', url: `${site.url}/shop` })]
    await found()
    const [search] = (await trace()).searches
    const place = { heading: '', outcome: 'applied' }
    expect(search.pins).toEqual([
      { ...place, pinId: ids[0], effect: 'first', url: `${site.url}/care#oiling`, heading: 'Lubrication' },
      { ...place, pinId: ids[1], effect: 'never', url: `${site.url}/shop` },
    ])
    await found('something else')
    expect((await trace()).searches[0].pins).toEqual([])
    await Promise.all(ids.map(remove))
  })

  test('are shown before they are saved, with the past questions that would change', async () => {
    const places = await found()
    const before = await ask('oiling a widget')
    await found('wholly different')
    const given = { questions: [QUESTION], url: `${site.url}/care#oiling` }
    const { status, body } = await docent.request('POST', `/api/mcp/${slug}/pins/preview`, given)
    expect(status).toBe(200)
    expect(body.section).toMatchObject({ title: 'Care', heading: 'Lubrication', url: given.url })
    expect(body.answers).toMatchObject([
      {
        question: QUESTION,
        tool: 'ask_question',
        changes: true,
        after: { text: expect.stringContaining('Then wipe it.'), cited: [{ url: given.url }, {}, {}] },
      },
    ])
    const past: { question: string; tool: string; before: { text: string } }[] = body.past
    expect(past.map(({ question, tool }) => `${tool} ${question}`)).toEqual(
      expect.arrayContaining(['ask_question oiling a widget', `search_docs ${QUESTION}`]),
    )
    expect(past.map(({ question }) => question)).not.toContain('wholly different')
    const same = past.find(({ question }) => question === 'oiling a widget')
    expect(before.text).toContain(same?.before.text)
    expect([await pins(), await found()]).toEqual([[], places])
  })

  test('tell when the sources do not have the words of a question', async () => {
    const find = async (question: string) =>
      (await docent.request('POST', `/api/mcp/${slug}/pins/sections`, { question })).body
    const known = await find('lubricate a widget twice')
    expect(known).toMatchObject({ missing: [], remark: null })
    expect(known.sections[0]).toMatchObject({ url: `${site.url}/care#oiling`, text: expect.stringContaining('fine') })
    const unknown = await find('How do I oil a zeppelin?')
    expect(unknown.missing).toEqual(['zeppelin'])
    expect(unknown.remark).toMatch(/^No page has “zeppelin”\. A pin or a rule only chooses /)
    expect((await find('zeppelin')).remark).toMatch(/^Nothing in the sources has a word of this question\. /)
    expect(
      (await docent.request('POST', `/api/mcp/${slug}/pins/sections`, { question: 'x', query: 'cloth' })).body
        .sections[0],
    ).toMatchObject({ url: `${site.url}/care#cleaning` })
  })

  test('do nothing while their section is gone, and say so', async () => {
    const id = await pin({})
    site.pages.set('/care', GUIDE.replace('id="oiling"', 'id="greasing"').replace('Lubrication', 'Grease'))
    await docent.request('POST', `/api/mcp/${slug}/crawl`)
    await docent.untilDone(slug)
    expect(await pins()).toMatchObject([{ id, isStale: true, heading: 'Lubrication' }])
    expect((await found())[0]).not.toContain('/care')
    const [search] = (await trace()).searches
    expect(search.pins).toMatchObject([{ pinId: id, outcome: 'stale' }])
    site.pages.set('/care', GUIDE)
    await docent.request('POST', `/api/mcp/${slug}/crawl`)
    await docent.untilDone(slug)
    expect(await pins()).toMatchObject([{ id, isStale: false }])
    expect((await found())[0]).toBe('/care#oiling')
    await remove(id)
  })

  test('go with their source', async () => {
    const added = await docent.request('POST', `/api/mcp/${slug}/sources`, { url: `${site.url}/blog`, label: 'Blog' })
    await docent.untilDone(slug)
    await pin({ url: `${site.url}/blog`, sourceId: added.body.id })
    expect(await pins()).toHaveLength(1)
    await docent.request('DELETE', `/api/mcp/${slug}/sources`, { sourceId: added.body.id })
    expect(await pins()).toEqual([])
  })
})

onSqliteAtLeast('pins of the servers of a widget', (engine) => {
  test('hold for the sources that the widget asks, of each of its servers', async () => {
    const { docent, guide, secret, site, configure, mint } = await startEmbedWorld(engine)
    const pin = { questions: [ASKED], url: `${site.url}/badgers/` }
    expect((await docent.request('POST', `/api/mcp/${secret.slug}/pins`, pin)).status).toBe(200)
    const both = await configure({ sources: sourcesOf(guide.serverId, secret.serverId) })
    const attributed = await both.open({ attributionToken: await mint() })
    expect((await both.ask(attributed.body.session)).said).toContain('Nine badgers')
    const alone = await configure({ sources: sourcesOf(guide.serverId) })
    const anonymous = await alone.open()
    expect((await alone.ask(anonymous.body.session)).said).not.toContain('Nine badgers')
  })
})

const DOCS = join(import.meta.dirname, '../../../bench/src/gate/fixtures')
type Asked = { question: string; places: string[] }

onSqliteAtLeast('pins over the documentation of Docent', (engine) => {
  test('change the answer in 10 of 10 tries', async () => {
    await using docent = await startDocent({ engine, environment: { DOCENT_RATE_LIMITS: 'off' } })
    const files = readdirSync(join(DOCS, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.md'),
    )
    const zip = makeZip(files.map((path) => ({ path, text: readFileSync(join(DOCS, 'docs', path), 'utf8') })))
    const made = await docent.request('POST', '/api/mcp/create', { name: 'Docs', uploads: ['docs'] })
    const { slug } = made.body
    await docent.request('POST', `/api/mcp/${slug}/sources/upload?name=docs`, zip)
    await docent.untilDone(slug)
    const lead = async (question: string) => {
      const { result } = await docent.callTool(slug, 'ask_question', { question })
      return readCitations(result.content[0].text)
    }
    const questions = JSON.parse(readFileSync(join(DOCS, 'questions.json'), 'utf8')) as Asked[]
    let tries = 0
    let changed = 0
    for (const { question } of questions) {
      if (tries === 10) break
      const { sections } = (await docent.request('POST', `/api/mcp/${slug}/pins/sections`, { question })).body
      const before = await lead(question)
      const cited = (url: string) => url.replace('upload://', `${docent.url}/api/mcp/${slug}/pages/uploads/`)
      const section = sections.find(({ url }: { url: string }) =>
        before.passages.every((passage) => passage.url !== cited(url)),
      )
      if (section === undefined) continue
      tries++
      const { heading } = section
      // The owner copies the address that answers show.
      const url = cited(section.url)
      await docent.request('POST', `/api/mcp/${slug}/pins`, { questions: [question], url, heading })
      const after = await lead(question)
      const { result } = await docent.callTool(slug, 'search_docs', { query: question })
      const isFirst = after.passages[0]?.url === url && resultsIn(result)[0]?.url === url
      if (isFirst && after.lead !== before.lead && after.lead.startsWith('#')) changed++
    }
    expect([tries, changed]).toEqual([10, 10])
  })
})
