type Schema = {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  not?: Schema
  items?: Schema
  prefixItems?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  description?: string
}

/** The TypeScript type of a JSON schema, with descriptions as comments. Throws for unsupported schemas. */
export function typeText(schema: Schema, indent = ''): string {
  if (schema.$ref !== undefined) throw new Error(`The schema refers to ${schema.$ref}.`)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return unionOf(choices.map((choice) => typeText(choice, indent)))
  if (schema.allOf) return schema.allOf.map((part) => `(${typeText(part, indent)})`).join(' & ')
  if (schema.not) return 'never'
  if (schema.type === undefined) return 'unknown'
  return unionOf([schema.type].flat().map((type) => simpleType(type, schema, indent)))
}

const unionOf = (types: readonly string[]): string => [...new Set(types)].join(' | ')

function simpleType(type: string, schema: Schema, indent: string): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type
    case 'number':
    case 'integer':
      return 'number'
    case 'array':
      if (schema.prefixItems) return `[${schema.prefixItems.map((item) => typeText(item, indent)).join(', ')}]`
      return `Array<${typeText(schema.items ?? {}, indent)}>`
    case 'object':
      return objectType(schema, indent)
    default:
      throw new Error(`The schema has the type ${type}.`)
  }
}

function objectType({ properties = {}, required = [], additionalProperties }: Schema, indent: string): string {
  const members = Object.entries(properties)
  if (members.length === 0) {
    const values = typeof additionalProperties === 'object' ? typeText(additionalProperties, indent) : null
    return values === null ? 'Record<string, never>' : `Record<string, ${values}>`
  }
  const inner = `${indent}  `
  const lines = members.map(([name, member]) => {
    const isNeeded = required.includes(name)
    const type = typeText(member, inner)
    const comment = member.description ? `${inner}/** ${member.description.replaceAll('*/', '* /')} */\n` : ''
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)
    return `${comment}${inner}${key}${isNeeded ? '' : '?'}: ${isNeeded ? type : `${type} | undefined`}\n`
  })
  return `{\n${lines.join('')}${indent}}`
}
