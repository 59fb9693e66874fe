import { fenced } from './repository-file.ts'

/**
 * Converts a Jupyter notebook (nbformat 3 and 4) to Markdown: text cells unchanged, code cells fenced, outputs omitted.
 * Returns null for other JSON.
 */
export function notebookToMarkdown(json: string): string | null {
  const book = parse(json)
  if (!isRecord(book)) return null
  const cells = cellsOf(book)
  if (!cells) return null
  const language = languageOf(book)
  const parts = cells.map((cell) => {
    if (!isRecord(cell)) return ''
    const text = sourceOf(cell['source'] ?? cell['input']).trim()
    if (text === '') return ''
    if (cell['cell_type'] === 'markdown') return text
    if (cell['cell_type'] === 'heading') return `## ${text}`
    return cell['cell_type'] === 'code' ? fenced(text, language) : ''
  })
  return parts.filter((part) => part !== '').join('\n\n')
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    // Truncated JSON is not a notebook. The caller reports the file as unreadable.
    return null
  }
}

function cellsOf(book: Record<string, unknown>): unknown[] | null {
  if (Array.isArray(book['cells'])) return book['cells']
  const sheets = book['worksheets']
  if (!Array.isArray(sheets)) return null
  return sheets.flatMap((sheet: unknown) => (isRecord(sheet) && Array.isArray(sheet['cells']) ? sheet['cells'] : []))
}

function languageOf({ metadata }: Record<string, unknown>): string {
  if (!isRecord(metadata)) return ''
  for (const [part, field] of [
    ['language_info', 'name'],
    ['kernelspec', 'language'],
  ] as const) {
    const info = metadata[part]
    const name = isRecord(info) ? info[field] : undefined
    if (typeof name === 'string' && /^[\w+#.-]{1,24}$/.test(name)) return name.toLowerCase()
  }
  return ''
}

/** Returns the text of a cell, which is a string or a list of lines with their line ends. */
function sourceOf(source: unknown): string {
  if (typeof source === 'string') return source
  return Array.isArray(source) ? source.filter((line) => typeof line === 'string').join('') : ''
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
