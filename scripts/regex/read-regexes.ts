import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'

/** A regular expression of the source code. `source` is null if it cannot be resolved statically. */
export type FoundRegex = { file: string; line: number; source: string | null; flags: string }

/**
 * Folders whose code reads untrusted text. Tests and benchmarks read their own texts, and this check takes expressions
 * apart.
 */
const FOLDERS = '{server/src,contract,cli,sdk,scripts}/**/*.{ts,mjs}'

/** Placeholder for values known only at run time, such as a requested name. */
const UNKNOWN = 'x'

type Node = { type: string; start: number; [key: string]: unknown }

/** All regular expressions of the source folders below `root`: literals and calls of `RegExp`. */
export function readRegexes(root: string): FoundRegex[] {
  const files = globSync(FOLDERS, {
    cwd: root,
    exclude: ['**/node_modules/**', '**/*.test.ts', '**/fixtures/**', 'scripts/regex/**'],
  })
  return files.toSorted().flatMap((file) => readRegexesOf(file, readFileSync(join(root, file), 'utf8')))
}

/** The regular expressions of one file. */
export function readRegexesOf(file: string, code: string): FoundRegex[] {
  const nodes = nodesOf(parseSync(file, code).program)
  const constants = new Map(
    nodes
      .filter(({ type, id }) => type === 'VariableDeclarator' && (id as Node).type === 'Identifier')
      .map((declared) => [(declared['id'] as { name: string }).name, declared['init'] as Node | null]),
  )
  return nodes.flatMap((node): FoundRegex[] => {
    const literal = regexOf(node)
    if (!literal && !isRegExpCall(node)) return []
    const line = code.slice(0, node.start).split('\n').length
    if (literal) return [{ file, line, source: literal.pattern, flags: literal.flags }]
    const [pattern, flags] = node['arguments'] as Node[]
    const source = pattern && !regexOf(pattern) ? textOf(pattern, constants) : UNKNOWN
    return [{ file, line, source, flags: (flags && textOf(flags, constants)) ?? '' }]
  })
}

function nodesOf(value: unknown, found: Node[] = []): Node[] {
  if (typeof value !== 'object' || value === null) return found
  if ('type' in value && 'start' in value) found.push(value as Node)
  for (const child of Object.values(value)) nodesOf(child, found)
  return found
}

function regexOf(node: Node): { pattern: string; flags: string } | null {
  return node.type === 'Literal' && node['regex'] ? (node['regex'] as { pattern: string; flags: string }) : null
}

function isRegExpCall({ type, callee }: Node): boolean {
  return (type === 'NewExpression' || type === 'CallExpression') && (callee as { name?: string }).name === 'RegExp'
}

type Constants = ReadonlyMap<string, Node | null>

/** The text of an expression, or null. Resolves constants of the same file. */
function textOf(node: Node, constants: Constants): string | null {
  const part = (inner: unknown) => textOf(inner as Node, constants) ?? UNKNOWN
  switch (node.type) {
    case 'Literal':
      return typeof node['value'] === 'string' ? node['value'] : null
    case 'Identifier': {
      const init = constants.get(node['name'] as string)
      return init ? textOf(init, constants) : null
    }
    case 'TemplateLiteral':
      return joined(node, 'cooked', part)
    case 'TaggedTemplateExpression':
      return joined(node['quasi'] as Node, 'raw', part)
    case 'BinaryExpression':
      return part(node['left']) + part(node['right'])
    case 'MemberExpression': {
      const { name } = node['object'] as { name?: string }
      const init = constants.get(name ?? '')
      if ((node['property'] as { name?: string }).name !== 'source' || !init) return null
      const [pattern] = isRegExpCall(init) ? (init['arguments'] as Node[]) : []
      return regexOf(init)?.pattern ?? (pattern ? textOf(pattern, constants) : null)
    }
    case 'CallExpression':
      return callOf(node, part)
    default:
      return null
  }
}

function joined(template: Node, form: 'raw' | 'cooked', part: (inner: unknown) => string): string {
  const { quasis, expressions } = template as unknown as {
    quasis: { value: { raw: string; cooked: string } }[]
    expressions: unknown[]
  }
  return quasis.map(({ value }, at) => value[form] + (at < expressions.length ? part(expressions[at]) : '')).join('')
}

/** Resolves `[…].join('|')` and `words.replaceAll(' ', …)`. */
function callOf(node: Node, part: (inner: unknown) => string): string | null {
  const { object, property } = node['callee'] as { object?: Node; property?: { name: string } }
  const given = node['arguments'] as Node[]
  if (object?.type === 'ArrayExpression' && property?.name === 'join') {
    return (object['elements'] as Node[]).map(part).join(given[0] ? part(given[0]) : ',')
  }
  if (object && property?.name === 'replaceAll' && given.length === 2) {
    return part(object).replaceAll(part(given[0]), part(given[1]))
  }
  return null
}
