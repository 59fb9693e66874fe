import { listOf, recordOf, textsOf } from '../api/parse-data.ts'
import { fenced, joinParts } from '../markdown/write-markdown.ts'
import { damaged } from './read-parts.ts'

/** Converts a Jupyter notebook (nbformat 3 and 4) without its outputs. Throws `FileProblem` for other JSON. */
export function notebookToMarkdown(json: string): string {
  const { cells, worksheets, metadata } = parseMapping(json)
  if (!Array.isArray(cells) && !Array.isArray(worksheets)) throw damaged('it is no notebook')
  const { language_info: info, kernelspec } = recordOf(metadata)
  const named = textsOf([recordOf(info)['name'], recordOf(kernelspec)['language']])
  const language = named.find((name) => /^[\w+#.-]{1,24}$/.test(name))?.toLowerCase()
  const all = Array.isArray(cells) ? cells : listOf(worksheets).flatMap((sheet) => listOf(recordOf(sheet)['cells']))
  const parts = all.map((cell) => {
    const { cell_type: type, source, input } = recordOf(cell)
    // A string, or a list of lines with their line ends.
    const lines = [source ?? input].flat().filter((line) => typeof line === 'string')
    const text = lines.join('').trim()
    if (text === '' || type === 'markdown') return text
    if (type === 'heading') return `## ${text}`
    return type === 'code' ? fenced(text, language) : ''
  })
  return joinParts(parts)
}

function parseMapping(json: string) {
  try {
    return recordOf(JSON.parse(json))
  } catch {
    // Truncated JSON is not a notebook.
    return {}
  }
}
