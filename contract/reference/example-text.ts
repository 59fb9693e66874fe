import { examples } from './examples.ts'
import type { Operation } from '#operation.ts'
import { type OperationId, operations } from '#operations.ts'

/** The example of an operation as Markdown blocks: a command and its answer. */
export function exampleOf(id: OperationId): string[] {
  const { input, output, note } = examples[id]
  return [
    fence('sh', commandOf(operations[id], input)),
    ...(note === undefined ? [] : [note]),
    answerOf(operations[id], output),
  ]
}

/** A curl command for a shell with `DOCENT_URL` and `DOCENT_API_KEY`, or `CLIENT_SECRET`. */
function commandOf(operation: Operation, input: object): string {
  const { method, auth, consumes, produces } = operation
  const rest: Record<string, unknown> = { ...input }
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const { [name]: value } = rest
    delete rest[name]
    return encodeURIComponent(String(value))
  })
  const isInQuery = method === 'GET' || consumes !== undefined
  const query = isInQuery ? new URLSearchParams(rest as Record<string, string>).toString() : ''
  const hasBody = !isInQuery && Object.keys(rest).length > 0
  const isPost = method === 'POST' && (hasBody || consumes !== undefined)
  const flags = [
    ...(produces === undefined || produces === 'table' ? [] : ['-N']),
    ...(method === 'GET' || isPost ? [] : [`-X ${method}`]),
  ]
  return [
    ['curl', ...flags, `"$DOCENT_URL${path}${query && `?${query}`}"`].join(' '),
    ...(auth === 'none' ? [] : [`-H "Authorization: Bearer $${SECRETS[auth]}"`]),
    ...(hasBody ? [`-d '${JSON.stringify(rest)}'`] : []),
    ...(consumes ? ['--data-binary @handbook.zip'] : []),
  ].join(' \\\n  ')
}

/** Shell variables of the credentials. */
const SECRETS = {
  key: 'DOCENT_API_KEY',
  account: 'DOCENT_API_KEY',
  person: 'DOCENT_API_KEY',
  operator: 'DOCENT_API_KEY',
  developer: 'CLIENT_SECRET',
  client: 'CLIENT_SECRET',
} as const

function answerOf({ produces }: Operation, output: unknown): string {
  const items = Array.isArray(output) ? output : []
  switch (produces) {
    case 'application/x-ndjson':
      return fence('json', items.map((item) => JSON.stringify(item)).join('\n'))
    case 'text/event-stream':
      return fence('text', items.map((item) => `event: ${item.type}\ndata: ${JSON.stringify(item)}`).join('\n\n'))
    default:
      return fence('json', JSON.stringify(output, null, 2))
  }
}

const fence = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``
