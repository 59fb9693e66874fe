import { afterAll, beforeAll, expect, test } from 'vitest'
import { readCitations } from '#mcp/passages/read-citations.ts'
import { onSqliteAtLeast } from '../support/database/engines.ts'
import { type Docent, startDocent } from '../support/service/harness.ts'
import { disposeAll } from '../support/lib/keep-open.ts'
import { type Site, startSite } from '../support/sites/site.ts'

const schema = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const json = (name: string) => ({ 'application/json': { schema: schema(name) } })
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }

/** Two resources with operations of the same names, and prose that also uses the words. */
const DESCRIPTION = {
  openapi: '3.1.0',
  info: {
    title: 'Depot API',
    version: '2.4.0',
    description: 'Create, change and delete the trams and the drivers of a depot. Create a key first.',
  },
  servers: [{ url: 'https://api.depot.example/v2' }],
  paths: Object.fromEntries(
    ['Tram', 'Driver'].flatMap((name) => {
      const [lower, path] = [name.toLowerCase(), `/${name.toLowerCase()}s`]
      const answer = (description: string) => ({ description, content: json(name) })
      return [
        [
          path,
          {
            get: {
              operationId: `list${name}s`,
              summary: `List ${lower}s`,
              responses: { 200: answer(`All ${lower}s`) },
            },
            post: {
              operationId: `create${name}`,
              summary: `Create a ${lower}`,
              description: `Adds a ${lower} to the depot.`,
              requestBody: { required: true, content: json(name) },
              responses: { 201: answer(`The new ${lower}`) },
            },
          },
        ],
        [
          `${path}/{id}`,
          {
            delete: {
              operationId: `delete${name}`,
              summary: `Delete a ${lower}`,
              parameters: [id],
              responses: { 204: { description: `The ${lower} is gone.` } },
            },
          },
        ],
      ]
    }),
  ),
  components: {
    schemas: {
      Tram: { type: 'object', required: ['line'], properties: { line: { type: 'integer', description: 'Its line' } } },
      Driver: { type: 'object', properties: { name: { type: 'string', description: 'Full name' } } },
    },
  },
}

onSqliteAtLeast('question about an operation of an OpenAPI description', (engine) => {
  let docent: Docent
  let site: Site
  const servers: Record<string, string> = {}
  beforeAll(async () => {
    const text = JSON.stringify(DESCRIPTION)
    site = await startSite({})
    site.pages.set('/openapi.json', (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(text)
    })
    docent = await startDocent({ engine, environment: { DOCENT_RATE_LIMITS: 'off' } })
    const create = async (body: object) =>
      (await docent.request('POST', '/api/mcp/create', { name: 'Depot', ...body })).body.slug
    servers['served'] = await create({ sources: [{ url: `${site.url}/openapi.json` }] })
    servers['uploaded'] = await create({ uploads: ['api'] })
    const path = `/api/mcp/${servers['uploaded']}/sources/upload?name=api&file=openapi.json`
    await docent.request('POST', path, new Uint8Array(Buffer.from(text)))
    for (const slug of Object.values(servers)) {
      expect((await docent.untilDone(slug)).sources).toMatchObject([{ crawlStatus: 'complete' }])
    }
  })
  afterAll(() => disposeAll(docent, site))

  test.each([
    ['served', 'How do I create a tram?', 'POST', '/trams'],
    ['served', 'How can I delete a driver?', 'DELETE', '/drivers/{id}'],
    ['uploaded', 'How do I create a tram?', 'POST', '/trams'],
    ['uploaded', 'list all drivers', 'GET', '/drivers'],
  ])('cites and answers with the endpoint first for %s: %s', async (kind, question, method, path) => {
    const { result } = await docent.callTool(servers[kind] ?? '', 'ask_question', { question })
    const { lead, passages } = readCitations(result.content[0].text)
    const [line = ''] = lead.split('\n')
    expect(line).toContain(`${method} https://api.depot.example/v2${path}`)
    expect(passages[0]?.title).toContain(`${method} ${path}`)
  })
})
