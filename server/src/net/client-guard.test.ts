import { describe, expect, test } from 'vitest'
import { parseNetworks } from './judge-address.ts'
import { client, failure, site } from '../../test/support/sites/client-and-sites.ts'

describe('SSRF guard', () => {
  test('blocks private targets by address and by name', async () => {
    let requests = 0
    const origin = await site((_, response) => {
      requests++
      response.end()
    })
    const net = client({ allowNetworks: [] })
    for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', 'localhost', '0x7f.1', '2130706433', '017700000001']) {
      const url = origin.replace('127.0.0.1', host)
      expect(await failure(net.fetch(url)), host).toMatchObject({ reason: 'blocked_address', transient: false })
    }
    expect(requests).toBe(0)
    expect((await client().fetch(origin.replace('127.0.0.1', 'localhost'))).status).toBe(200)
  })

  test('refuses every private address with the same message', async () => {
    const net = client({ allowNetworks: [] })
    const messages = await Promise.all(
      ['http://10.0.0.1/', 'http://169.254.169.254/x', 'http://[fd00::1]/', 'http://localhost:9999/'].map(
        async (url) => (await failure(net.fetch(url))).message,
      ),
    )
    expect(new Set(messages)).toEqual(
      new Set([
        'The address leads to a private or internal network, which is not fetched. ' +
          'The operator can allow a network with DOCENT_ALLOW_NETWORKS.',
      ]),
    )
  })

  test('blocks the service’s own endpoints within allowed networks', async () => {
    const asked: (string | undefined)[] = []
    const own = await site((request, response) => {
      asked.push(request.headers.host)
      response.end()
    })
    const { port } = new URL(own)
    const elsewhere = await site((_, response) => response.writeHead(302, { location: `${own}/healthz` }).end())
    for (const host of [null, '127.0.0.1', 'localhost']) {
      const allowNetworks = parseNetworks('0.0.0.0/0, ::/0')
      const net = client({ allowNetworks, ownEndpoints: () => [{ host, port: Number(port) }] })
      const targets = ['127.0.0.1', 'localhost', '127.8.9.1', '[::ffff:127.0.0.1]', '[::1]', '0.0.0.0']
      for (const url of [...targets.map((target) => `http://${target}:${port}/`), `${elsewhere}/`]) {
        expect(await failure(net.fetch(url)), url).toMatchObject({ reason: 'blocked_address' })
      }
      const kept = await net.fetch(`${elsewhere}/`, { acceptRedirect: () => false })
      expect(kept.status).toBe(302)
    }
    expect(asked).toEqual([])
    // The same port on another host is not ours.
    const net = client({ ownEndpoints: () => [{ host: '192.0.2.1', port: Number(port) }] })
    expect((await net.fetch(own)).status).toBe(200)
  })
})
