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
