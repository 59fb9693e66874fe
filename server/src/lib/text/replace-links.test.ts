import { expect, test } from 'vitest'
import fc from 'fast-check'
import { replaceLinks, removeSpans } from './replace-links.ts'

const markdown = fc.string({ unit: fc.constantFrom(...'![]()<> a\n') })

test('reduces links to their labels exactly like the regular expression', () => {
  fc.assert(
    fc.property(markdown, (text) => {
      expect(replaceLinks(text, ({ label }) => label)).toBe(text.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1'))
    }),
  )
})

test('looks inside a link that is kept', () => {
  const pictures = (text: string) => replaceLinks(text, ({ label, isPicture }) => (isPicture ? label : null))
  expect(pictures('[![a](b)](c) !![d](e) [f](g)')).toBe('[a](c) !d [f](g)')
  fc.assert(
    fc.property(markdown, (text) => {
      expect(pictures(text)).toBe(text.replaceAll(/!\[([^\]]*)\]\([^)]*\)/g, '$1'))
    }),
  )
})

test('removes spans exactly like the regular expression, with and without a stop', () => {
  fc.assert(
    fc.property(markdown, (text) => {
      const tags = { opening: /<\/?[a-z!]/g, closing: '>' }
      expect(removeSpans(text, tags)).toBe(text.replaceAll(/<\/?[a-z!][^>]*>/g, ''))
      expect(removeSpans(text, { ...tags, stop: '\n' })).toBe(text.replaceAll(/<\/?[a-z!][^>\n]*>/g, ''))
    }),
  )
})
