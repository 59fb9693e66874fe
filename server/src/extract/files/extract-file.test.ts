import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { cpuSeconds } from '../../../test/support/lib/cpu-seconds.ts'
import { makeZip } from '../../../test/support/lib/make-archive.ts'
import { MAX_MARKDOWN } from '../html/render-markdown.ts'
import type { FileFormat } from '../repository/repository-file.ts'
import { extractFile } from './extract-file.ts'
import { MAX_LINES, orgToMarkdown } from './org-to-markdown.ts'
import { MAX_PARTS } from './read-parts.ts'
import { MAX_CELLS, xlsxToHtml } from './xlsx-to-html.ts'

const zipOf = (files: Record<string, string>) => makeZip(Object.entries(files).map(([path, text]) => ({ path, text })))
const read = (bytes: Uint8Array, format: FileFormat) =>
  extractFile({ url: `https://a.dev/manual.${format}`, contentType: null, bytes }, format)

async function pageOf(files: Record<string, string>, format: FileFormat) {
  const page = await read(zipOf(files), format)
  if (page.kind === 'rejected') throw new Error(`${page.reason}: ${page.detail}`)
  return page
}

const markdownOf = async (files: Record<string, string>, format: FileFormat) => (await pageOf(files, format)).markdown
const rejection = async (files: Record<string, string>, format: FileFormat) => {
  const page = await read(zipOf(files), format)
  return page.kind === 'rejected' ? page.reason : page.kind
}

const word = (body: string) => `<?xml version="1.0"?><w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`
const paragraph = (text: string, properties = '') =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`
const styled = (text: string, style: string) => paragraph(text, `<w:pStyle w:val="${style}"/>`)
const STYLES = `<w:styles>
  <w:style w:styleId="T"><w:name w:val="Title"/></w:style>
  <w:style w:styleId="H1"><w:name w:val="heading 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>
  <w:style w:styleId="H2"><w:name w:val="Own"/><w:basedOn w:val="H1"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
  <w:style w:styleId="C"><w:name w:val="Source Code"/></w:style>
  <w:style w:styleId="V"><w:name w:val="Verbatim Char"/></w:style>
  <w:style w:styleId="TOC1"><w:name w:val="toc 1"/></w:style>
</w:styles>`
const NUMBERING = `<w:numbering>
  <w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl>
    <w:lvl w:ilvl="1"><w:numFmt w:val="decimal"/></w:lvl></w:abstractNum>
  <w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num></w:numbering>`
const item = (text: string, level: number) =>
  paragraph(text, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr>`)
const cell = (text: string, properties = '') => `<w:tc><w:tcPr>${properties}</w:tcPr>${paragraph(text)}</w:tc>`
const docx = (body: string, others: Record<string, string> = {}) => ({
  'word/document.xml': word(body),
  'word/styles.xml': STYLES,
  'word/numbering.xml': NUMBERING,
  ...others,
})

describe('Word documents', () => {
  test('have headings, lists, code and tables as blocks', async () => {
    const body = [
      styled('Pumps', 'T'),
      styled('Pumps 3', 'TOC1'),
      styled('Install', 'H1'),
      paragraph('Unpack it.'),
      item('Valve', 0),
      item('Open it', 1),
      item('Close it', 1),
      item('Hose', 0),
      styled('Run', 'H2'),
      styled('pump --on', 'C'),
      styled('pump  --off', 'C'),
      `<w:tbl><w:tr>${cell('Name')}${cell('Use')}</w:tr><w:tr>${cell('wide', '<w:gridSpan w:val="2"/>')}</w:tr></w:tbl>`,
    ]
    const page = await pageOf(docx(body.join('')), 'docx')
    expect(page.title).toBe('Pumps')
    expect(page.markdown).toBe(
      '# Pumps\n\n# Install\n\nUnpack it.\n\n- Valve\n  1. Open it\n  2. Close it\n- Hose\n\n## Run\n\n```\npump --on\npump  --off\n```\n\n| Name | Use |\n| --- | --- |\n| wide |  |',
    )
    const kinds = page.blocks.map(({ kind }) => kind)
    expect(kinds).toEqual(['heading', 'heading', 'paragraph', 'list', 'heading', 'code', 'table'])
  })

  test('have the marks of their text, links to pages, and their notes', async () => {
    const run = (text: string, properties = '') => `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`
    const body = `<w:p>${run('Set')}<w:r><w:t xml:space="preserve"> </w:t></w:r>${run('a', '<w:b/>')}${run('b', '<w:b/>')}
      ${run('not', '<w:b w:val="0"/>')}${run('secret', '<w:vanish/>')}${run('x_y', '<w:rStyle w:val="V"/>')}
      <w:del>${run('gone')}</w:del><w:hyperlink r:id="r1">${run('site')}</w:hyperlink>
      <w:hyperlink r:id="r2">${run('file')}</w:hyperlink><w:r><w:footnoteReference w:id="2"/></w:r></w:p>`
    const others = {
      'word/_rels/document.xml.rels': `<Relationships><Relationship Id="r1" Target="https://b.dev/x" TargetMode="External"/>
        <Relationship Id="r2" Target="file:///etc/passwd" TargetMode="External"/></Relationships>`,
      'word/footnotes.xml': `<w:footnotes><w:footnote w:type="separator">${paragraph('no')}</w:footnote>
        <w:footnote w:id="2">${paragraph('As of May.')}</w:footnote></w:footnotes>`,
    }
    const page = await pageOf(docx(body, others), 'docx')
    expect(page.markdown).toBe('Set **ab**not`x_y`[site](https://b.dev/x)file[2]\n\nAs of May.')
    expect(page.links).toEqual([])
  })

  test('have a line of code in a cell of a table, and longer code apart', async () => {
    const cellOf = (...lines: string[]) => `<w:tc>${lines.map((line) => styled(line, 'C')).join('')}</w:tc>`
    const table = (...cells: string[]) => `<w:tbl><w:tr>${cells.join('')}</w:tr></w:tbl>`
    const text = async (...cells: string[]) => markdownOf(docx(table(...cells)), 'docx')
    expect(await text(cellOf('a &lt;b>'), cell('Use'))).toBe('| `a <b>` | Use |\n| --- | --- |')
    expect(await text(cellOf('a', 'b'), cell('Use'))).toBe('```\na\nb\n```\n\nUse')
    expect(await text(cellOf('npm start'))).toBe('```\nnpm start\n```')
  })

  test('have bold questions as headings only if they mark no headings', async () => {
    const asked = (text: string) => `<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>${text}</w:t></w:r></w:p>`
    const questions = `${asked('How?')}${paragraph('So.')}${asked('When?')}${paragraph('Now.')}`
    const headings = async (before: string) =>
      (await pageOf(docx(before + questions), 'docx')).blocks.flatMap((block) =>
        block.kind === 'heading' ? [block.text] : [],
      )
    expect(await headings('')).toEqual(['How?', 'When?'])
    expect(await headings(styled('Help', 'T'))).toEqual(['Help', 'How?', 'When?'])
    expect(await headings(styled('Help', 'T') + styled('Use', 'H1'))).toEqual(['Help', 'Use'])
  })

  test('have the text of a box once', async () => {
    const box = `<w:txbxContent>${paragraph('Boxed')}</w:txbxContent>`
    const drawn = `<mc:AlternateContent><mc:Choice>${box}</mc:Choice><mc:Fallback>${box}</mc:Fallback></mc:AlternateContent>`
    expect(await markdownOf(docx(`<w:p><w:r><w:t>Around</w:t>${drawn}</w:r></w:p>`), 'docx')).toBe('Around\n\nBoxed')
  })
})

const SLIDE = `<p:sld><p:cSld><p:spTree>
  <p:sp><p:nvSpPr><p:nvPr><p:ph/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>One</a:t></a:r></a:p>
    <a:p><a:pPr lvl="1"/><a:r><a:t>Deep</a:t></a:r></a:p><a:p><a:pPr><a:buNone/></a:pPr><a:r><a:t>Plain</a:t></a:r></a:p></p:txBody></p:sp>
  <p:sp><p:nvSpPr><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>Parts</a:t></a:r></a:p></p:txBody></p:sp>
  <p:sp><p:nvSpPr><p:nvPr><p:ph type="sldNum"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:fld><a:t>7</a:t></a:fld></a:p></p:txBody></p:sp>
  <p:graphicFrame><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>A</a:t></a:r></a:p></a:txBody></a:tc>
    <a:tc><a:txBody><a:p><a:r><a:t>B</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></p:graphicFrame>
</p:spTree></p:cSld></p:sld>`
const NOTES = `<p:notes><p:sp><p:nvSpPr><p:nvPr><p:ph type="body"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>Say so.</a:t></a:r></a:p></p:txBody></p:sp></p:notes>`
const relations = (targets: Record<string, string>) =>
  `<Relationships>${Object.entries(targets)
    .map(([id, target]) => `<Relationship Id="${id}" Target="${target}"/>`)
    .join('')}</Relationships>`

test('presentations have a section for each slide, in their order, with lists, tables and notes', async () => {
  const bold = (text: string) => `<a:p><a:r><a:rPr b="1"/><a:t>${text}</a:t></a:r></a:p>`
  const files = {
    'ppt/presentation.xml':
      '<p:presentation><p:sldIdLst><p:sldId id="9" r:id="b"/><p:sldId id="8" r:id="a"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels': relations({ a: 'slides/slide1.xml', b: 'slides/slide2.xml' }),
    'ppt/slides/slide1.xml': `<p:sld><p:sp><p:txBody>${bold('Why?')}${bold('Who?')}</p:txBody></p:sp></p:sld>`,
    'ppt/slides/slide2.xml': SLIDE,
    'ppt/slides/_rels/slide2.xml.rels': relations({ n: '../notesSlides/notesSlide1.xml' }),
    'ppt/notesSlides/notesSlide1.xml': NOTES,
  }
  const page = await pageOf(files, 'pptx')
  expect(page.markdown).toBe(
    '## Slide 1: Parts\n\n- One\n  - Deep\n\nPlain\n\n| A | B |\n| --- | --- |\n\nSay so.\n\n## Slide 2\n\n**Why?**\n\n**Who?**',
  )
  expect(page.title).toBe('Parts')
  expect(page.blocks.flatMap((block) => (block.kind === 'heading' ? [block.anchor] : []))).toEqual([
    'slide-1',
    'slide-2',
  ])
})

const xlsx = (rows: string, others: Record<string, string> = {}) => ({
  'xl/workbook.xml':
    '<workbook><sheets><sheet name="Prices" r:id="a"/><sheet name="Old" state="hidden" r:id="b"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels': relations({ a: 'worksheets/sheet1.xml', b: 'worksheets/sheet2.xml' }),
  'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
  'xl/worksheets/sheet2.xml': '<worksheet><sheetData><row><c><v>13</v></c></row></sheetData></worksheet>',
  ...others,
})

describe('workbooks', () => {
  test('have a section with a table for each visible sheet, with values as shown', async () => {
    const rows = `<row r="1"><c r="B1" t="inlineStr"><is><t>All pumps</t></is></c></row>
      <row r="3"><c r="B3" t="s"><v>0</v></c><c r="D3" t="s"><v>1</v></c></row>
      <row r="4"><c r="B4" s="1"><v>45292</v></c><c r="D4" s="2"><f>A1*2</f><v>0.256</v></c></row>
      <row r="5"><c r="B5" t="b"><v>1</v></c><c r="D5"><v>3</v></c></row>`
    const others = {
      'xl/sharedStrings.xml':
        '<sst><si><t>Day</t></si><si><r><t>Sh</t></r><r><t>are</t></r><rPh><t>x</t></rPh></si></sst>',
      'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs>
        <cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="10"/></cellXfs></styleSheet>`,
    }
    const page = await pageOf(xlsx(rows, others), 'xlsx')
    expect(page.markdown).toBe(
      '## Prices\n\nAll pumps\n\n| Day | Share |\n| --- | --- |\n| 2024-01-01 | 25.60% |\n| TRUE | 3 |',
    )
    expect(page.blocks[0]).toMatchObject({ kind: 'heading', text: 'Prices', anchor: 'sheet-1' })
    // The name of its first sheet is no title of a workbook.
    expect(page.title).toBe('manual')
  })

  test('show a formula whose value they do not hold', async () => {
    const rows = `<row><c t="s"><v/></c><c><v>2</v></c><c><v>3</v></c></row>
      <row><c t="str"><f>IF(B1,"","x")</f><v></v></c><c><f>SUM(B1:C1)*2</f><v></v></c><c s="1"><f>B2 &lt; 5</f></c></row>`
    const others = { 'xl/sharedStrings.xml': '<sst><si><t>First</t></si></sst>' }
    expect(await markdownOf(xlsx(rows, others), 'xlsx')).toBe(
      '## Prices\n\n| 2 | 3 |\n| --- | --- |\n| =SUM(B1:C1)*2 | =B2 < 5 |',
    )
  })

  test('count dates from 1904 if they say so', async () => {
    const files = xlsx('<row><c s="0"><v>1</v></c><c><v>2</v></c></row>', {
      'xl/styles.xml': '<styleSheet><cellXfs><xf numFmtId="14"/></cellXfs></styleSheet>',
    })
    const workbook = files['xl/workbook.xml'].replace('<workbook>', '<workbook><workbookPr date1904="1"/>')
    expect(await markdownOf({ ...files, 'xl/workbook.xml': workbook }, 'xlsx')).toContain('1/2/1904')
  })

  test('have a limit of filled cells', () => {
    const row = `<row>${'<c><v>1</v></c>'.repeat(50)}</row>`
    const partsOf = (rows: string) =>
      new Map(Object.entries(xlsx(rows)).map(([path, text]) => [path, Buffer.from(text)]))
    const most = row.repeat(MAX_CELLS / 50)
    expect(xlsxToHtml(partsOf(`${most}<row><c><v/></c></row>`)).html).toContain('<table>')
    expect(() => xlsxToHtml(partsOf(`${most}<row><c><v>1</v></c></row>`))).toThrow('more than 100,000 filled cells')
  })

  test.each([100, 101])('with %i columns are a table, or lines of text', async (columns) => {
    const row = `<row>${'<c><v>1</v></c>'.repeat(columns)}</row>`
    expect((await pageOf(xlsx(row), 'xlsx')).blocks[1]?.kind).toBe(columns > 100 ? 'paragraph' : 'table')
  })
})

const odt = (body: string, styles = '') => ({
  'content.xml': `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
})

test('OpenDocument texts have headings, lists, tables, code, links and notes', async () => {
  const styles = `<style:style style:name="P1" style:parent-style-name="Preformatted_20_Text"/>
    <style:style style:name="T1"><style:text-properties fo:font-weight="bold"/></style:style>
    <style:style style:name="Preformatted_20_Text"/>
    <style:style style:name="P2" style:parent-style-name="Strong"><style:text-properties fo:font-weight="bold"/></style:style>
    <style:style style:name="P3" style:parent-style-name="P2"/>
    <text:list-style style:name="L1"><text:list-level-style-number text:level="1"/></text:list-style>`
  const body = `<text:tracked-changes><text:p>gone</text:p></text:tracked-changes>
    <text:h text:outline-level="2">Install</text:h>
    <text:p>See <text:span text:style-name="T1">the</text:span> <text:a xlink:href="https://b.dev/">site</text:a><text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Of May.</text:p></text:note-body></text:note>.</text:p>
    <text:list text:style-name="L1"><text:list-item><text:p>One</text:p><text:list><text:list-item><text:p>Deep</text:p></text:list-item></text:list></text:list-item></text:list>
    <text:p text:style-name="P1">a<text:s text:c="3"/>b</text:p><text:p text:style-name="P1">c</text:p>
    <table:table><table:table-row><table:table-cell table:number-columns-spanned="2"><text:p>Wide</text:p></table:table-cell><table:covered-table-cell/></table:table-row>
    <table:table-row><table:table-cell><text:p>A</text:p></table:table-cell><table:table-cell><text:p>B</text:p></table:table-cell></table:table-row></table:table>
    <text:p text:style-name="P2">Bold</text:p><text:p text:style-name="P3">As a heading of a table</text:p>`
  expect(await markdownOf(odt(body, styles), 'odt')).toBe(
    '## Install\n\nSee **the** [site](https://b.dev/)[1].\n\nOf May.\n\n1. One\n   - Deep\n\n```\na   b\nc\n```\n\n| Wide |  |\n| --- | --- |\n| A | B |\n\n**Bold**\n\nAs a heading of a table',
  )
})

const epub = (chapters: Record<string, string>, others: Record<string, string> = {}) => ({
  mimetype: 'application/epub+zip',
  'META-INF/container.xml': '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
  'OEBPS/book.opf': `<package><metadata><dc:title>The Book</dc:title><dc:language>de-AT</dc:language></metadata><manifest>
    <item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
    ${Object.keys(chapters)
      .map((name) => `<item id="${name}" href="text/${name}.xhtml" media-type="application/xhtml+xml"/>`)
      .join('')}</manifest>
    <spine><itemref idref="nav"/>${Object.keys(chapters)
      .toReversed()
      .map((name) => `<itemref idref="${name}"/>`)
      .join('')}</spine></package>`,
  'OEBPS/nav.xhtml': '<html><body><nav>Contents</nav></body></html>',
  ...Object.fromEntries(
    Object.entries(chapters).map(([name, body]) => [
      `OEBPS/text/${name}.xhtml`,
      `<html><head><title/><style>x</style></head><body>${body}</body></html>`,
    ]),
  ),
  ...others,
})

describe('books', () => {
  test('have the chapters of their spine in order', async () => {
    const chapters = {
      b: '<h1 id="b">Second</h1><p>A&nbsp;word &amp; <code>x &lt; y</code><script src="x"/></p><pre>if a:\n  b</pre>',
      a: '<h1>First</h1><a id="p1"/><p>See <a href="b.xhtml">there</a> and <a href="https://b.dev/">here</a>.</p>',
    }
    const page = await pageOf(epub(chapters), 'epub')
    expect(page).toMatchObject({ title: 'The Book', language: 'de', links: [] })
    expect(page.markdown).toBe(
      '# First\n\nSee there and [here](https://b.dev/).\n\n# Second\n\nA word & `x < y`\n\n```\nif a:\n  b\n```',
    )
  })

  test('have no tables of contents', async () => {
    const contents = ['class="toc"', 'class="toctree-wrapper compound"', 'epub:type="toc"']
    const chapter = contents.map((mark) => `<div ${mark}><p>Listed</p></div>`).join('')
    expect(await markdownOf(epub({ a: `${chapter}<p class="tocsin">Text</p>` }), 'epub')).toBe('Text')
  })

  test('have headings and tables, but none of notes, and no tables of one column or with code', async () => {
    const chapter = `<h2>Kiln</h2><div class="tip"><h3 class="title">Tip</h3><p>Open it.</p></div>
      <div class="table"><a id="t1"/><p class="title"><b>Table 1</b></p>
      <table><tr><th>Part</th><th>Use</th></tr><tr><td>a</td><td>b</td></tr></table></div>
      <table><tr><td>Only</td></tr><tr><td>one</td></tr></table>
      <table><tr><td><pre>old</pre></td><td><pre>new</pre></td></tr></table>
      <dl><dt>-v</dt><dd>Says more.</dd></dl><p>H<sub>2</sub>O</p>`
    const page = await pageOf(epub({ a: chapter }), 'epub')
    expect(page.markdown).toBe(
      '## Kiln\n\n**Tip**\n\nOpen it.\n\n**Table 1**\n\n| Part | Use |\n| --- | --- |\n| a | b |\n\nOnly\n\none\n\n```\nold\n```\n\n```\nnew\n```\n\n**-v**\n: Says more.\n\nH2O',
    )
  })

  test.each([
    ['http://www.idpf.org/2008/embedding', 'page'],
    ['http://www.w3.org/2001/04/xmlenc#aes256-cbc', 'encrypted'],
  ])('are read with parts encrypted by %s: %s', async (algorithm, result) => {
    const encryption = `<encryption><enc:EncryptionMethod Algorithm="${algorithm}"/></encryption>`
    expect(await rejection(epub({ a: '<p>Text</p>' }, { 'META-INF/encryption.xml': encryption }), 'epub')).toBe(result)
  })
})

describe('texts', async () => {
  const folder = join(import.meta.dirname, 'fixtures')
  const names = (await readdir(folder)).filter((name) => !name.endsWith('.md'))

  test.each(names)('convert %s', async (name) => {
    const format = name.endsWith('.org') ? 'org' : 'notebook'
    const page = await read(new Uint8Array(await readFile(join(folder, name))), format)
    const markdown = page.kind === 'page' ? `${page.markdown}\n` : page.detail
    await expect(markdown).toMatchFileSnapshot(join(folder, `${name}.md`))
  })

  test.each(['{"cells": [', '{"a": 1}'])('reject %s as a notebook', async (text) => {
    expect(await read(Buffer.from(text), 'notebook')).toMatchObject({ kind: 'rejected', reason: 'unreadable' })
  })
})

const BOMB = `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "${'&a;'.repeat(1_000)}"><!ENTITY f SYSTEM "file:///etc/passwd">]>`

test('Org texts have code in quotes as blocks, links whose text is code, and no targets', () => {
  const quoted = '#+begin_quote\nA\n#+begin_src sh\nx\n\ny\n#+end_src\n#+end_quote\n'
  expect(orgToMarkdown(quoted)).toBe('> A\n\n```sh\nx\n\ny\n```')
  expect(orgToMarkdown('* <<top>>Start\n1 << 2 >> 1, =<<a>>=')).toBe('## Start\n\n1 << 2 >> 1, `<<a>>`')
  expect(orgToMarkdown('[[https://a.dev][=x/y=]] =[[z]]=')).toBe('[`x/y`](https://a.dev) `[[z]]`')
})

describe('hostile and damaged files', () => {
  test.each([
    ['blocks', '#+begin_quote\n'.repeat(50_000)],
    ['rows', '|a\n'.repeat(50_000)],
    ['drawers', ':a:\n'.repeat(50_000)],
    ['links', '[['.repeat(50_000)],
  ])('are read in linear time with many %s of Org', (_, text) => {
    let written = ''
    expect(cpuSeconds(() => void (written = orgToMarkdown(text)))).toBeLessThan(2)
    expect(written.length).toBeLessThan(3 * text.length)
  })

  test.each(['org', 'notebook'] as const)('have at most 8 million characters of text: %s', async (format) => {
    const kindOf = async (length: number) => {
      const text = 'a'.repeat(length)
      const source = format === 'org' ? text : JSON.stringify({ cells: [{ cell_type: 'markdown', source: text }] })
      const page = await read(Buffer.from(source), format)
      return page.kind === 'rejected' ? `${page.reason}: ${page.detail}` : page.kind
    }
    expect(await kindOf(MAX_MARKDOWN)).toBe('page')
    expect(await kindOf(MAX_MARKDOWN + 1)).toBe(
      'too_large: The file holds more than 8 million characters of text. Divide it.',
    )
  })

  test('have a limit of lines of Org', () => {
    const rows = '|a|\n'.repeat(MAX_LINES - 1)
    expect(orgToMarkdown(rows)).toHaveLength(6 * MAX_LINES + 1)
    expect(() => orgToMarkdown(`${rows}\n`)).toThrow('more than 100,000 lines')
  })

  test('have each slide and chapter once, however often they are listed', async () => {
    const files = {
      'ppt/presentation.xml': `<p>${'<p:sldId r:id="a"/>'.repeat(1_000)}</p>`,
      'ppt/_rels/presentation.xml.rels': relations({ a: 'slides/slide1.xml' }),
      'ppt/slides/slide1.xml': '<p:sld/>',
    }
    expect(await markdownOf(files, 'pptx')).toBe('## Slide 1')
  })

  test('expand no entities and open no files', async () => {
    const body = `${BOMB}${word(paragraph('Text &b; &f; &#65;'))}`
    expect(await markdownOf(docx('', { 'word/document.xml': body }), 'docx')).toBe('Text &b; &f; A')
  })

  test.each([900, 1_001])('are nested at most 1,000 levels deep: %i', async (depth) => {
    const nested = '<w:sdt>'.repeat(depth - 3) + paragraph('Text') + '</w:sdt>'.repeat(depth - 3)
    expect(await rejection(docx(nested), 'docx')).toBe(depth > 1_000 ? 'too_complex' : 'page')
  })

  test('are unpacked up to their maximum only', async () => {
    const filled = (size: number) =>
      makeZip([{ path: 'word/document.xml', text: word(paragraph('Text')), claimedSize: size }])
    expect(await read(filled(MAX_PARTS + 1), 'docx')).toMatchObject({ reason: 'too_large' })
    expect(await read(filled(MAX_PARTS), 'docx')).toMatchObject({ reason: 'unreadable' })
  })

  test.each([24 << 20, (24 << 20) + 1])('are read up to 24 MB: %i bytes', async (size) => {
    expect(await read(new Uint8Array(size), 'docx')).toMatchObject({
      reason: size > 24 << 20 ? 'too_large' : 'unreadable',
    })
  })

  test.each([
    ['encrypted', new Uint8Array(Buffer.from('d0cf11e0a1b11ae1', 'hex')), /password, or saved in an old format/],
    ['encrypted', makeZip([{ path: 'word/document.xml', text: 'x', encrypted: true }]), /protected by a password/],
    ['unreadable', makeZip([{ path: 'word/document.xml', text: 'x', damaged: true }]), /cannot be unpacked/],
    ['unreadable', zipOf({ 'other.xml': '<a/>' }), /it has no word\/document\.xml/],
    ['unreadable', zipOf(docx('')).slice(0, 200), /damaged/],
    ['unreadable', Buffer.from('Just words'), /does not begin like one of its kind/],
    ['no_text', zipOf(docx('')), /no text/],
  ])('are rejected as %s', async (reason, bytes, sentence) => {
    const page = await read(bytes, 'docx')
    expect(page).toMatchObject({ kind: 'rejected', reason, detail: expect.stringMatching(sentence) })
  })

  test('give a page or a rejection, whatever their bytes', async () => {
    const whole = [zipOf(docx(styled('Pumps', 'H1'))), zipOf(odt('<text:p>A</text:p>')), zipOf(epub({ a: '<p>A</p>' }))]
    for (const [at, zip] of whole.entries()) {
      for (let n = 0; n < 60; n++) {
        const bytes = zip.slice()
        const place = Math.floor((n * bytes.length) / 60)
        bytes.set([(n * 37 + at) & 255, 255, 0, 60].slice(0, bytes.length - place), place)
        for (const format of ['docx', 'pptx', 'xlsx', 'odt', 'epub'] as const) {
          expect((await read(bytes, format)).kind).toMatch(/^(?:page|rejected)$/)
        }
      }
    }
  })
})
