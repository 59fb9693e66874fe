import { declaredName } from '../model/declared-name.ts'
import { type Parameter, parameter } from './read-parameters.ts'

/** Parts of a signature: parameter names and types, and the return type. */
export type SignatureParts = { parameters: Parameter[]; returns: string | null }

const MODIFIERS =
  /^(?:(?:\[[\w, ]+\]|pub|public|protected|private|static|final|abstract|default|virtual|inline|constexpr|explicit|const fn|template ?<.*>)\s+)+/

/**
 * Parses a C-like signature (`QString &QString::append(const QString &str)`), or one with types after the names (`fn
 * drain<R>(&mut self, range: R) -> Drain<R>`). Null for anything else.
 */
export function readSignature(signature: string): SignatureParts | null {
  const line = signature.replaceAll(/\s+/g, ' ').trim()
  const open = line.indexOf('(', line.includes('operator()') ? line.indexOf('operator()') + 10 : 0)
  const close = closing(line, open)
  if (open < 0 || close < 0) return null
  const parameters = splitArguments(line.slice(open + 1, close)).flatMap(parameterOf)
  const arrow = /^\s*->\s*(\S.*)$/.exec(line.slice(close + 1))?.[1]?.split(/ where\b/, 1)[0]
  return { parameters, returns: arrow ?? typeBefore(line, open) }
}

/** Return type before a qualified name, without modifiers. */
function typeBefore(line: string, open: number): string | null {
  const name = declaredName(line)
  if (name === null || !name.includes('::')) return null
  const before = line.slice(0, line.lastIndexOf(name, open)).replace(MODIFIERS, '').trim()
  return before === '' || before === 'void' ? null : before
}

function parameterOf(text: string): Parameter[] {
  const [declared = '', fallback] = text.split(/(?<!\s)\s*=\s*/, 2)
  const plain = declared.trim()
  if (plain === '' || plain === 'void' || /(?:^|\W)self$/.test(plain) || /^[*/.…]+$/.test(plain)) return []
  const typed = /^([\w$*]+\??)\s*:(?!:)\s*(\S.*)$/.exec(plain)
  const spoken = /^(.*?[\s*&>])([\w$]+)(\[\w*\])?$/.exec(plain)
  const name = typed?.[1] ?? spoken?.[2] ?? plain
  const type = typed?.[2] ?? spoken?.[1]?.trim() ?? null
  const isOptional = fallback !== undefined || name.endsWith('?')
  return [parameter(name.replace(/\?$/, ''), { type, required: isOptional ? false : null })]
}

/** Splits at commas outside brackets. */
function splitArguments(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (const [at, sign] of [...text].entries()) {
    if ('([{<'.includes(sign)) depth++
    else if (')]}'.includes(sign) || (sign === '>' && text[at - 1] !== '-')) depth--
    else if (sign === ',' && depth === 0) {
      parts.push(text.slice(from, at))
      from = at + 1
    }
  }
  return [...parts, text.slice(from)]
}

function closing(text: string, open: number): number {
  let depth = 0
  for (let at = open; at >= 0 && at < text.length; at++) {
    if (text[at] === '(') depth++
    else if (text[at] === ')' && --depth === 0) return at
  }
  return -1
}
