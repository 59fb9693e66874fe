import { describe, expect, test } from 'vitest'
import { sortFile } from './sort-file.ts'

describe('the work of others', () => {
  test.each([
    ['third_party/zlib/README.md', 'third_party'],
    ['vendor/github.com/a/b/doc.go', 'vendor'],
    ['src/third-party/notes.md', 'src/third-party'],
    ['docs/node_modules/a/README.md', 'docs/node_modules'],
    ['docs/vendor/Pods/a/README.md', 'docs/vendor/Pods'],
  ])('%s is left out with its folder', (path, folder) => {
    expect(sortFile(path, 1)).toEqual({ omit: 'vendored', folder })
  })

  test.each([
    ['docs/third-party/README.md', 'markdown'],
    ['docs/en/vendors/stripe.mdx', 'mdx'],
    ['Documentation/third_party/zlib.rst', 'rst'],
    ['content/docs/third-party/notes.txt', 'text'],
  ])('is a topic in %s', (path, kind) => {
    expect(sortFile(path, 1)).toEqual({ kind })
  })

  test.each(['docs/vendor/jquery.js', 'docs/third-party/schema.graphql', 'docs/third-party/data.json'])(
    'is %s all the same',
    (path) => {
      expect(sortFile(path, 1)).toEqual({ omit: 'vendored', folder: null })
    },
  )
})

test.each([
  ['api/openapi.yaml', 'api'],
  ['specs/v1.json', 'api'],
  ['schema.graphql', 'schema'],
])('%s may describe an API', (path, kind) => {
  expect(sortFile(path, 2 << 20)).toEqual({ kind })
  expect(sortFile(path, (16 << 20) + 1)).toEqual({ omit: 'too_large', folder: null })
})

test('what describes an API for a test is a test', () => {
  expect(sortFile('fixtures/openapi.yaml', 1)).toEqual({ omit: 'test', folder: null })
})

test('what a page was made of is generated where it stands beside the page', () => {
  expect(sortFile('docs/_sources/index.rst.txt', 1)).toEqual({ omit: 'generated', folder: null })
  expect(sortFile('docs/index.rst.txt', 1)).toEqual({ kind: 'text' })
})
