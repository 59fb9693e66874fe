import { expect, test } from 'vitest'
import type { NetClient } from '#net/client.ts'
import { createGithubApp } from './host-app.ts'

const net = {} as NetClient
const app = { clientId: 'id', clientSecret: 'secret' }

test.each([
  ['https://api.github.com', 'https://github.com'],
  ['https://code.example.test/api/v3', 'https://code.example.test'],
  ['https://api.acme.ghe.com', 'https://acme.ghe.com'],
])('uses the app of %s at %s', (api, web) => {
  const { host, authorizeUrl } = createGithubApp(net, api, app)
  expect(host).toBe(new URL(web).host)
  const url = authorizeUrl({ redirectUri: 'https://docs.example.test/x', state: 's', challenge: 'c' })
  expect(url.startsWith(`${web}/login/oauth/authorize?client_id=id&redirect_uri=`)).toBe(true)
  expect(url).not.toContain('secret')
})
