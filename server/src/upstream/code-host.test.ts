import { expect, test } from 'vitest'
import { hostName, kindOfHost, mayCarryToken, originOf, repositoryAt } from './code-host.ts'

const API = 'https://api.github.com'
const ENTERPRISE = 'https://code.example.test/api/v3'

test.each([
  ['https://github.com/acme/widgets', 'github', 'acme', 'widgets'],
  ['https://www.github.com/acme/widgets.git', 'github', 'acme', 'widgets'],
  ['https://github.com/acme/widgets/tree/main/docs', 'github', 'acme', 'widgets'],
  ['https://gitlab.com/acme/team/widgets/-/tree/main', 'gitlab', 'acme/team', 'widgets'],
  ['https://gitlab.com/acme/widgets.git', 'gitlab', 'acme', 'widgets'],
  ['https://bitbucket.org/acme/widgets/src/main', 'bitbucket', 'acme', 'widgets'],
  ['https://codeberg.org/acme/widgets', 'gitea', 'acme', 'widgets'],
  ['https://git.example.test:8443/acme/widgets', null, 'acme', 'widgets'],
])('parses the repository address %s', (address, kind, owner, repo) => {
  const url = new URL(address)
  const place = { host: hostName(url.host), kind, name: `${owner}/${repo}`, owner, repo }
  expect(repositoryAt(url, API)).toEqual(place)
})

test.each([
  'https://github.com/acme',
  'https://github.com/',
  'https://github.com/acme/..%2f',
  'https://gitlab.com/-/x',
])('finds no repository at %s', (address) => expect(repositoryAt(new URL(address), API)).toBeNull())

test('identifies GitHub Enterprise by its API, and unknown hosts by the linked account', () => {
  expect(kindOfHost('code.example.test', ENTERPRISE)).toBe('github')
  expect(kindOfHost('code.example.test', API)).toBeNull()
  const groups = new URL('https://git.example.test/a/b/c')
  expect(repositoryAt(groups, API, 'gitlab')?.name).toBe('a/b/c')
  expect(repositoryAt(groups, API, 'gitea')?.name).toBe('a/b')
})

test('sends tokens over https, except to IP addresses', () => {
  expect(originOf('git.example.test')).toBe('https://git.example.test')
  expect(originOf('git.example.test:8443')).toBe('https://git.example.test:8443')
  expect([originOf('127.0.0.1:3000'), originOf('[::1]:3000')]).toEqual(['http://127.0.0.1:3000', 'http://[::1]:3000'])
})

test.each([
  ['https://git.example.test/a/b', true],
  ['http://git.example.test/a/b', false],
  ['http://codeberg.org/a/b', false],
  ['http://www.github.com/a/b', true],
  ['http://127.0.0.1:3000/a/b', true],
])('decides whether a token may go to %s: %s', (address, isSent) =>
  expect(mayCarryToken(new URL(address))).toBe(isSent),
)
