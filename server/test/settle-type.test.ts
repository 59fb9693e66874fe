import { expect, test } from 'vitest'
import { onBothEngines } from './engines.ts'
import { NOWHERE, account, world } from './source-world.ts'

const DESCRIPTION = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Gadgets', version: '1' },
  paths: { '/gadgets': { get: { summary: 'List the gadgets', responses: { 200: { description: 'All' } } } } },
})

onBothEngines('a source whose kind is not given', (engine) => {
  const at = world(engine)

  test('is looked at when it is first indexed, and says what its kind was told by', async () => {
    at.site.pages.set(
      '/spec',
      (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(DESCRIPTION),
    )
    const address = `${at.site.url}/spec`
    const { detail, untilDone } = await account(at, { sources: [{ url: address }] })
    await untilDone()
    expect((await detail()).sources).toMatchObject([
      { type: 'api', typeReason: 'API: its content is OpenAPI.', crawlStatus: 'complete', pagesIndexed: 2 },
    ])
  })

  test('that is given is taken at its word', async () => {
    const source = { url: `${at.site.url}/a`, type: 'website' as const }
    const { detail, untilDone } = await account(at, { sources: [source] })
    await untilDone()
    expect((await detail()).sources).toMatchObject([{ type: 'website', typeReason: null, crawlStatus: 'complete' }])
  })

  test('and that cannot be reached stays what its address suggests, until it can', async () => {
    const { detail, untilDone } = await account(at, { sources: [{ url: `${NOWHERE}/docs/` }] })
    await untilDone()
    expect((await detail()).sources).toMatchObject([{ type: 'docs', typeReason: null }])
  })
})
