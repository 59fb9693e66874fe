import { isRecord, listOf, type Loose, recordOf, textOf } from '../loose-json.ts'
import { escapePointer, type References } from '../references.ts'

/** An operation on a channel, in the same form for both versions. */
export type ChannelOperation = {
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

export type Message = { name: string; facts: Loose }

/** Lists operations of AsyncAPI 2, where channels contain their operations. */
export function operationsOfVersion2(root: Loose, references: References): ChannelOperation[] {
  return Object.entries(recordOf(root['channels'])).flatMap(([address, each]) => {
    const channel = recordOf(references.resolve(each).value)
    return ['publish', 'subscribe'].flatMap((action) => {
      const operation = channel[action]
      if (!isRecord(operation)) return []
      const { value } = references.resolve(operation['message'])
      const variants = isRecord(value) && Array.isArray(value['oneOf']) ? value['oneOf'] : [operation['message']]
      const messages = variants.map((message) => messageOf(references, message))
      const pointer = `/channels/${escapePointer(address)}/${action}`
      return [{ action, name: `${action} ${address}`, address, channel, operation, messages, pointer }]
    })
  })
}

/**
 * Lists operations of AsyncAPI 3, where operations refer to their channel. A channel without operations becomes one.
 */
export function operationsOfVersion3(root: Loose, references: References): ChannelOperation[] {
  const used = new Set<string>()
  const found = Object.entries(recordOf(root['operations'])).flatMap(([name, each]): ChannelOperation[] => {
    const { value } = references.resolve(each)
    if (!isRecord(value)) return []
    const resolved = references.resolve(value['channel'])
    const channel = recordOf(resolved.value)
    if (resolved.name !== null) used.add(resolved.name)
    const given = listOf(value['messages'])
    const messages = given.length > 0 ? given : messagesOf(channel)
    return [
      {
        action: textOf(value['action']) || 'use',
        name,
        address: textOf(channel['address']) || (resolved.name ?? ''),
        channel,
        operation: value,
        messages: messages.map((message) => messageOf(references, message)),
        pointer: `/operations/${escapePointer(name)}`,
      },
    ]
  })
  const alone = Object.entries(recordOf(root['channels'])).flatMap(([name, each]): ChannelOperation[] => {
    const { value } = references.resolve(each)
    if (used.has(name) || !isRecord(value)) return []
    const messages = messagesOf(value).map((message) => messageOf(references, message))
    const address = textOf(value['address']) || name
    const pointer = `/channels/${escapePointer(name)}`
    return [{ action: 'channel', name: `channel ${name}`, address, channel: value, operation: {}, messages, pointer }]
  })
  return [...found, ...alone]
}

function messagesOf(channel: Loose): unknown[] {
  return Object.entries(recordOf(channel['messages'])).map(([name, message]) =>
    isRecord(message) && !('$ref' in message) && !('name' in message) ? { name, ...message } : message,
  )
}

function messageOf(references: References, given: unknown): Message {
  const { value, name } = references.resolve(given)
  const facts = recordOf(value)
  return { name: textOf(facts['name']) || (name ?? textOf(facts['title'])), facts }
}
