import { describe, expect, test } from 'vitest'
import { NOWHERE, world } from '../support/indexing/source-world.ts'

describe('detecting a source', () => {
  const at = world('sqlite')
  const detect = (url: unknown) => at.docent.request('POST', '/api/sources/detect', { url })
  const there = { reachable: true, problem: null }

  test.each<[string, string, string, object]>([
    [
      'a website',
      '/',
      'text/html',
      { type: 'website', label: 'Home', reason: expect.stringMatching(/^Website: no list/), ...there },
    ],
    [
      'a PDF',
      '/paper',
      'application/pdf',
      { type: 'pdf', label: null, reason: 'PDF: the answer says that it is one.', ...there },
    ],
    [
      'an API in JSON',
      '/api.json',
      'application/json',
      { type: 'api', label: 'Pets', reason: 'API: its content is OpenAPI.', ...there },
    ],
    [
      'an API in YAML',
      '/api.yaml',
      'text/yaml',
      { type: 'api', label: 'Pets', reason: 'API: its content is OpenAPI.', ...there },
    ],
    [
      'nothing',
      '/missing',
      '',
      {
        type: 'website',
        label: null,
        reachable: false,
        problem: 'The address answered 404.',
        reason: 'Judged by the address alone.',
      },
    ],
  ])('recognises %s', async (_, path, type, expected) => {
    const bodies: Record<string, string> = {
      '/paper': '%PDF-1.7',
      '/api.json': '{\n "openapi": "3.1.0", "info": {"title": "Pets"}}',
      '/api.yaml': 'openapi: 3.1.0\ninfo:\n  title: Pets\n',
    }
    const body = bodies[path]
    if (body) {
      at.site.pages.set(path, (_request, response) => void response.writeHead(200, { 'content-type': type }).end(body))
    }
    expect((await detect(at.site.url + path)).body).toEqual({ url: at.site.url + path, ...expected })
  })

  test('recognises an MCP server by a request and reports when nothing answers', async () => {
    expect((await detect(at.remote.url)).body).toMatchObject({
      type: 'mcp',
      label: 'Remote gadgets',
      reason: 'MCP server: it answers as one, with 2 tools.',
      ...there,
    })
    expect((await detect(`${NOWHERE}/`)).body).toMatchObject({ reachable: false, problem: expect.any(String) })
  })

  test.each([
    [undefined, 'Valid URL required'],
    ['docs', 'Valid URL required'],
    ['https://docs.example.test:99999/', 'Valid URL required', 'Port 99999 does not exist: ports are 1 to 65535.'],
    ['http://192.168.1.1/', 'That URL points to a private or internal network address which cannot be indexed.'],
  ])('refuses %j', async (url, error, message?: string) => {
    expect(await detect(url)).toMatchObject({
      status: 400,
      body: message === undefined ? { error } : { error, message },
    })
  })
})
