import { makeZip } from './make-archive.ts'

const zipOf = (files: Record<string, string>) => makeZip(Object.entries(files).map(([path, text]) => ({ path, text })))

/** Makes a Word document with a heading and a paragraph. Test support. */
export function makeDocx(heading: string, text: string): Uint8Array<ArrayBuffer> {
  const paragraph = (content: string, properties = '') =>
    `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>${content}</w:t></w:r></w:p>`
  const body = paragraph(heading, '<w:outlineLvl w:val="0"/>') + paragraph(text)
  return zipOf({ 'word/document.xml': `<w:document><w:body>${body}</w:body></w:document>` })
}

/** Makes a workbook with one sheet of texts. Test support. */
export function makeXlsx(sheet: string, rows: readonly (readonly string[])[]): Uint8Array<ArrayBuffer> {
  const cells = (row: readonly string[]) => row.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')
  return zipOf({
    'xl/workbook.xml': `<workbook><sheets><sheet name="${sheet}" r:id="a"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="a" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows.map((row) => `<row>${cells(row)}</row>`).join('')}</sheetData></worksheet>`,
  })
}

/** Makes a presentation with a slide for each title and text. Test support. */
export function makePptx(slides: readonly (readonly [title: string, text: string])[]): Uint8Array<ArrayBuffer> {
  const shape = (text: string, type: string) =>
    `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${type}"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`
  const ids = slides.map((_, index) => `<p:sldId r:id="s${index}"/>`).join('')
  const relations = slides
    .map((_, index) => `<Relationship Id="s${index}" Target="slides/slide${index}.xml"/>`)
    .join('')
  return zipOf({
    'ppt/presentation.xml': `<p:presentation><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': `<Relationships>${relations}</Relationships>`,
    ...Object.fromEntries(
      slides.map(([title, text], index) => [
        `ppt/slides/slide${index}.xml`,
        `<p:sld>${shape(title, 'title')}${shape(text, 'body')}</p:sld>`,
      ]),
    ),
  })
}
