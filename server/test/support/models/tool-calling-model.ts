import type { ServerResponse } from 'node:http'
import { type Asked, startLanguageModel } from './language-model.ts'

type Call = { name: string; args: object }

/**
 * A model on loopback that calls one tool and then answers. It speaks the chat completions of OpenAI, the messages of
 * Anthropic and the content generation of Google, streamed or not.
 */
export async function startToolCallingModel(call: Call) {
  return await startLanguageModel(
    (response, asked) => reply(response, asked, { ...call, name: offeredName(asked.body, call.name) }),
    (response, asked) => reply(response, asked, null),
  )
}

/**
 * The tool result that a request carries, without the wrapping of client and protocol. Throws if it contains anything
 * but text.
 */
export function textsInResult(body: any): string[] {
  if (body.contents) {
    const parts = body.contents.flatMap((content: any) => content.parts ?? [])
    return parts
      .filter((part: any) => part.functionResponse)
      .flatMap((part: any) => texts(part.functionResponse.response))
  }
  const results = body.messages.flatMap((message: any) =>
    message.role === 'tool'
      ? [message.content]
      : message.role === 'user' && Array.isArray(message.content)
        ? message.content.filter((part: any) => part.type === 'tool_result').map((part: any) => part.content)
        : [],
  )
  return results.flatMap(texts)
}

/** Members that a text, or the list of texts, can have in the formats of the clients. */
const TEXT_MEMBERS = ['type', 'text', 'content', 'error', 'isError', 'annotations']

function texts(value: unknown): string[] {
  if (typeof value === 'string') {
    // Some clients send the list of texts as JSON.
    return /^(?:\[\{|\{)"/.test(value) ? texts(JSON.parse(value)) : [value]
  }
  if (Array.isArray(value)) return value.flatMap(texts)
  if (typeof value !== 'object' || value === null) throw new Error(`This is no text: ${JSON.stringify(value)}`)
  const other = Object.keys(value).filter((member) => !TEXT_MEMBERS.includes(member))
  if (other.length > 0) throw new Error(`Besides text, the result has ${other.join(', ')}: ${JSON.stringify(value)}`)
  const { text, content, error } = value as { text?: unknown; content?: unknown; error?: unknown }
  return texts(text ?? content ?? error)
}

/** Clients may add a prefix to the names of tools. */
function offeredName(body: any, name: string): string {
  const tools = (body.tools ?? []).flatMap((tool: any) => tool.functionDeclarations ?? [tool.function ?? tool])
  const found = tools.find((tool: any) => tool.name.endsWith(name))
  if (!found) throw new Error(`The client offers no ${name}, only ${tools.map((tool: any) => tool.name).join(', ')}`)
  return found.name
}

function reply(response: ServerResponse, { path, body }: Asked, call: Call | null): void {
  if (path.endsWith('/messages') || path.includes('/messages?')) return json(response, message(call))
  if (path.includes(':generateContent')) return json(response, content(call))
  if (body.stream) return stream(response, chunks(call))
  json(response, completion(call))
}

const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
/** Ax reads an answer's field from its name. Others take it for text. */
const ANSWER = 'Answer: Done.'

function completion(call: Call | null) {
  const message = call ? { role: 'assistant', content: null, tool_calls: [toolCall(call)] } : spoken()
  const choices = [{ index: 0, message, finish_reason: call ? 'tool_calls' : 'stop' }]
  return { id: 'c', object: 'chat.completion', created: 1, model: 'm', choices, usage: USAGE }
}

function chunks(call: Call | null): object[] {
  const delta = call ? { role: 'assistant', tool_calls: [{ index: 0, ...toolCall(call) }] } : spoken()
  const chunk = (choice: object) => ({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, ...choice }],
  })
  return [chunk({ delta, finish_reason: null }), chunk({ delta: {}, finish_reason: call ? 'tool_calls' : 'stop' })]
}

function spoken() {
  return { role: 'assistant', content: ANSWER }
}

function toolCall({ name, args }: Call) {
  return { id: 'call_1', type: 'function', function: { name, arguments: JSON.stringify(args) } }
}

function message(call: Call | null) {
  const block = call
    ? { type: 'tool_use', id: 'toolu_1', name: call.name, input: call.args }
    : { type: 'text', text: ANSWER }
  const usage = { input_tokens: 1, output_tokens: 1 }
  const stop = { stop_reason: call ? 'tool_use' : 'end_turn', stop_sequence: null }
  return { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [block], ...stop, usage }
}

function content(call: Call | null) {
  const part = call ? { functionCall: call } : { text: ANSWER }
  return { candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }] }
}

function json(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function stream(response: ServerResponse, events: object[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of events) response.write(`data: ${JSON.stringify(event)}\n\n`)
  response.end('data: [DONE]\n\n')
}
