import { expect, test } from 'vitest'
import { addressPath, fileAddress } from './address-path.ts'

test.each([
  ['https://x.example', '/'],
  ['https://x.example/', '/'],
  ['https://x.example/docs/?a=/b#c/d', '/docs'],
  ['https://x.example/docs#a?docent-file=b', '/docs'],
  ['https://x.example/a.git?docent-file=docs/api.md#top', '/a.git/docs/api.md'],
  ['https://x.example/?docent-file=README.md', '/README.md'],
])('extracts the path of %s as %s', (url, path) => expect(addressPath(url)).toBe(path))

test('recovers the path from a file address', () => {
  expect(addressPath(fileAddress('https://x.example/a.git', 'src/a.ts'))).toBe('/a.git/src/a.ts')
})
