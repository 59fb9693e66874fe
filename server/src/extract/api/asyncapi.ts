import { embedText, joinParts, section, writeTable } from '../markdown/write-markdown.ts'
import {
  type ApiDescription,
  type ApiDocument,
  describeApi,
  invalid,
  type NoDescription,
  rejectDescription,
  splitSummary,
} from './api-document.ts'
import { isRecord, type Loose, recordOf, textOf, listOf } from './parse-data.ts'
import { createReferences, escapePointer, type References } from './references.ts'
import { schemaDocuments, describeContent, fieldTable, writeExample } from './describe-schema.ts'
import { sampleValue } from './sample-value.ts'

/** Converts an AsyncAPI description (2.x and 3.x) to an overview and one document per operation and schema. */
export function readAsyncApi(root: Loose): ApiDescription | NoDescription {
  const version = textOf(root['asyncapi'])
  if (!/^[23]\./.test(version)) {
    return rejectDescription('unknown_version', `AsyncAPI ${version} is no version that can be read: 2 and 3 are.`)
  }
  const references = createReferences(root)
  const listOperations = version.startsWith('2') ? operationsOfVersion2 : operationsOfVersion3
  const operations = listOperations(root, references).map((operation) => channelDocument(references, operation))
  const schemas = schemaDocuments(references, root, '/components/schemas')
  const problems = operations.length > 0 ? [] : [invalid('#/channels', 'The description has no operations.')]
  const format = `AsyncAPI ${version}`
  const overview = overviewOf(root, format, operations)
  return describeApi(format, overview, [...operations, ...schemas], [...problems, ...references.problems()])
}

function overviewOf(root: Loose, format: string, operations: ApiDocument[]) {
  const info = recordOf(root['info'])
  const title = textOf(info['title']) || 'API'
  const servers = Object.entries(recordOf(root['servers'])).map(([name, each]) => {
    const { url, host, pathname, protocol, description } = recordOf(each)
    return [name, `\`${textOf(url) || textOf(host) + textOf(pathname)}\``, textOf(protocol), textOf(description)]
  })
  const schemes = Object.entries(recordOf(recordOf(root['components'])['securitySchemes'])).map(([name, each]) => {
    const { type, description } = recordOf(each)
    return [`\`${name}\``, textOf(type), textOf(description)]
  })
  const markdown = joinParts([
    `# ${title}`,
    `Version ${textOf(info['version']) || 'unknown'}, ${format}.`,
    embedText(textOf(info['description']), 1),
    section('Servers', writeTable(['Server', 'URL', 'Protocol', 'Description'], servers)),
    section('Authentication', writeTable(['Scheme', 'Type', 'Description'], schemes)),
    section('Operations', operations.map(({ title: each }) => `- ${each}`).join('\n')),
  ])
  return { title, markdown }
}

/** An operation on a channel, in the same form for both versions. */
type ChannelOperation = {
  /** Action in the description's terms: `publish` and `subscribe`, or `send` and `receive`. */
  action: string
  /** Unique within the description. */
  name: string
  address: string
  channel: Loose
  operation: Loose
  messages: Message[]
  pointer: string
}

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
    const facts = references.record(each)
    return [`\`${name}\``, textOf(facts['description']), listOf(facts['enum']).map(textOf).join(', ')]
  })
  return writeTable(['Name', 'Description', 'Values'], rows)
}

type Message = { name: string; facts: Loose }

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

function operationsOfVersion2(root: Loose, references: References): ChannelOperation[] {
  return Object.entries(recordOf(root['channels'])).flatMap(([address, each]) => {
    const channel = references.record(each)
    return ['publish', 'subscribe'].flatMap((action) => {
      const operation = channel[action]
      if (!isRecord(operation)) return []
      const { oneOf } = references.record(operation['message'])
      const variants = Array.isArray(oneOf) ? oneOf : [operation['message']]
      const messages = variants.map((message) => messageOf(references, message))
      const pointer = `/channels/${escapePointer(address)}/${action}`
      return [{ action, name: `${action} ${address}`, address, channel, operation, messages, pointer }]
    })
  })
}

/** Lists operations of AsyncAPI 3, which refer to channels. A channel without operations becomes one. */
function operationsOfVersion3(root: Loose, references: References): ChannelOperation[] {
  const used = new Set<string>()
  const found = Object.entries(recordOf(root['operations'])).flatMap(([name, each]) => {
    const { value: operation } = references.resolve(each)
    if (!isRecord(operation)) return []
    const resolved = references.resolve(operation['channel'])
    const channel = recordOf(resolved.value)
    if (resolved.name !== null) used.add(resolved.name)
    const action = textOf(operation['action']) || 'use'
    const address = textOf(channel['address']) || (resolved.name ?? '')
    const messages = messagesOf(references, channel, listOf(operation['messages']))
    return [{ action, name, address, channel, operation, messages, pointer: `/operations/${escapePointer(name)}` }]
  })
  const alone = Object.entries(recordOf(root['channels'])).flatMap(([key, each]) => {
    const { value: channel } = references.resolve(each)
    if (used.has(key) || !isRecord(channel)) return []
    const address = textOf(channel['address']) || key
    const place = { address, pointer: `/channels/${escapePointer(key)}` }
    return [
      {
        ...place,
        action: 'channel',
        name: `channel ${key}`,
        channel,
        operation: {},
        messages: messagesOf(references, channel),
      },
    ]
  })
  return [...found, ...alone]
}

function messagesOf(references: References, channel: Loose, given: readonly unknown[] = []): Message[] {
  const all = Object.entries(recordOf(channel['messages'])).map(([name, message]) =>
    isRecord(message) && !('$ref' in message) && !('name' in message) ? { name, ...message } : message,
  )
  return (given.length > 0 ? given : all).map((message) => messageOf(references, message))
}

function messageOf(references: References, given: unknown): Message {
  const { value, name } = references.resolve(given)
  const facts = recordOf(value)
  return { name: textOf(facts['name']) || (name ?? textOf(facts['title'])), facts }
}
