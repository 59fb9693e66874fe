import { type ApiDocument, joinParts, section } from '../api-document.ts'
import { describeContent, fieldTable, writeExample } from '../describe-schema.ts'
import { embedText } from '../embed-text.ts'
import { listOf, type Loose, recordOf, textOf } from '../loose-json.ts'
import type { References } from '../references.ts'
import { sampleValue } from '../sample-value.ts'
import { splitSummary } from '../split-summary.ts'
import { writeTable } from '../write-table.ts'
import type { ChannelOperation, Message } from './operations.ts'

/** Documents one operation of a channel, with its messages. */
export function channelDocument(references: References, given: ChannelOperation): ApiDocument {
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
