import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type Function as FunctionNode, parseSync } from 'oxc-parser'

/** A file with one change, and what the change is. */
export type Mutant = {
  /** Such as `WEIGHTS.fusion.chunk = 0` or `yesNoVerb gives null`. */
  name: string
  /** Path below `server/src`. */
  file: string
  source: string
}

type Program = ReturnType<typeof parseSync>['program']
type Statement = Program['body'][number]
type Span = { start: number; end: number }

const SERVER = join(import.meta.dirname, '../../../server/src')

/** Absolute path of a mutant's file. */
export function pathOf({ file }: Pick<Mutant, 'file'>): string {
  return join(SERVER, file)
}

/** A mutant without a change. */
export function unchangedFile(file: string): Mutant {
  return { name: 'no change', file, source: readFileSync(join(SERVER, file), 'utf8') }
}

/** A mutant for each number: `path` leads to it in the object that the file exports as `name`. */
export function numberMutants(
  file: string,
  name: string,
  numbers: readonly { path: string; value: number }[],
): Mutant[] {
  const text = readFileSync(join(SERVER, file), 'utf8')
  const object = objectNamed(parse(file, text), name)
  return numbers.map(({ path, value }) => ({
    name: `${name}.${path} = ${value}`,
    file,
    source: replaced(text, spanAt(object, path.split('.')), String(value)),
  }))
}

/**
 * A mutant for each special case in the files of a folder: functions of a module that give null, no, or their own input
 * for everything that is not special.
 */
export function specialCaseMutants(folder: string): Mutant[] {
  return globSync('**/*.ts', { cwd: join(SERVER, folder) })
    .filter((path) => !path.endsWith('.test.ts'))
    .toSorted()
    .flatMap((path) => specialCasesOf(relative(SERVER, join(SERVER, folder, path))))
}

function specialCasesOf(file: string): Mutant[] {
  const text = readFileSync(join(SERVER, file), 'utf8')
  return parse(file, text).body.flatMap((statement) => {
    const declared = declarationOf(statement)
    if (declared?.type !== 'FunctionDeclaration' || !declared.body || declared.async || declared.generator) return []
    const given = usualResult(text, declared)
    if (given === null) return []
    const from = declared.body.start + 1
    return [
      {
        name: `${declared.id?.name} gives ${given}`,
        file,
        source: `${text.slice(0, from)} return ${given};${text.slice(from)}`,
      },
    ]
  })
}

/** What a function gives if nothing is special. Null for a function that has no such result. */
function usualResult(text: string, { returnType, params }: FunctionNode): string | null {
  const type = returnType?.typeAnnotation
  if (!type) return null
  if (type.type === 'TSBooleanKeyword' || type.type === 'TSTypePredicate') return 'false'
  if (type.type === 'TSUnionType' && type.types.some((one) => one.type === 'TSNullKeyword')) return 'null'
  const written = typeText(text, type)
  const same = params.find(
    (param) =>
      param.type === 'Identifier' &&
      param.typeAnnotation &&
      typeText(text, param.typeAnnotation.typeAnnotation) === written,
  )
  const isPlain = written === 'string' || written === 'number'
  return same?.type === 'Identifier' && !isPlain ? same.name : null
}

/** A list is the same whether it may be changed or not. */
function typeText(text: string, { start, end }: Span): string {
  return text.slice(start, end).replace(/^readonly /, '')
}

function parse(file: string, text: string): Program {
  const { program, errors } = parseSync(file, text)
  if (errors[0]) throw new Error(`${file} cannot be parsed: ${errors[0].message}`)
  return program
}

function declarationOf(statement: Statement) {
  return statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
}

function objectNamed({ body }: Program, name: string): unknown {
  for (const statement of body) {
    const declared = declarationOf(statement)
    if (declared?.type !== 'VariableDeclaration') continue
    const found = declared.declarations.find(({ id }) => id.type === 'Identifier' && id.name === name)
    if (found?.init) return found.init.type === 'TSAsExpression' ? found.init.expression : found.init
  }
  throw new RangeError(`The file has no ${name}.`)
}

/** Where the number at the end of a path of members is written. */
function spanAt(node: unknown, [name, ...rest]: readonly string[]): Span {
  if (name === undefined) return node as Span
  const { properties = [] } = node as { properties?: { key: { name?: string }; value: unknown }[] }
  const property = properties.find(({ key }) => key.name === name)
  if (!property) throw new RangeError(`There is no number ${name}.`)
  return spanAt(property.value, rest)
}

function replaced(text: string, { start, end }: Span, by: string): string {
  return text.slice(0, start) + by + text.slice(end)
}
