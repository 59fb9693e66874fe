import { cellText, embedText, fenced, joinParts, section, writeTable } from '../markdown/write-markdown.ts'
import { type ApiDescription, type ApiDocument, describeApi } from './api-document.ts'
import { writeExample } from './describe-schema.ts'
import { isRecord, listOf, type Loose, recordOf, textOf, textsOf } from './parse-data.ts'
import { type SampleRequest, writeCurl } from './sample-value.ts'

/** Deeper folders are a mistake. */
const MAX_DEPTH = 20
const MAX_ANSWERS = 5

type Request = { name: string; folders: string[]; item: Loose; request: Loose }

/** Converts a Postman collection (format 2.0 and 2.1) to an overview and one document per request. */
export function readPostman(collection: Loose): ApiDescription {
  const info = recordOf(collection['info'])
  const title = textOf(info['name']) || 'API'
  const requests = listRequests(listOf(collection['item']), [])
  const names = new Map<string, number>()
  const documents = requests.map((request) => requestDocument(request, names))
  const markdown = joinParts([
    `# ${title}`,
    embedText(description(info), 1),
    section('Variables', pairs(collection['variable'], 'Variable')),
    section('Requests', documents.map((each) => `- ${each.title}`).join('\n')),
  ])
  return describeApi('Postman collection', { title, markdown }, documents)
}

function listRequests(items: unknown[], folders: string[]): Request[] {
  if (folders.length > MAX_DEPTH) return []
  return items.filter(isRecord).flatMap((item): Request[] => {
    const name = textOf(item['name'])
    if (Array.isArray(item['item'])) return listRequests(item['item'], [...folders, name])
    // A request without settings is a plain URL.
    const request = typeof item['request'] === 'string' ? { url: item['request'] } : item['request']
    return isRecord(request) ? [{ name, folders, item, request }] : []
  })
}

function requestDocument({ name, folders, item, request }: Request, names: Map<string, number>): ApiDocument {
  const method = textOf(request['method']).toUpperCase() || 'GET'
  const { url: given } = request
  const { raw, query, variable } = recordOf(given)
  const url = textOf(raw ?? given)
  const path = url.replace(/^(?:https?:\/\/[^/]+|\{\{[^{}]+\}\})/i, '').split('?', 1)[0] || '/'
  const call = `${method} ${path}`
  const title = name === '' ? call : `${name}: ${call}`
  const markdown = joinParts([
    `# ${title}`,
    `\`${method} ${url}\``,
    folders.length === 0 ? '' : `In ${folders.join(' / ')}.`,
    embedText(description(request) || description(item), 1),
    section('Parameters', pairs([...listOf(query), ...listOf(variable)], 'Name')),
    section('Headers', pairs(request['header'], 'Header')),
    section('Request body', bodyText(recordOf(request['body']))),
    section('Responses', joinParts(listOf(item['response']).slice(0, MAX_ANSWERS).map(answer))),
    section('Sample request', fenced(writeCurl(sampleOf(method, url, request)), 'sh')),
  ])
  return {
    subject: { kind: 'operation', name: numbered(`${[...folders, name].join('/')} ${call}`, names) },
    title,
    markdown,
    pointer: null,
  }
}

/** Numbers repeated names: collections can contain the same request twice. */
function numbered(name: string, names: Map<string, number>): string {
  const count = (names.get(name) ?? 0) + 1
  names.set(name, count)
  return count === 1 ? name : `${name} (${count})`
}

function description(holder: Loose): string {
  const given = holder['description']
  return isRecord(given) ? textOf(given['content']) : textOf(given)
}

function pairs(given: unknown, head: string): string {
  const rows = enabled(given).map((each) => {
    const value = cellText(textOf(each['value']))
    return [`\`${textOf(each['key']) || textOf(each['id'])}\``, value && `\`${value}\``, cellText(description(each))]
  })
  return writeTable([head, 'Value', 'Description'], rows)
}

function bodyText(body: Loose): string {
  const mode = textOf(body['mode'])
  if (mode === 'raw') return writeExample(textOf(body['raw']) || undefined)
  if (mode === 'graphql') {
    const { query, variables } = recordOf(body['graphql'])
    return joinParts([fenced(textOf(query), 'graphql'), writeExample(textOf(variables) || undefined)])
  }
  return pairs(body[mode], 'Field')
}

function answer(given: unknown): string {
  const { name, code, status, body } = recordOf(given)
  const label = [textsOf([code, status]).join(' '), textOf(name)].filter(Boolean).join(': ')
  return joinParts([`### ${label || 'Response'}`, writeExample(textOf(body) || undefined)])
}

function enabled(given: unknown): Loose[] {
  return listOf(given)
    .filter(isRecord)
    .filter(({ disabled }) => disabled !== true)
}

function sampleOf(method: string, url: string, request: Loose): SampleRequest {
  const pair = ({ key, value }: Loose): [string, string] => [textOf(key), textOf(value)]
  const headers = enabled(request['header']).map(pair)
  const { raw, formdata } = recordOf(request['body'])
  const text = textOf(raw)
  const fields = listOf(formdata).filter(isRecord).map(pair)
  return { method, url, headers, body: text === '' ? fields : text }
}
