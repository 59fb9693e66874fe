import { describe, expect, it } from 'vitest'
import { extractPage } from './extract-page.ts'
import type { ExtractedPage } from './extracted-page.ts'
import { cpuSeconds } from '../../test/support/cpu-seconds.ts'

const URL = 'https://docs.example/guide/page'
const extract = (text: string | Uint8Array, contentType: string | null = 'text/html', url = URL) =>
  extractPage({ url, contentType, bytes: typeof text === 'string' ? Buffer.from(text) : text })

function pageOf(text: string | Uint8Array, contentType?: string | null, url?: string): ExtractedPage {
  const page = extract(text, contentType, url)
  if (page.kind === 'rejected') throw new Error(`${page.reason}: ${page.detail}`)
  return page
}
const main = (html: string) => pageOf(`<title>Guide</title><main>${html}</main>`).markdown

describe('Markdown from HTML', () => {
  it.each([
    ['white space collapsed as in browsers', '<p>a \n  b<b> c </b>d&nbsp;e</p>', 'a b **c** d e'],
    ['entities', '<p>&lt;div&gt; &amp; &eacute; &#8212; &copy</p>', '<div> & é — ©'],
    [
      'links absolute, with their fragment',
      '<p><a href="../api?x=1#y">api</a></p>',
      '[api](https://docs.example/api?x=1#y)',
    ],
    ['links within the page as text', '<p>see <a href="#below">below</a></p>', 'see below'],
    ['inline code with backticks in it', '<p>use <code>a`b</code></p>', 'use ``a`b``'],
    [
      'images by their alternative text',
      '<p><img src="/a.png" alt="A plan"><img src="/b.png"></p>',
      '![A plan](https://docs.example/a.png)',
    ],
    ['one line break, and two of them as a paragraph', '<p>a<br>b<br><br>c</p>', 'a\nb\n\nc'],
    [
      'nested lists',
      '<ol start=3><li>a<ul><li>b</li></ul></li><li><p>c</p><p>d</p></li></ol>',
      '3. a\n   - b\n4. c\n\n   d',
    ],
    ['quotes', '<blockquote><p>a</p><p>b</p></blockquote>', '> a\n\n> b'],
    ['definitions', '<dl><dt>a</dt><dd>b</dd></dl>', '**a**\n: b'],
    ['a term of symbols alone', '<dl><dt>--</dt><dd>b</dd></dl>', '**--**\n: b'],
    ['definitions with anchors as sections', '<dl><dt id=x>a</dt><dt>b</dt><dd>c</dd></dl>', '# a, b\n\nc'],
    [
      'long definitions as sections',
      `<dl><dt>a</dt><dd>${'word '.repeat(60)}</dd></dl>`,
      `# a\n\n${'word '.repeat(60).trim()}`,
    ],
    [
      'short definitions as a list',
      `<dl><dt>a</dt><dd>${'word '.repeat(50)}</dd></dl>`,
      `**a**\n: ${'word '.repeat(50).trim()}`,
    ],
    ['definitions in a list item as a list', '<ul><li><dl><dt id=x>a</dt><dd>c</dd></dl></li></ul>', '**a**\n: c'],
    [
      'a table of one column as a list below its head',
      '<table><tr><th>a</th></tr><tr><td>b</td></tr><tr><td><p>c</p><p>d</p></td></tr></table>',
      'a\n\n- b\n- c\n\n  d',
    ],
    ['a single-cell table as a line', '<table><tr><th>a</th></tr><tr><td>b</td></tr></table>', 'a\n\nb'],
    [
      'a page without its table of contents',
      '<h1>Guide</h1><ul><li><a href=#a>A</a></li><li><a href=#b>B</a></li><li><a href=#c>C</a></li></ul><h2 id=a>A</h2><p>x</p><h2 id=b>B</h2><p>y</p><h2 id=c>C</h2><p>z</p>',
      '# Guide\n\n## A\n\nx\n\n## B\n\ny\n\n## C\n\nz',
    ],
    [
      'a list of links to earlier sections',
      '<h2 id=a>A</h2><p id=b>x</p><p id=c>y</p><ul><li><a href=#a>A</a></li><li><a href=#b>B</a></li><li><a href=#c>C</a></li></ul>',
      '## A\n\nx\n\ny\n\n- A\n- B\n- C',
    ],
    ['folded parts', '<details><summary>More</summary><p>b</p></details>', '**More**\n\nb'],
    [
      'tables with bars and spans',
      '<table><tr><th>a|b</th><th>c</th></tr><tr><td colspan=2>d</td></tr></table>',
      '| a\\|b | c |\n| --- | --- |\n| d |  |',
    ],
    [
      'layout tables as their content',
      '<table><tr><td><h2>a</h2><p>b</p></td><td>c</td></tr></table>',
      '## a\n\nb\n\nc',
    ],
    [
      'formulas as their TeX',
      '<p><math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></semantics></math></p>',
      '$x^2$',
    ],
    [
      'prose that looks like a fence',
      '<p>``` is a fence</p><p># is not a heading</p>',
      '\\``` is a fence\n\n\\# is not a heading',
    ],
    ['footnote marks', '<p>word<sup><a href="#fn1">1</a></sup></p>', 'word[^1]'],
    [
      'footnote marks after a sentence, and exponents',
      '<p>Ten m<sup>2</sup> at most.<sup>1</sup></p>',
      'Ten m2 at most.[^1]',
    ],
    [
      'formulas in images of a rendering service',
      '<p>A <img src="https://latex.codecogs.com/svg.image?%5Cfrac%7Ba%7D%7Bb%7D"> and <img alt="x" src="https://latex.codecogs.com/svg.image?%ZZ"></p>',
      'A $\\frac{a}{b}$ and ![x](https://latex.codecogs.com/svg.image?%ZZ)',
    ],
    ['code blocks inside inline code', '<code><pre>a\n  b</pre></code>', '```\na\n  b\n```'],
    [
      'tables made of div elements',
      '<div role="table"><div role="row"><div role="columnheader">A</div><div role="columnheader">B</div></div><div role="row"><div role="cell">1</div><div role="cell">2</div></div></div>',
      '| A | B |\n| --- | --- |\n| 1 | 2 |',
    ],
    ['nested emphasis of one kind once', '<dl><dt><b>-u</b> x<dd>y</dl>', '**-u x**\n: y'],
    [
      'obsolete verbatim elements unchanged',
      '<p>a</p><xmp><b>b</b></xmp><listing>c &lt;d></listing>',
      'a\n\n```\n<b>b</b>\n```\n\n```\nc <d>\n```',
    ],
    [
      'no script, style, button or hidden part',
      '<p>a</p><script>b</script><style>c</style><button>d</button><p hidden>e</p><p style="display: none">f</p>',
      'a',
    ],
    ['hidden tab panels', '<div role="tabpanel" hidden><p>a</p></div>', 'a'],
    ['no invisible character', '<p>a\u200bb\u2060c\u{e0041}d\u202ee</p>', 'abcde'],
  ])('renders %s', (_name, html, expected) => {
    expect(main(html)).toBe(expected)
  })

  it.each([
    [
      'exactly as written',
      '<pre><code class="language-js">if (a) {\n\tb  \n}\n\n// c</code></pre>',
      'js',
      'if (a) {\n\tb  \n}\n\n// c',
    ],
    [
      'with entities decoded',
      '<pre class="lang-html"><code>&lt;p&gt;&amp;amp;&lt;/p&gt;</code></pre>',
      'html',
      '<p>&amp;</p>',
    ],
    [
      'with line breaks for line elements',
      '<pre><code><div class="line">a</div><div class="line">b</div></code></pre>',
      null,
      'a\nb',
    ],
    [
      'without line numbers',
      '<pre><code><span class="ln">1</span>a\n<span class="ln">2</span>b</code></pre>',
      null,
      'a\nb',
    ],
    ['without a gutter of plain digits', '<pre><code>1 a\n2 b\n3 c</code></pre>', null, 'a\nb\nc'],
    ['without a gutter of zero-padded digits', '<pre>01  a\n02    b\n03  \n04  c</pre>', null, 'a\n  b\n\nc'],
    ['with numbers that are not consecutive', '<pre>01 a\n03 b\n04 c</pre>', null, '01 a\n03 b\n04 c'],
    [
      'without marked prompts',
      '<div class="highlight-console"><pre><span class="gp">$ </span>ls</pre></div>',
      'console',
      'ls',
    ],
    ["with a highlighter's language name", '<pre class="hljs python"><code>x</code></pre>', 'python', 'x'],
    ['inside a list at the left margin', '<ul><li>a<pre><code>  x\n y</code></pre></li></ul>', null, '  x\n y'],
    ['with fences in it', '<pre><code class="language-md">```js\n```</code></pre>', 'md', '```js\n```'],
  ])('renders code %s', (_name, html, language, code) => {
    const page = pageOf(`<title>Guide</title><main><p>text</p>${html}</main>`)
    const found = page.blocks.filter((block) => block.kind === 'code')
    expect(found.map((block) => [block.language, page.markdown.slice(block.codeStart, block.codeEnd)])).toEqual([
      [language, code],
    ])
    const [only] = found
    expect(page.markdown.slice(only?.start, only?.end)).toMatch(/^(`{3,})[\s\S]*\n\1$/)
  })
})

describe('page metadata', () => {
  it('reads language, canonical URL, robots directives and generator', () => {
    const page = pageOf(
      '<html lang="pt-BR"><title>A</title><base href="/docs/"><link rel=canonical href="b"><meta name=robots content="noindex, follow"><meta name=generator content="Gen 1"><body><p>text</p>',
    )
    expect(page).toMatchObject({
      language: 'pt',
      canonical: 'https://docs.example/docs/b',
      noindex: true,
      nofollow: false,
      generator: 'Gen 1',
    })
  })

  it('separates links in the text from other links and lists each URL once', () => {
    const { links } = pageOf(
      '<title>A</title><nav><a href="/a">Nav</a><a href="/b#x">B</a></nav><main><p>text <a href="/a#y">In text</a></p></main><a href="mailto:x@y.z">m</a><a href="javascript:x">j</a>',
    )
    expect(links).toEqual([
      { url: 'https://docs.example/a', text: 'In text', inContent: true },
      { url: 'https://docs.example/b', text: 'B', inContent: false },
    ])
  })

  it('returns no links of a nofollow page', () => {
    expect(pageOf('<meta name=robots content=nofollow><title>A</title><p>text <a href="/a">a</a>').links).toEqual([])
  })

  it.each([
    ['Install | Acme Docs', '', 'Install'],
    ['Install - Guide - Acme', '<h1>Install</h1>', 'Install'],
    ['Acme: Install', '<h1>Install</h1>', 'Install'],
    ['Pre-build steps', '', 'Pre-build steps'],
    ['', '<h1>From the heading</h1>', 'From the heading'],
    ['Rate limits — Acme', '<meta property="og:site_name" content="Acme">', 'Rate limits'],
    ['Acme 2 - C# - Install', '<h1>C# <a href="#c">\u200b#</a></h1>', 'C#'],
    ['Acme 2 - Install - Go', '<h1>Install<a href="#i">¶</a></h1>', 'Install'],
    ['Hooks | Acme', '<h1>Acme</h1><h2>Hooks <a href="#hooks">\u200b#</a></h2>', 'Hooks'],
    ['Acme | Hooks', '<meta property="og:site_name" content="Acme"><h1>Acme</h1><h1>Hooks</h1>', 'Hooks'],
    ['Fast hooks | Acme', '<h1>Acme</h1><h2>Hooks</h2>', 'Acme'],
    ['Hooks | Acme', '<h1>Hooks</h1><h2>Acme</h2>', 'Hooks'],
    ['mod_glaze - Kiln Server Version 2.4 Manual', '<h1>Kiln Module mod_glaze</h1>', 'Kiln Module mod_glaze'],
  ])('takes the title of %j %j', (title, html, expected) => {
    expect(pageOf(`<title>${title}</title>${html}<p>text</p>`).title).toBe(expected)
  })
})

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
    expect(extract(body, contentType)).toMatchObject({
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
    expect(extract(html, 'text/html', url)).toMatchObject({ kind: 'rejected', reason: 'source_view' })
  })

  it('rejects an index by its URL in spite of other text and keeps its links', () => {
    const page = extract(
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

describe('Markdown and plain text', () => {
  it('keeps Markdown unchanged except for the front matter', () => {
    const source =
      '---\ntitle: "The guide"\n---\n# Guide\n\nText with [a link](./other.md).\n\n## Install it {#setup}\n\n```sh\nnpm i\n```\n'
    const page = pageOf(source, 'text/markdown')
    expect(page.title).toBe('The guide')
    expect(page.markdown).toBe(source.slice(source.indexOf('# Guide')).trim())
    expect(page.links).toEqual([{ url: 'https://docs.example/guide/other.md', text: 'a link', inContent: true }])
    expect(page.blocks.map((block) => [block.kind, 'anchor' in block ? block.anchor : null])).toEqual([
      ['heading', 'guide'],
      ['text', null],
      ['heading', 'setup'],
      ['code', null],
    ])
  })

  it('separates Markdown from plain text by the URL', () => {
    expect(pageOf('# A\n\nb', 'text/plain', 'https://docs.example/a.md').blocks).toHaveLength(2)
    expect(pageOf('First line\n\nsecond', 'text/plain', 'https://docs.example/a.txt')).toMatchObject({
      title: 'First line',
      markdown: 'First line\n\nsecond',
    })
  })

  it('detects the format by the first bytes without a content type', () => {
    expect(pageOf('<!doctype html><title>A</title><p>b', null).markdown).toBe('b')
    expect(pageOf('just words', null).markdown).toBe('just words')
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
    expect(cpuSeconds(() => expect(['page', 'rejected']).toContain(extract(html).kind))).toBeLessThan(8)
  })
})

describe('derived pages of reference generators', () => {
  const javadoc = (writer: string, title: string) =>
    `<meta name=generator content="javadoc/${writer}"><title>${title} (Tide 17)</title><main><h1>${title}</h1><p>Names, <a href="Gauge.html">Gauge</a> among them.</p></main>`
  const fragment = (before: string) =>
    `<title>Tide</title><div class=header><div class=headertitle><div class=title>Gauge.hpp</div></div></div><div class=contents>${before}<div class=fragment><div class=line><a name=l00001></a><span class=lineno>1</span> int a;</div></div></div>`
  it.each(
    [
      ['a list of the uses of a class', javadoc('ClassUseWriter', 'Uses of Class org.tide.Gauge')],
      ['a list of uses without a generator tag', '<title>Uses of Class org.tide.Gauge (Tide 8)</title><p>a</p>'],
      ['a hierarchy', javadoc('PackageTreeWriter', 'org.tide Class Hierarchy')],
      ['a list of names by letter', javadoc('IndexWriter', 'A-Index')],
      [
        'a list of all members of a class',
        '<title>List of All Members for TideRope</title><h1>List of All Members for TideRope</h1>',
      ],
      [
        'a list of all members with the site name as title',
        '<title>Tide</title><div class=headertitle><div class=title>tide::Gauge Member List</div></div><div class=contents><p>a</p></div>',
      ],
      [
        'a list of all functions without a title',
        '<title>Tide</title><div class=contents>Here is a list of all class members with links:<ul><li>a()</ul></div>',
      ],
      [
        'a list of all items of a crate',
        '<meta name=generator content=rustdoc><title>List of all items in this crate</title><p>a</p>',
      ],
      ['a source file of Doxygen', fragment('')],
      [
        'a source file of rustdoc',
        '<meta name=generator content=rustdoc><title>mod.rs - source</title><pre>fn a</pre>',
      ],
    ].map(([name = '', html = '']) => [name, html, name.includes('source file') ? 'source_view' : 'index_page']),
  )('rejects %s', (_name, html, reason) => {
    expect(extract(html, 'text/html')).toMatchObject({ kind: 'rejected', reason })
  })

  it('keeps the links of a list page', () => {
    expect(extract(javadoc('TreeWriter', 'Hierarchy For All Packages'), 'text/html')).toMatchObject({
      links: [{ url: 'https://docs.example/guide/Gauge.html', text: 'Gauge' }],
    })
  })

  it.each([
    ['an overview of packages', javadoc('PackageIndexWriter', 'Overview')],
    ['a class', javadoc('ClassWriterImpl', 'Gauge')],
    ['an article about uses of a class', '<title>Uses of Class in Python</title><p>a</p>'],
    ['a page that quotes a whole file', fragment(`<p>${'It is told here what the file is for. '.repeat(8)}</p>`)],
    ['an index of a book', '<title>Source code of the tide - source</title><pre>fn a</pre>'],
  ])('accepts %s', (_name, html) => {
    expect(pageOf(html).kind).toBe('page')
  })

  it.each([
    ['Gauge (Tide 17)', '<h1>Class Gauge&lt;T></h1>', 'Gauge'],
    ['Gauge (Tide 17)', '<h1>Gauge (Tide 17)</h1>', 'Gauge (Tide 17)'],
    ['Gauge (draft)', '<h1>All about the Gauge</h1>', 'Gauge (draft)'],
    ['Tide Tables: Tide Manual', '<h2>Tide Tables</h2>', 'Tide Tables'],
    ['Tides: Tide Manual', '<h2>Tables</h2>', 'Tides: Tide Manual'],
  ])('takes the title of %j %j', (title, html, expected) => {
    expect(pageOf(`<title>${title}</title>${html}<p>text</p>`).title).toBe(expected)
  })
})

it('extracts the same text with and without a trailing slash in the URL', () => {
  const html =
    '<main><h1>Guide</h1><p>All about <a href="/guide">guides</a>, <a href="/guide/">here</a>, <a href="/guide/#a">below</a> and <a href="/b">there</a>.</p></main>'
  const read = (path: string) => pageOf(html, 'text/html', `https://a.test${path}`).markdown
  expect(read('/guide')).toContain('All about guides, here, below and [there](https://a.test/b).')
  expect(read('/guide/')).toBe(read('/guide'))
})
