import { describe, expect, it } from 'vitest'
import { extractText, pageOf } from '../../test/support/lib/make-archive.ts'

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
    expect(extractText(html, 'text/html')).toMatchObject({ kind: 'rejected', reason })
  })

  it('keeps the links of a list page', () => {
    expect(extractText(javadoc('TreeWriter', 'Hierarchy For All Packages'), 'text/html')).toMatchObject({
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
