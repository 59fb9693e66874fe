import { type ApiDocument, joinParts, section } from '../api-document.ts'
import { embedText } from '../embed-text.ts'
import { isRecord, listOf, recordOf, textOf } from '../loose-json.ts'
import { writeTable } from '../write-table.ts'
import type { OpenApi } from './open-api.ts'
import { describeScheme } from './security.ts'

/** Documents the API as a whole: purpose, servers, authentication, operations. */
export function overviewDocument(
  { root, references }: OpenApi,
  format: string,
  operations: ApiDocument[],
): ApiDocument {
  const info = recordOf(root['info'])
  const title = textOf(info['title']) || 'API'
  const schemes = Object.entries(recordOf(recordOf(root['components'])['securitySchemes'])).map(([name, scheme]) =>
    describeScheme(name, recordOf(references.resolve(scheme).value)),
  )
  const markdown = joinParts([
    `# ${title}`,
    [textOf(info['version']) && `Version ${textOf(info['version'])}`, format].filter(Boolean).join(', ') + '.',
    textOf(info['summary']),
    embedText(textOf(info['description']), 1),
    section('Servers', servers(root['servers'])),
    section('Authentication', joinParts(schemes)),
    section('Tags', tags(root['tags'])),
    section('Operations', list(operations, 'operation')),
    section('Webhooks', list(operations, 'webhook')),
    section('Contact and terms', contact(info)),
  ])
  return { subject: null, title, markdown, pointer: null }
}

function servers(given: unknown): string {
  const rows = listOf(given)
    .filter(isRecord)
    .map(({ url, description, variables }) => {
      const names = Object.entries(recordOf(variables)).map(([name, each]) => {
        const { enum: choices, default: usual } = recordOf(each)
        const values = listOf(choices).map(textOf)
        return `\`${name}\`: ${values.length > 0 ? `one of ${values.join(', ')}; ` : ''}default ${textOf(usual)}`
      })
      return [`\`${textOf(url)}\``, textOf(description), names.join('. ')]
    })
  return writeTable(['URL', 'Description', 'Variables'], rows)
}

function tags(given: unknown): string {
  const lines = listOf(given)
    .filter(isRecord)
    .filter(({ description }) => textOf(description) !== '')
    .map(({ name, description }) => `- **${textOf(name)}**: ${textOf(description).replace(/\s+/g, ' ')}`)
  return lines.join('\n')
}

function list(documents: ApiDocument[], kind: 'operation' | 'webhook'): string {
  const own = documents.filter(({ subject }) => subject?.kind === kind)
  return own.map(({ subject, title }) => `- \`${subject?.name ?? ''}\`: ${withoutCall(title)}`).join('\n')
}

/** Returns the operation's summary without the call, which the line already starts with. */
function withoutCall(title: string): string {
  return title.replace(/: (?:[A-Z]+ \/\S*|\S+ webhook)$/, '')
}

function contact(info: Record<string, unknown>): string {
  const { name, url, email } = recordOf(info['contact'])
  const license = recordOf(info['license'])
  const lines = [
    ['Contact', [name, url, email].map(textOf).filter(Boolean).join(', ')],
    ['Licence', [license['name'], license['url']].map(textOf).filter(Boolean).join(', ')],
    ['Terms of service', textOf(info['termsOfService'])],
  ]
  return lines.flatMap(([label, value]) => (value ? [`- ${label}: ${value}`] : [])).join('\n')
}
