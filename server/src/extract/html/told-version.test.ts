import { expect, test } from 'vitest'
import { extractPage } from '../extract-page.ts'

function told(body: string, { url = 'https://a.example/guide/', canonical = '' } = {}) {
  const link = canonical === '' ? '' : `<link rel="canonical" href="${canonical}">`
  const html = `<title>T</title>${link}<body>${body}<main><h1>Oiling</h1><p>Oil the chain of the sprocket in spring, and wipe it with a cloth afterwards.</p></main>`
  const page = extractPage({ url, contentType: 'text/html', bytes: new TextEncoder().encode(html) })
  return page.kind === 'page' ? page.version : page
}

test.each([
  ['You are reading an old version of this documentation. If you want the latest, see 3.2.', 'old'],
  ['This is documentation for Sprocket 2.x, which is no longer actively maintained.', '2.x'],
  ['This is documentation for version v1.4, which is no longer maintained.', '1.4'],
  ['You’re not reading the latest version (5.0) of these docs.', 'old'],
  ['You are not reading the most recent version of this documentation. 5.0 is the latest version available.', 'old'],
  ['This document is for an insecure version of Sprocket that is no longer supported.', 'old'],
  ['This documentation is for an unsupported version of Sprocket.', 'old'],
  ['Deprecated: this function is no longer supported. Use oil() instead.', null],
  ['Remove an old version before you install this.', null],
  ['This page describes the latest version of the documentation.', null],
])('reads the banner “%s”', (text, version) => {
  expect(told(`<div class="alert"><p>${text}</p></div>`)).toBe(version)
})

test('reads a banner above the text, and none further below', () => {
  const banner = '<p>You are reading an old version of the docs.</p>'
  const page = (body: string) =>
    extractPage({
      url: 'https://a.example/x',
      contentType: 'text/html',
      bytes: new TextEncoder().encode(`<title>T</title><main>${body}</main>`),
    })
  const text = '<p>Oil the chain of the sprocket in spring, and wipe it with a cloth.</p>'
  expect(page(banner + text.repeat(12))).toMatchObject({ version: 'old' })
  expect(page(text.repeat(12) + banner)).toMatchObject({ version: null })
})

test.each([
  ['https://a.example/docs/7/oil', '/docs/8/oil', '7'],
  ['https://a.example/docs/7/oil/', '/docs/current/oil', '7'],
  ['https://a.example/docs/v1/oil.html', '/docs/v2/oil.html', 'v1'],
  ['https://a.example/2.1/oil', '/oil', '2.1'],
  ['https://a.example/docs/8/oil', '/docs/7/oil', null],
  ['https://a.example/docs/8/oil', '/docs/8/oil', null],
  ['https://a.example/docs/latest/oil', '/docs/8/oil', null],
  ['https://a.example/docs/7/oil', '/docs/8/grease', null],
  ['https://a.example/blog/page/2', '/blog/page/3', null],
  ['https://a.example/oil', 'https://www.a.example/oil', null],
])('takes %s with the canonical link %s for version %s', (url, canonical, version) => {
  expect(told('', { url, canonical })).toBe(version)
})
