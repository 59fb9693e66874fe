import { describe, expect, test } from 'vitest'
import { openShelf } from '../../../test/support/mcp/shelf.ts'

const filler = 'It is told at length here, so that it is a passage of its own and the next one begins anew. '.repeat(6)
const api = 'https://api.example/openapi.json'
const operation = (method: string, path: string, summary: string) => ({
  url: `${api}?docent-operation=${method}+${path}`,
  title: `${summary}: ${method} ${path}`,
  markdown: [
    `# ${summary}: ${method} ${path}`,
    `\`${method} https://api.example${path}\``,
    `${summary} that is there. ${filler}`,
    '## Parameters\n\n| Name | In | Type | Required | Description |\n| --- | --- | --- | --- | --- |\n| `id` | path | string | yes | Which a\\|b. |\n| `full` | query | boolean |  | All of it. |',
    '## Responses\n\n### 200: OK\n\n`application/json`: User\n\n### 404: Not found\n\nNo such user.',
    `## Sample request\n\n\`\`\`sh\ncurl https://api.example${path}\n\`\`\``,
  ].join('\n\n'),
})
const shelf = openShelf(
  {
    type: 'api',
    label: 'API',
    pages: [operation('GET', '/users/{id}', 'Get a user'), operation('DELETE', '/users/{id}', 'Delete a user')],
  },
  {
    label: 'Docs',
    pages: [
      {
        url: 'https://w.example/api/router',
        markdown: `# Router\n\n${filler}\n\n## Router.use(path, handler)\n\n\`\`\`ts\nuse(path: string, handler: Handler): Router\n\`\`\`\n\nAdds a handler. ${filler}\n\n- \`path\` (string, required): Where.\n- \`handler\` (Handler): What.\n- returns: the router\n- throws: \`TypeError\` without a handler\n\nExample:\n\n\`\`\`ts\nrouter.use('/a', log)\n\`\`\`\n\n## Router.get(path)\n\nGets.\n\n## Router.all(path)\n\nAll.\n`,
      },
      {
        url: 'https://w.example/blog/router-use',
        markdown: `# How we use Router.use\n\n## Router.use\n\nOnce upon a time. ${filler}`,
      },
    ],
  },
)
const ask = (args: object) => shelf.call('find_api_reference', args)

describe('endpoint', () => {
  test.each(['GET /users/{id}', 'get /users/:user_id', 'GET https://api.example/users/{x}/'])(
    'finds an endpoint as %s',
    async (name) => {
      const { structured } = await ask({ name })
      expect(structured).toMatchObject({ match: 'exact', results: [{ title: 'Get a user: GET /users/{id}' }] })
    },
  )

  test('shows parameters, responses, errors and an example of an endpoint', async () => {
    const { text, structured } = await ask({ name: 'GET /users/{id}' })
    expect(text).toMatch(
      /^\[1\] Get a user: GET \/users\/\{id\}\nSource: https:\/\/api\.example\/openapi\.json\?docent-operation/,
    )
    expect(text).toContain('## Parameters')
    expect(structured.results).toEqual([
      expect.objectContaining({
        signature: 'GET https://api.example/users/{id}',
        description: expect.stringMatching(/^Get a user that is there/),
        parameters: [
          { name: 'id', type: 'string', required: true, place: 'path', description: 'Which a|b.' },
          { name: 'full', type: 'boolean', required: false, place: 'query', description: 'All of it.' },
        ],
        returns: expect.stringContaining('User'),
        errors: ['404: Not found'],
        example: { language: 'sh', text: 'curl https://api.example/users/{id}' },
      }),
    ])
  })

  test('finds all methods of a path', async () => {
    expect((await ask({ name: '/users/{id}' })).structured.results).toHaveLength(2)
  })
})

test('finds an operation by its exact operationId, among many that begin with it', async () => {
  const named = (path: string, id: string) => {
    const page = operation('GET', path, `Get ${path.slice(1)}`)
    return { ...page, markdown: page.markdown.replace('\n\n', `\n\nOperation: \`${id}\`.\n\n`) }
  }
  const others = Array.from({ length: 40 }, (_, at) => named(`/part${at}`, `repos/get-part${at}`))
  const { call } = openShelf({ type: 'api', pages: [...others, named('/code', 'repos/get')] })
  const { structured } = await call('find_api_reference', { name: 'repos/get' })
  expect(structured).toMatchObject({ match: 'exact', results: [{ title: 'Get code: GET /code' }] })
})

describe('method', () => {
  test('finds a method by its full name, in the reference before other text', async () => {
    const { structured } = await ask({ name: 'Router.use' })
    expect(structured.match).toBe('exact')
    expect(structured.results.map(({ url }: any) => url)).toEqual([
      'https://w.example/api/router#routerusepath-handler',
      'https://w.example/blog/router-use#routeruse',
    ])
    expect(structured.results[0]).toMatchObject({
      heading: 'Router.use(path, handler)',
      signature: 'use(path: string, handler: Handler): Router',
      parameters: [
        { name: 'path', type: 'string', required: true, description: 'Where.' },
        { name: 'handler', type: 'Handler', required: null },
      ],
      returns: 'the router',
      errors: ['`TypeError` without a handler'],
      example: { text: "router.use('/a', log)" },
    })
  })

  test('finds a method inside a passage with others, listed under the first', async () => {
    const { structured } = await ask({ name: 'Router.all' })
    expect(structured).toMatchObject({ match: 'exact', results: [{ heading: 'Router.all(path)' }] })
  })

  test('finds a method by the last part of its name, and says so', async () => {
    const { structured, text } = await ask({ name: 'app.use', source: 'Docs' })
    expect(structured.match).toBe('part')
    const { structured: router } = await ask({ name: 'router.use', source: 'Docs' })
    expect(router.match).toBe('exact')
    expect(text).toContain('[note] Nothing is called "app.use" in full; these have the last part of the name.')
  })

  test('suggests similar names for a misspelled method', async () => {
    const { structured, text } = await ask({ name: 'Router.uze' })
    expect(structured).toMatchObject({ match: 'similar', results: [{ heading: 'Router.use(path, handler)' }, {}] })
    expect(text).toContain('[note] Nothing is called "Router.uze"')
  })
})

test('labels a name that is only mentioned, and suggests alternatives for an unknown one', async () => {
  const { structured, text } = await ask({ name: 'once upon' })
  expect(structured).toMatchObject({ match: 'related', results: [{ match: 'related' }] })
  expect(text).toContain('these passages speak of it')
  expect((await ask({ name: 'qqqq' })).text).toContain('[note] Nothing here is called "qqqq"')
})

test('continues the list of places on the next page', async () => {
  const first = await ask({ name: 'Router.use', limit: 1 })
  const next = await ask({ name: 'Router.use', limit: 1, cursor: first.structured.nextCursor })
  expect(next.structured.results).toMatchObject([{ rank: 2, url: 'https://w.example/blog/router-use#routeruse' }])
  expect(next.structured.nextCursor).toBeUndefined()
})

test.each([
  [{}, '"name" must be text of 1 to 500 characters'],
  [{ name: 'x'.repeat(501) }, '"name" must be text'],
  [{ name: 'x', limit: 11 }, '"limit" must be a whole number of 1 to 10'],
])('refuses the arguments %j', async (args, sentence) => {
  expect(await shelf.fail('find_api_reference', args)).toContain(sentence)
})

test('looks up a name of 500 characters', async () => {
  expect((await ask({ name: 'x'.repeat(500) })).structured.match).toBe('none')
})

describe('reference with a page per type', () => {
  const page = (path: string, title: string, ...members: string[]) => ({
    url: `https://r.example/${path}`,
    title,
    markdown: `# ${title}\n\n${filler}\n\n${members.map((member) => `## ${member}\n\nIt is told here. ${filler}`).join('\n\n')}`,
  })
  const reference = openShelf({
    label: 'Reference',
    pages: [
      page(
        'rope/struct.Rope.html',
        'Rope in tide::rope',
        'pub fn cut<R>(&mut self, range: R) -> Cut<R>',
        'pub fn len(&self) -> usize',
      ),
      page('rope/struct.Cut.html', 'Cut in tide::rope', 'fn next(&mut self) -> Option<Rope>'),
      page('chain/struct.Chain.html', 'Chain in tide::chain', 'pub fn len(&self) -> usize', 'pub fn cut(&mut self)'),
      page('org/tide/Gauge.html', 'Gauge', 'height', 'operator=='),
      page('org/post/Gauge.html', 'Gauge', 'width'),
      page('classtide.html', 'tide::Anchor Class Reference', 'weigh()'),
    ],
  })
  const places = async (name: string) => {
    const { match, results } = (await reference.call('find_api_reference', { name })).structured
    return {
      match,
      first: `${results[0].url.replace('https://r.example/', '').replace(/#.*/, '')} ${results[0].heading}`,
    }
  }

  test.each([
    ['Rope::len', 'exact', 'rope/struct.Rope.html pub fn len(&self) -> usize'],
    ['Chain::len', 'exact', 'chain/struct.Chain.html pub fn len(&self) -> usize'],
    ['tide::chain::Chain::cut', 'exact', 'chain/struct.Chain.html pub fn cut(&mut self)'],
    // The type `Cut` of module `rope` has the same letters.
    ['Rope::cut', 'exact', 'rope/struct.Rope.html pub fn cut<R>(&mut self, range: R) -> Cut<R>'],
    ['rope::Cut', 'exact', 'rope/struct.Cut.html '],
    ['Anchor::weigh', 'exact', 'classtide.html weigh()'],
    ['tide::Anchor', 'exact', 'classtide.html '],
    ['Gauge.height', 'exact', 'org/tide/Gauge.html height'],
    ['org.post.Gauge', 'exact', 'org/post/Gauge.html '],
    ['Gauge::operator==', 'exact', 'org/tide/Gauge.html operator=='],
    ['Buoy.width', 'part', 'org/post/Gauge.html width'],
  ])('finds %s as %s: %s', async (name, match, first) => {
    expect(await places(name)).toEqual({ match, first })
  })

  test('answers a question about a member from its reference, whatever else mentions it', async () => {
    const others = Array.from({ length: 12 }, (_, at) =>
      page(`essays/${at}.html`, `What Chain::cut does, part ${at}`, `On Chain::cut ${at}`),
    )
    const chain = page('chain/struct.Chain.html', 'Chain in tide::chain', 'pub fn cut(&mut self)', 'pub fn len(&self)')
    const shelfOfAll = openShelf({ pages: [...others, chain] })
    const ask = async (question: string) => {
      const { structured } = await shelfOfAll.call('ask_question', { question })
      return structured.citations[0]?.url
    }
    expect(await ask('What does Chain::cut do?')).toMatch(/struct\.Chain\.html#pub-fn-cut/)
    // There is neither such a member nor a page with one.
    expect(await ask('What does Chain::sink do?')).not.toMatch(/#pub-fn/)
  })
})
