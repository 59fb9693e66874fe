import { describe, expect, it } from 'vitest'
import { cpuSeconds } from '../../test/support/lib/cpu-seconds.ts'
import { extractText, pageOf } from '../../test/support/lib/make-archive.ts'

describe('rejected and unusual documents', () => {
  it.each([
    ['an image', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]), 'text/html', 'not_html'],
    ['JSON', '{}', 'application/json', 'not_html'],
    ['an empty body', '', 'text/html', 'no_text'],
    ['a page of markup without text', '<title>A</title><div></div>', 'text/html', 'no_text'],
    ['an error page with status 200', '<title>404 Not Found</title><p>Sorry.</p>', 'text/html', 'soft_404'],
    [
      'a login page',
      '<title>Sign in</title><form><input type=password></form><p>Welcome</p>',
      'text/html',
      'login_page',
    ],
    ['an index', `<title>Index</title>${'<a href=/x>word of it</a> '.repeat(30)}`, 'text/html', 'index_page'],
    [
      'an index by letters',
      `<title>X</title>${'<div class=indexdiv><h3>A</h3>word, <a href=/x>it</a></div>'.repeat(3)}`,
      'text/html',
      'index_page',
    ],
    ['excessive nesting', '<div>'.repeat(100_000), 'text/html', 'too_complex'],
  ])('rejects %s', (_name, body, contentType, reason) => {
    expect(extractText(body, contentType)).toMatchObject({
      kind: 'rejected',
      reason,
      detail: expect.stringMatching(/^[A-Z].*\.$/),
    })
  })

  const links = (count: number) => '<a href=/x>word of it</a> '.repeat(count)
  it.each([
    ['https://docs.example/_modules/a/b.html', '<title>a.b</title><h1>Source code for a.b</h1><pre>def f(): 1</pre>'],
    ['https://docs.example/src/a.rs.html', '<title>a.rs</title><body class="rustdoc src"><pre>fn f() {}</pre>'],
    ['https://docs.example/a_8h_source.html', '<title>a.h Source File</title><div class="fragment">int f();</div>'],
  ])('rejects a listing of source code at %s', (url, html) => {
    expect(extractText(html, 'text/html', url)).toMatchObject({ kind: 'rejected', reason: 'source_view' })
  })

  it('rejects an index by its URL in spite of other text and keeps its links', () => {
    const page = extractText(
      `<title>X</title>${links(5)}<p>Ten words.</p>`,
      'text/html',
      'https://docs.example/genindex.html',
    )
    expect(page).toMatchObject({ reason: 'index_page', links: [{ url: 'https://docs.example/x' }] })
  })

  it.each([
    ['is short', `<title>Index</title><main>${links(29)}</main>`],
    ['contains much other text', `<title>Index</title><main>${links(30)}<p>${'Words of it. '.repeat(30)}</p></main>`],
    ['has another title', `<title>All that there is of looms</title><main>${links(30)}</main>`],
  ])('accepts a list of links that %s', (_name, html) => {
    expect(pageOf(html).kind).toBe('page')
  })

  it('marks the block that resumes the section around definitions', () => {
    const { blocks, markdown } = pageOf(
      '<title>G</title><main><h2>Kilns</h2><dl class="py class"><dt class="sig" id="k">Kiln</dt><dd><p>a</p><dl class="py method"><dt class="sig" id="k.f">fire()</dt><dd><p>b</p></dd></dl><p>c</p></dd></dl><p>d</p><pre>e</pre></main>',
    )
    expect(
      blocks.map((block) => [
        markdown.slice(block.start, block.end).split('\n', 1)[0],
        block.kind === 'heading' ? block.level : block.resumes,
      ]),
    ).toEqual([
      ['## Kilns', 2],
      ['### Kiln', 3],
      ['a', undefined],
      ['#### fire()', 4],
      ['b', undefined],
      ['c', 3],
      ['d', 2],
      ['```', undefined],
    ])
  })

  it('nests definitions below a bold heading', () => {
    const { blocks } = pageOf(
      '<title>G</title><main><h2>Kilns</h2><a name=k></a><p><b>fire</b></p><dl><dt id=o>OFF</dt><dd>a</dd></dl><p>b</p><h2>Cones</h2><dl><dt id=c>c</dt><dd>d</dd></dl></main>',
    )
    expect(
      blocks.map((block) => (block.kind === 'heading' ? [block.text, block.level] : (block.resumes ?? null))),
    ).toEqual([['Kilns', 2], ['fire', 3], ['OFF', 4], null, 3, ['Cones', 2], ['c', 3], null])
  })

  it('accepts documentation about an error', () => {
    expect(
      pageOf('<title>Index page not found.</title><main><p>The build raises this when there is none.</p></main>').kind,
    ).toBe('page')
  })

  it('reports a page that is empty without JavaScript and keeps its links', () => {
    const page = pageOf(
      '<title>App</title><link rel=next href="/b"><div id="root"></div><script src="/app.js"></script>',
    )
    expect(page).toMatchObject({ empty: true, links: [{ url: 'https://docs.example/b' }] })
    expect(pageOf('<title>App</title><my-app></my-app><script src="/app.js"></script>').empty).toBe(true)
    expect(pageOf('<title>App</title><p>Text.</p><script src="/app.js"></script>').empty).toBe(false)
  })
})

describe('hostile pages', () => {
  it.each([
    ['nested lists', '<ul><li>'.repeat(1_400) + 'x'],
    ['one line of a million words', `<p>${'word '.repeat(1_000_000)}`],
    ['a hundred thousand links', '<a href="/p">x</a> '.repeat(100_000)],
    [
      'runs of spaces, brackets and marks',
      `<p>${'a'.repeat(50_000)}!</p><pre>${' '.repeat(50_000)}x</pre>${'['.repeat(50_000)}${'*'.repeat(50_000)}${'`'.repeat(50_000)}`,
    ],
    ['tags that never end', '<a href="'.repeat(20_000)],
    ['nested definitions', '<dl><dt id=a>a<dd>'.repeat(900) + '<i></i>'.repeat(100_000)],
    ['links in nested boxes', '<div>'.repeat(900) + '<a href="#a">a</a> '.repeat(50_000) + '<p id=a>'],
    ['headings after empty elements', `<section>${'<br>'.repeat(50_000)}${'<h2>a</h2>'.repeat(10_000)}`],
    ['bold paragraphs', '<a name=a></a>' + `<p>${'<b>'.repeat(900)}${'x<i></i>'.repeat(2_000)}</p>`.repeat(5)],
    ['a table of a thousand columns', `<table>${`<tr>${'<td>x'.repeat(1_000)}`.repeat(50)}</table>`],
    ['names of prototype properties', '<p class="constructor" id="__proto__" __proto__="x" constructor="y">text</p>'],
    ['a very long title', `<title>${'- | '.repeat(200_000)}</title><p>x`],
  ])('reads %s in bounded time', (_name, html) => {
    expect(cpuSeconds(() => expect(['page', 'rejected']).toContain(extractText(html).kind))).toBeLessThan(8)
  })
})
