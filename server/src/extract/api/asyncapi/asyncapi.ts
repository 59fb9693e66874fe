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
import { isRecord, type Loose, recordOf, textOf, listOf } from '../loose-json.ts'
import { createReferences, escapePointer, type References } from '../references.ts'
import { schemaDocument } from '../schema-document.ts'
import { writeTable } from '../write-table.ts'
import { operationsOfVersion2, operationsOfVersion3, type ChannelOperation, type Message } from './operations.ts'
import { describeContent, fieldTable, writeExample } from '../describe-schema.ts'
import { sampleValue } from '../sample-value.ts'
import { splitSummary } from '../split-summary.ts'

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

/** Documents one operation of a channel, with its messages. */
function channelDocument(references: References, given: ChannelOperation): ApiDocument {
  const { action, name, address, channel, operation, messages, pointer } = given
  const { headline, text } = splitSummary(textOf(operation['summary']) || textOf(operation['title']))
  const call = `${action} ${address}`
  const title = headline === '' ? call : `${headline}: ${call}`
  const id = textOf(operation['operationId']) || (name === call ? '' : name)
  const markdown = joinParts([
    `# ${title}`,
    `Channel \`${address}\`, action \`${action}\`.${id === '' ? '' : ` Operation: \`${id}\`.`}`,
    embedText(text, 1),
    embedText(textOf(operation['description']), 1),
    embedText(textOf(channel['description']), 1),
    section('Parameters', parameters(references, channel)),
    section('Messages', joinParts(messages.map((message) => describeMessage(references, message)))),
  ])
  return { subject: { kind: 'operation', name }, title, markdown, pointer }
}

function parameters(references: References, channel: Loose): string {
  const rows = Object.entries(recordOf(channel['parameters'])).map(([name, each]) => {
    const facts = recordOf(references.resolve(each).value)
    return [`\`${name}\``, textOf(facts['description']), listOf(facts['enum']).map(textOf).join(', ')]
  })
  return writeTable(['Name', 'Description', 'Values'], rows)
}

function describeMessage(references: References, { name, facts }: Message): string {
  const { schema = facts['payload'] } = recordOf(facts['payload'])
  const [example] = listOf(facts['examples']).map((each) => recordOf(each)['payload'])
  const headers = fieldTable(references, facts['headers'])
  return joinParts([
    `### ${name || 'Message'}`,
    textOf(facts['summary']),
    embedText(textOf(facts['description']), 3),
    headers === '' ? '' : joinParts(['Headers:', headers]),
    describeContent(references, textOf(facts['contentType']), schema),
    writeExample(example ?? sampleValue(references, schema)),
  ])
}
