import { describe, expect, test } from 'vitest'
import { createScope } from './scope.ts'

function scopeOf(start: string, landed = start, patterns: { include?: string[]; exclude?: string[] } = {}) {
  return createScope({ start: new URL(start), landed: new URL(landed), ...patterns })
}

describe('scope prefix', () => {
  test.each([
    ['https://a.dev', '/'],
    ['https://a.dev/docs', '/docs'],
    ['https://a.dev/docs/', '/docs/'],
    ['https://a.dev/docs/intro.html', '/docs/'],
    ['https://a.dev/docs/v1.2/', '/docs/v1.2/'],
    ['https://a.dev/docs/?page=1#top', '/docs/'],
  ])('scopes a crawl of %s to the prefix %s', (start, prefix) => {
    expect(scopeOf(start).prefix).toBe(prefix)
  })

  test.each([
    ['https://a.dev/', 'https://www.a.dev/', '/'],
    ['http://a.dev/', 'https://a.dev/en/latest/', '/en/latest/'],
    ['https://a.dev/docs', 'https://a.dev/docs/v3.1/index.html', '/docs/v3.1/'],
    ['https://a.dev/docs', 'https://a.dev/docs/', '/docs'],
    ['https://a.dev/', 'https://a.dev/en/stable/intro/', '/en/stable/'],
    ['https://a.dev/', 'https://a.dev/home', '/'],
    ['https://a.dev/docs', 'https://a.dev/docs/getting-started/install', '/docs'],
    ['https://a.dev/docs', 'https://a.dev/documentation/', '/documentation/'],
    ['https://docs.a.dev/', 'https://a.dev/docs/intro', '/docs/'],
    ['https://docs.a.dev/', 'https://a.dev/docs', '/docs'],
  ])('scopes a crawl of %s, which redirects to %s, to the prefix %s', (start, landed, prefix) => {
    expect(scopeOf(start, landed).prefix).toBe(prefix)
  })
})

describe('URLs in scope', () => {
  test.each([
    ['https://a.dev/docs', true],
    ['https://a.dev/docs/x', true],
    ['http://www.a.dev/docs/x?y', true],
    ['https://a.dev/docs-old/x', false],
    ['https://a.dev/', false],
    ['https://a.dev:8443/docs/x', false],
    ['https://b.a.dev/docs/x', false],
    ['https://a.dev.evil.example/docs/x', false],
  ])('decides whether %s is below https://a.dev/docs: %s', (url, inside) => {
    expect(scopeOf('https://a.dev/docs').includes(new URL(url))).toBe(inside)
    expect(scopeOf('https://a.dev/docs/').includes(new URL(url))).toBe(inside)
  })

  test('applies exclude patterns first, and include patterns instead of the prefix', () => {
    const scope = scopeOf('https://a.dev/docs', undefined, {
      include: ['/docs/', '/api/*.md$'],
      exclude: ['*/old/', '*?print='],
    })
    const inside = ['/docs/x', '/api/v1/y.md', '/api/y.md?x', '/blog', '/docs/old/x', '/docs/x?print=1'].map((path) =>
      scope.includes(new URL(path, 'https://a.dev')),
    )
    expect(inside).toEqual([true, true, false, false, false, false])
  })

  test('rewrites URLs of the same site to the responding origin', () => {
    const scope = scopeOf('http://a.dev/', 'https://www.a.dev/')
    expect(scope.atHome(new URL('http://a.dev/x?y#z')).href).toBe('https://www.a.dev/x?y#z')
    expect(scope.atHome(new URL('https://b.dev/x')).href).toBe('https://b.dev/x')
  })
})
