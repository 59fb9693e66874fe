const JSON_KEY = /"(openapi|swagger|asyncapi)"\s*:\s*"?\d/
const YAML_KEY = /^["']?(openapi|swagger|asyncapi)["']?\s*:\s*["']?\d/m
const POSTMAN = /"_postman_id"\s*:|schema\.(?:get)?postman\.com\/json\/collection/
const INTROSPECTION = /"__schema"\s*:\s*\{/
const SCHEMA = /^(?:extend\s+)?schema\s*\{/m
/** Declarations with an opening brace further on: `schema @link(…) {`, `type Query implements Node {`. */
const DECLARED = /^(?:extend\s+)?(?:schema\s*@|type\s+(?:Query|Mutation)\b)/m

const NAMES: Record<string, string> = { openapi: 'OpenAPI', swagger: 'Swagger', asyncapi: 'AsyncAPI' }

/** Detects the format of an API description from the beginning of its text. Returns null for other text. */
export function apiFormat(start: string): string | null {
  const isJson = /^\uFEFF?\s*\{/.test(start)
  const key = (isJson ? JSON_KEY : YAML_KEY).exec(start)?.[1]
  if (key !== undefined) return NAMES[key] ?? null
  if (isJson && POSTMAN.test(start)) return 'Postman'
  if (isJson ? INTROSPECTION.test(start) : isSdl(start)) return 'GraphQL'
  return null
}

function isSdl(start: string): boolean {
  if (SCHEMA.test(start)) return true
  const declared = DECLARED.exec(start)
  return declared !== null && start.includes('{', declared.index + declared[0].length)
}
