import { attribute, type HtmlNode } from './html-tree.ts'
import names from './names.json' with { type: 'json' }

/** Class names with a block's language, on the block and on its wrappers. */
const ON_WRAPPER = /(?:^|\s)(?:language|highlight-source|highlight|source)-([\w+#.-]+)/i
const ON_CODE =
  /(?:^|\s)(?:language|lang|highlight-source|highlight|brush|sourceCode|prettyprint lang)[-:]\s*([\w+#.-]+)/i

const NO_LANGUAGE: ReadonlySet<string> = new Set(names.noLanguages)

/** Languages used as bare class names (`hljs javascript`, `rust rust-example-rendered`). */
const LANGUAGES: ReadonlySet<string> = new Set(names.languages)

/** Maximum levels between a block and the wrapper with its language: the parts of a table with line numbers. */
const WRAPPERS = 8
const OUTSIDE = new Set(['main', 'article', 'body', 'section', 'li', 'dd', 'blockquote'])

/** Returns the lower-case language of a code block, or null. */
export function codeLanguage(block: HtmlNode): string | null {
  const first = block.tree[block.index + 1]
  // Some highlighters nest `pre` elements.
  const child = first?.tag === 'pre' ? block.tree[block.index + 2] : first
  const own = (child?.tag === 'code' ? named(child, ON_CODE) : null) ?? named(block, ON_CODE) ?? plainName(block)
  if (own !== null) return own
  if (/tsd-signature/.test(attribute(block, 'class'))) return 'ts'
  if (/(?:member|type)-signature/.test(attribute(block, 'class'))) return 'java'
  let wrapper = block.parent
  for (let level = 0; level < WRAPPERS && wrapper !== null && !OUTSIDE.has(wrapper.tag); level++) {
    const name = level === 0 ? plainName(wrapper) : null
    // Docusaurus puts the class `markdown` on the prose around a block.
    const language = named(wrapper, ON_WRAPPER) ?? (name === 'markdown' ? null : name)
    if (language !== null) return language
    wrapper = wrapper.parent
  }
  return null
}

const PLAIN =
  /(?:^|\s)(?:(?:language|lang|highlight|brush)[-:]\s*)?(?:text|plaintext|plain|txt|none|nohighlight)(?:\s|$)/i

/** Returns true if the block, its first child or one of its two closest wrappers is marked as plain text. */
export function isPlainText({ tree, index, parent }: HtmlNode): boolean {
  return [tree[index], tree[index + 1], parent, parent?.parent].some(
    (node) => node && !OUTSIDE.has(node.tag) && PLAIN.test(attribute(node, 'class')),
  )
}

function named(node: HtmlNode, pattern: RegExp): string | null {
  const { attribs } = node
  const given =
    attribs['data-language'] ??
    attribs['data-lang'] ??
    attribs['language'] ??
    pattern.exec(attribute(node, 'class'))?.[1]
  const language = given?.toLowerCase().trim()
  return language !== undefined && /^[\w+#.-]{1,24}$/.test(language) && !NO_LANGUAGE.has(language) ? language : null
}

function plainName(node: HtmlNode): string | null {
  const classes = attribute(node, 'class').toLowerCase().split(/\s+/)
  return classes.find((name) => LANGUAGES.has(name)) ?? null
}

/** Upper bound for inspected code, in characters. A longer sample adds no certainty. */
const LOOKED_AT = 20_000
const MOST_JSON = 10_000

const SQL_WORDS =
  'SELECT|INSERT INTO|UPDATE \\S+(?: AS \\w+)? SET|DELETE FROM|MERGE INTO|REPLACE INTO|WITH(?: RECURSIVE)? \\w+|VALUES ?\\(|CREATE (?:OR REPLACE )?(?:[A-Z]+ ){0,3}(?:TABLE|VIEW|INDEX|FUNCTION|PROCEDURE|TRIGGER|TYPE|DATABASE|SCHEMA|EXTENSION|ROLE|USER|SEQUENCE|DOMAIN|POLICY|RULE|PUBLICATION|SUBSCRIPTION|SERVER|TABLESPACE|AGGREGATE|OPERATOR|CAST|COLLATION|STATISTICS|CONFIGURATION)|(?:ALTER|DROP) (?:TABLE|VIEW|INDEX|FUNCTION|PROCEDURE|TRIGGER|TYPE|DATABASE|SCHEMA|EXTENSION|ROLE|USER|SEQUENCE|DOMAIN|POLICY|SYSTEM|TABLESPACE)|TRUNCATE|GRANT \\w+|REVOKE \\w+|EXPLAIN (?:\\(|ANALYZE|QUERY PLAN|SELECT)|PRAGMA \\w+|VACUUM\\b|BEGIN;|COMMIT;|START TRANSACTION'
const SQL = new RegExp(`^(?:${SQL_WORDS.replaceAll(' ', '\\s+')})(?![\\w-])`)
const SQL_ANY_CASE = new RegExp(SQL.source, 'i')
const SQL_PROMPT = /^\s*\w+=?[#>]\s(?=\s*[A-Z]{2,}\s)/i
const SQL_END = /;[ \t]*(?:--.*)?$/m

const C_INCLUDE = /^#\s*include\s*[<"]/m
/** `int kiln_fire(kiln *k);` or the start of a function definition. */
const C_FUNCTION =
  /^(?!(?:return|else|new|def|fn|func|function|public|private|protected|package|import|using|namespace|await|case|throw|var|let)\b)(?:[A-Za-z_]\w*[ \t]+){1,3}(?:\*+[ \t]*)?[A-Za-z_]\w*[ \t]*\([^{}]*\)\s*(?:;|\{)/
const C_TYPE = /^(?:typedef\s+(?:struct|enum|union|unsigned|int|void|char)\b|(?:struct|enum|union)\s+\w+\s*\{)/
const NOT_C = /::|\btemplate\s*<|^[ \t]*(?:class|import|package|using|fn|func|def)\b|=>|\bconsole\./m

const PYTHON =
  /^(?:from\s+[\w.]+\s+import\s|(?:async\s+)?def\s+\w+\s*\(.*:[ \t]*(?:#.*)?$|class\s+\w+\s*(?:\(.*\))?:\s*(?:#.*)?$)/m
const MARKUP =
  /^<(?:!doctype html|html|head|body|div|form|p|ul|ol|table|span|script|a|h[1-6]|input|button|nav|main)\b[^>]*>/i

/**
 * Guesses the language of unlabelled code. Returns null if uncertain: a wrong label hides an example from searches by
 * language.
 */
export function guessLanguage(code: string): string | null {
  const text = code.slice(0, LOOKED_AT)
  const start = text.replace(SQL_PROMPT, '').replace(/^(?:\s+|--[^\n]*\n|\/\*.*?\*\/|\/\/[^\n]*\n)+/s, '')
  if (start.startsWith('>>> ')) return 'pycon'
  if (/^\$ \S/.test(start)) return 'console'
  if (SQL.test(start) || (SQL_ANY_CASE.test(start) && SQL_END.test(start) && !/[{}]/.test(start))) return 'sql'
  if (isJson(code)) return 'json'
  if (/^<\?xml\b/.test(start)) return 'xml'
  if (MARKUP.test(start)) return 'html'
  if (/^diff --git |^--- \S[^\n]*\n\+\+\+ \S/.test(start)) return 'diff'
  if (C_INCLUDE.test(text) || ((C_FUNCTION.test(start) || C_TYPE.test(start)) && !NOT_C.test(text)))
    return NOT_C.test(text) ? 'cpp' : 'c'
  if (PYTHON.test(start) && !/;\s*$|\)\s*\{\s*$/m.test(text)) return 'python'
  return null
}

function isJson(code: string): boolean {
  if (code.length > MOST_JSON || !/^\s*\{\s*"/.test(code)) return false
  try {
    JSON.parse(code)
    return true
  } catch {
    // The code is not valid JSON.
    return false
  }
}
