import { type IncomingMessage, type ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'
import { client, failure, site } from '../../test/support/sites/client-and-sites.ts'

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

describe('redirects', () => {
  test('follows redirects', async () => {
    const origin = await site((request, response) => {
      if (request.url === '/a') response.writeHead(301, { location: '/b#x' }).end('moved')
      else if (request.url === '/b') response.writeHead(308, { location: '../c?d=1' }).end()
      else response.end(request.url)
    })
    const answer = await client().fetch(`${origin}/a`)
    expect(answer).toMatchObject({ url: `${origin}/c?d=1` })
  })

  test('returns a redirect without a location as the response', async () => {
    const origin = await site((_, response) => response.writeHead(302).end('moved'))
    expect(await client().fetch(origin)).toMatchObject({ status: 302 })
  })

  test('returns a redirect that the caller rejects as the response', async () => {
    const origin = await site((_, response) => response.writeHead(302, { location: 'http://example.com/' }).end())
    const answer = await client().fetch(origin, { acceptRedirect: (to) => to.host !== 'example.com' })
    expect(answer).toMatchObject({ status: 302, url: `${origin}/`, headers: { location: 'http://example.com/' } })
  })

  test.each([
    [301, 'GET', ''],
    [302, 'GET', ''],
    [303, 'GET', ''],
    [307, 'POST', '{"a":1}'],
    [308, 'POST', '{"a":1}'],
  ])('follows a %i redirect of a POST with %s', async (status, method, body) => {
    const origin = await site((request, response) => {
      if (request.url === '/') response.writeHead(status, { location: '/next' }).end()
      else echo(request, response)
    })
    expect(JSON.parse(text((await client().fetch(origin, { json: { a: 1 } })).bytes))).toMatchObject({ method, body })
  })

  test('drops credentials on a cross-origin redirect', async () => {
    const other = await site((request, response) => echo(request, response))
    const origin = await site((request, response) => {
      if (request.url === '/same') response.writeHead(302, { location: '/there' }).end()
      else if (request.url === '/there') echo(request, response)
      else response.writeHead(302, { location: other }).end()
    })
    const headers = { authorization: 'Bearer x', cookie: 'a=1', 'X-API-Key': 'k', 'if-none-match': '"e"' }
    const seen = JSON.parse(text((await client().fetch(origin, { headers })).bytes)).headers
    expect(seen).not.toHaveProperty('authorization')
    expect(seen).not.toHaveProperty('cookie')
    expect(seen).not.toHaveProperty('x-api-key')
    expect(seen).toHaveProperty('if-none-match')
    const same = JSON.parse(text((await client().fetch(`${origin}/same`, { headers })).bytes)).headers
    expect(same).toMatchObject({ authorization: 'Bearer x', 'x-api-key': 'k' })
  })

  test('stops redirects that loop, never end or change the scheme', async () => {
    const origin = await site((request, response) => {
      const step = Number(request.url?.slice(2))
      const to = { '/a': '/b', '/b': '/a', '/self': '/self', '/file': 'file:///etc/passwd' }[request.url ?? '']
      response.writeHead(302, { location: to ?? `/n${step + 1}` }).end()
    })
    expect(await failure(client().fetch(`${origin}/a`))).toMatchObject({ reason: 'redirect_loop' })
    expect(await failure(client().fetch(`${origin}/self`))).toMatchObject({ reason: 'redirect_loop' })
    expect(await failure(client().fetch(`${origin}/n0`))).toMatchObject({ reason: 'too_many_redirects' })
    expect(await failure(client().fetch(`${origin}/file`))).toMatchObject({ reason: 'invalid_url' })
  })

  test.each([
    ['UTF-8', 'utf8', '/gr%C3%B6%C3%9Fe/%E4%BD%A0?q=%C3%BC'],
    ['Latin-1', 'latin1', '/gr%F6%DFe/%60?q=%FC'],
  ] as const)('follows a Location in raw %s', async (_, encoding, path) => {
    const asked: (string | undefined)[] = []
    // Node's server writes headers with one byte per character.
    const location = Buffer.from('/größe/你?q=ü', encoding).toString('latin1')
    const origin = await site((request, response) => {
      asked.push(request.url)
      if (request.url === '/') response.writeHead(302, { location }).end()
      else response.end('here')
    })
    const { url, bytes } = await client().fetch(`${origin}/`)
    expect([asked, url, text(bytes)]).toEqual([['/', path], `${origin}${path}`, 'here'])
  })

  test('refuses a redirect to an invalid address without repeating it', async () => {
    for (const location of [
      'http://user:pw@10.9.8.7/',
      'http://10.9.8.7:25/',
      'gopher://10.9.8.7/',
      'http://10.9.8.7/',
    ]) {
      const origin = await site((_, response) => response.writeHead(302, { location }).end())
      expect((await failure(client().fetch(origin))).message, location).not.toContain('10.9.8')
    }
  })

  test('refuses a redirect to a private address', async () => {
    const origin = await site((_, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end())
    expect(await failure(client().fetch(origin))).toMatchObject({ reason: 'blocked_address', url: 'http://10.0.0.1/' })
  })
})

function echo(request: IncomingMessage, response: ServerResponse): void {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (chunk: string) => (body += chunk))
  request.on('end', () => response.end(JSON.stringify({ method: request.method, headers: request.headers, body })))
}
