import { describe, expect, it } from 'vitest'
import { pageOf } from '../../test/support/lib/make-archive.ts'

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
    ['the title of a box', '<h2>A</h2><div class=note><h3>b</h3>c</div><p>d</p>', '## A\n\n**b**\n\nc\n\nd'],
    ['a section in a box', '<div class=note><h3 id=b>b</h3>c</div>', '### b\n\nc'],
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
      ['paragraph', null],
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

it('extracts the same text with and without a trailing slash in the URL', () => {
  const html =
    '<main><h1>Guide</h1><p>All about <a href="/guide">guides</a>, <a href="/guide/">here</a>, <a href="/guide/#a">below</a> and <a href="/b">there</a>.</p></main>'
  const read = (path: string) => pageOf(html, 'text/html', `https://a.test${path}`).markdown
  expect(read('/guide')).toContain('All about guides, here, below and [there](https://a.test/b).')
  expect(read('/guide/')).toBe(read('/guide'))
})
