import { openApiDocument } from '@docent/contract/reference/openapi'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

type Content = Record<string, { schema: object }>
type Described = { responses: Record<string, { content?: Content }> }
type Paths = Record<string, Record<string, Described>>

// Most checks see few answers: optimizing their code would take longer than running it.
const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } })
addFormats.default(ajv)
const { paths } = openApiDocument() as { paths: Paths }
// Fixed segments first, as in the service's router: `/api/mcp/list` is not a server called "list".
const templates = Object.keys(paths).toSorted((a, b) => Number(a.includes('{')) - Number(b.includes('{')))
const patterns = templates.map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`) }))
/** By schema: many operations share those of their errors. */
const compiled = new Map<string, ValidateFunction>()
const checks = new Map<string, ValidateFunction>()

/** Differences between a management answer and the OpenAPI document; an empty list if it conforms. */
export function checkAnswer(
  method: string,
  path: string,
  { status, type, body }: { status: number; type: string; body: unknown },
): string[] {
  const template = templateOf(path)
  const described = template && paths[template]?.[method.toLowerCase()]
  // Unknown methods and paths are not in the document and have a fixed answer.
  if (!described || status === 405) return []
  const where = `${method} ${template} ${status}`
  const response = described.responses[String(status)]
  if (!response) return [`${where} is not described: ${JSON.stringify(body)}`]
  if (!response.content) return body === undefined ? [] : [`${where} is described without a body`]
  const kind = type.split(';')[0] ?? ''
  const content = response.content[kind]
  if (!content) return [`${where} is not described as ${kind}`]
  const check = checks.get(`${where} ${kind}`) ?? checkOf(content.schema)
  checks.set(`${where} ${kind}`, check)
  if (check(body)) return []
  return [`${where}: ${ajv.errorsText(check.errors)} in ${JSON.stringify(body).slice(0, 500)}`]
}

function checkOf(schema: object): ValidateFunction {
  const text = JSON.stringify(schema)
  const check = compiled.get(text) ?? ajv.compile(schema)
  compiled.set(text, check)
  return check
}

/** Path template of the document for an address, with `{id}` in place of an id. */
export function templateOf(path: string): string | undefined {
  const [plain = ''] = path.split('?')
  return patterns.find(({ pattern }) => pattern.test(plain))?.path
}
