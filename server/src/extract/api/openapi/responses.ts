import { joinParts } from '../api-document.ts'
import { cellText, embedText } from '../embed-text.ts'
import { describeContent, writeExample } from '../describe-schema.ts'
import { recordOf, textOf } from '../loose-json.ts'
import type { References } from '../references.ts'
import { sampleValue } from '../sample-value.ts'
import { schemaType } from '../schema-type.ts'
import { writeTable } from '../write-table.ts'

/** Renders each response as a section: meaning, headers, fields and an example. */
export function responseSections(references: References, given: unknown): string {
  const sections = Object.entries(recordOf(given)).flatMap(([status, each]) => {
    if (status.startsWith('x-')) return []
    const response = recordOf(references.resolve(each).value)
    const description = textOf(response['description'])
    const [first = '', ...rest] = description.split('\n')
    const isShort = first.length <= 80 && first !== ''
    return [
      joinParts([
        `### ${nameOf(status)}${isShort ? `: ${first}` : ''}`,
        embedText(isShort ? rest.join('\n') : description, 3),
        headerTable(references, response['headers']),
        ...Object.entries(recordOf(response['content'])).map(([type, media]) => content(references, type, media)),
        linkLines(response['links']),
      ]),
    ]
  })
  return joinParts(sections)
}

function nameOf(status: string): string {
  if (status === 'default') return 'Any other status'
  return /^[1-5]xx$/i.test(status) ? `${status.charAt(0)}xx` : status
}

function content(references: References, type: string, media: unknown): string {
  const { schema, itemSchema, example, examples } = recordOf(media)
  const body = schema ?? itemSchema
  const named = Object.values(recordOf(examples)).map((each) => recordOf(references.resolve(each).value)['value'])
  const sample = example ?? named[0] ?? (/json/.test(type) ? sampleValue(references, body, 'writeOnly') : undefined)
  return joinParts([describeContent(references, type, body), writeExample(sample)])
}

function headerTable(references: References, given: unknown): string {
  const rows = Object.entries(recordOf(given)).map(([name, each]) => {
    const header = recordOf(references.resolve(each).value)
    return [
      `\`${name}\``,
      header['schema'] === undefined ? '' : schemaType(references, header['schema']),
      cellText(textOf(header['description'])),
    ]
  })
  return writeTable(['Header', 'Type', 'Description'], rows)
}

function linkLines(given: unknown): string {
  const lines = Object.entries(recordOf(given)).map(([name, each]) => {
    const link = recordOf(each)
    const to = textOf(link['operationId']) || textOf(link['operationRef'])
    return `- Link \`${name}\`${to === '' ? '' : ` to \`${to}\``}${textOf(link['description']) && `: ${textOf(link['description'])}`}`
  })
  return lines.join('\n')
}
