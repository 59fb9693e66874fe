import {
  type ApiDescription,
  type ApiDocument,
  type ApiProblem,
  invalid,
  joinParts,
  type NoDescription,
  rejectDescription,
  section,
} from '../api-document.ts'
import { embedText } from '../embed-text.ts'
import { isRecord, type Loose, recordOf, textOf } from '../loose-json.ts'
import { createReferences, escapePointer } from '../references.ts'
import { schemaDocument } from '../schema-document.ts'
import { writeTable } from '../write-table.ts'
import { channelDocument } from './channel-document.ts'
import { operationsOfVersion2, operationsOfVersion3 } from './operations.ts'

/** Converts an AsyncAPI description (2.x and 3.x) to an overview and one document per operation and schema. */
export function readAsyncApi(root: Loose): ApiDescription | NoDescription {
  const version = textOf(root['asyncapi'])
  if (!/^[23]\./.test(version)) {
    return rejectDescription('unknown_version', `AsyncAPI ${version} is no version that can be read: 2 and 3 are.`)
  }
  const problems: ApiProblem[] = []
  const references = createReferences(root)
  const found = version.startsWith('2')
    ? operationsOfVersion2(root, references)
    : operationsOfVersion3(root, references)
  const operations = found.map((operation) => channelDocument(references, operation))
  const schemas = Object.entries(recordOf(recordOf(root['components'])['schemas'])).map(([name, schema]) =>
    schemaDocument(references, name, schema, `/components/schemas/${escapePointer(name)}`),
  )
  if (operations.length === 0) problems.push(invalid('#/channels', 'The description has no operations.'))
  const overview = overviewOf(root, version, operations)
  return {
    kind: 'description',
    format: `AsyncAPI ${version}`,
    title: overview.title,
    documents: [overview, ...operations, ...schemas],
    problems: [...problems, ...references.problems()],
  }
}

function overviewOf(root: Loose, version: string, operations: ApiDocument[]): ApiDocument {
  const info = recordOf(root['info'])
  const title = textOf(info['title']) || 'API'
  const servers = Object.entries(recordOf(root['servers'])).map(([name, each]) => {
    const { url, host, pathname, protocol, description } = recordOf(each)
    return [name, `\`${textOf(url) || textOf(host) + textOf(pathname)}\``, textOf(protocol), textOf(description)]
  })
  const schemes = Object.entries(recordOf(recordOf(root['components'])['securitySchemes'])).map(([name, each]) => {
    const { type, description } = isRecord(each) ? each : {}
    return [`\`${name}\``, textOf(type), textOf(description)]
  })
  const markdown = joinParts([
    `# ${title}`,
    `Version ${textOf(info['version']) || 'unknown'}, AsyncAPI ${version}.`,
    embedText(textOf(info['description']), 1),
    section('Servers', writeTable(['Server', 'URL', 'Protocol', 'Description'], servers)),
    section('Authentication', writeTable(['Scheme', 'Type', 'Description'], schemes)),
    section('Operations', operations.map(({ title: each }) => `- ${each}`).join('\n')),
  ])
  return { subject: null, title, markdown, pointer: null }
}
