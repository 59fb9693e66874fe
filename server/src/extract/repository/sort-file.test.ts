import { describe, expect, test } from 'vitest'
import { sortFile } from './sort-file.ts'

describe('third-party files', () => {
  test.each([
    ['third_party/zlib/README.md', 'third_party'],
    ['vendor/github.com/a/b/doc.go', 'vendor'],
    ['src/third-party/notes.md', 'src/third-party'],
    ['docs/node_modules/a/README.md', 'docs/node_modules'],
    ['docs/vendor/Pods/a/README.md', 'docs/vendor/Pods'],
  ])('omits %s with its folder', (path, folder) => {
    expect(sortFile(path, 1)).toEqual({ omit: 'vendored', folder })
  })

  test.each([
    ['docs/third-party/README.md', 'markdown'],
    ['docs/en/vendors/stripe.mdx', 'mdx'],
    ['Documentation/third_party/zlib.rst', 'rst'],
    ['content/docs/third-party/notes.txt', 'text'],
  ])('reads %s, because a documentation folder contains it', (path, kind) => {
    expect(sortFile(path, 1)).toEqual({ kind })
  })

  test.each(['docs/vendor/jquery.js', 'docs/third-party/schema.graphql', 'docs/third-party/data.json'])(
    'omits %s in spite of the documentation folder',
    (path) => {
      expect(sortFile(path, 1)).toEqual({ omit: 'vendored', folder: null })
    },
  )
})

test.each([
  ['api/openapi.yaml', 'api'],
  ['specs/v1.json', 'api'],
  ['schema.graphql', 'schema'],
])('accepts %s as a possible API description up to 16 MiB', (path, kind) => {
  expect(sortFile(path, 2 << 20)).toEqual({ kind })
  expect(sortFile(path, (16 << 20) + 1)).toEqual({ omit: 'too_large', folder: null, most: 16 << 20 })
})

test('omits an API description among test fixtures', () => {
  expect(sortFile('fixtures/openapi.yaml', 1)).toEqual({ omit: 'test', folder: null })
})

test.each(['docx', 'pptx', 'xlsx', 'odt', 'epub'])('reads %s files, but not among tests', (format) => {
  expect(sortFile(`docs/manual.${format.toUpperCase()}`, 24 << 20)).toEqual({ kind: format })
  expect(sortFile(`docs/manual.${format}`, (24 << 20) + 1)).toMatchObject({ omit: 'too_large' })
  expect(sortFile(`tests/data/manual.${format}`, 1)).toEqual({ omit: 'test', folder: null })
})

test('omits the page sources that Sphinx puts beside its pages', () => {
  expect(sortFile('docs/_sources/index.rst.txt', 1)).toEqual({ omit: 'generated', folder: null })
  expect(sortFile('docs/index.rst.txt', 1)).toEqual({ kind: 'text' })
})

test.each(['man1/tar.1', 'doc/open.3p', 'tool.mdoc'])('reads %s as a manual page', (path) => {
  expect(sortFile(path, 1)).toEqual({ kind: 'roff' })
})

test.each(['lib/libz.so.1', 'notes-1.2.3'])('does not take %s for a manual page', (path) => {
  expect(sortFile(path, 1)).toMatchObject({ omit: expect.anything() })
})
