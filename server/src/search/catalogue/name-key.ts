/** What stands before a name and says what it names. */
const WORDS =
  /^(?:(?:export|default|public|static|async|abstract|new|class|function|interface|type|method|const|enum|struct|trait|def|fn|func|module|namespace|package|property|attribute|component|hook|directive|option|command|endpoint|schema|table|query|mutation|subscription|input|scalar|union|model|message) +)+(?=[^\s(])/i

const ENDPOINT = /\b(GET|PUT|POST|DELETE|PATCH|HEAD|OPTIONS|TRACE|QUERY)\s+(?:https?:\/\/[^/\s]+)?(\/\S*)/i

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options']

/** Longer headings are sentences. */
const LONGEST = 120

/**
 * The keys under which what a heading or a title names is looked up: `GET /users/{id}` of "Get a user: GET
 * /users/{id}", `router.use` and `use` of "Router.use(path, handler)", `user` of "User (schema)". Lower case. Empty for
 * sentences.
 */
export function nameKeys(heading: string): string[] {
  const text = heading.replaceAll('\\', '').trim()
  if (text === '') return []
  const endpoint = endpointKey(text)
  if (endpoint !== null) {
    const operation = text.slice(0, ENDPOINT.exec(text)?.index).replace(/:\s*$/, '')
    return operation === '' ? [endpoint] : [endpoint, operation.toLowerCase()]
  }
  if (text.length > LONGEST) return []
  const whole = plainName(text)
  const keys = new Set([whole, lastPart(whole)])
  for (const [, span = ''] of text.matchAll(/`([^`]+)`/g)) keys.add(plainName(span))
  keys.delete('')
  return [...keys]
}

/** What to look up for a name: the whole of it, in each way it may be meant, and its last part. */
export type AskedKeys = { whole: string[]; part: string[] }

/** The keys to look up for what a caller asks. A path alone is asked for with every method. */
export function askedKeys(name: string): AskedKeys {
  const endpoint = endpointKey(name)
  if (endpoint !== null) return { whole: [endpoint], part: [] }
  const path = /^\/\S+$/.exec(name.trim())
  if (path) {
    const key = plainPath(name.trim())
    return { whole: METHODS.map((method) => `${method} ${key}`), part: [] }
  }
  const whole = plainName(name)
  const part = lastPart(whole)
  return { whole: whole === '' ? [] : [whole], part: part === '' || part === whole ? [] : [part] }
}

/** Method and path, the parameters of the path without their names, or null. */
function endpointKey(text: string): string | null {
  const found = ENDPOINT.exec(text)
  return found ? `${found[1]?.toLowerCase()} ${plainPath(found[2] ?? '')}` : null
}

function plainPath(path: string): string {
  const plain = path
    .split(/[?#]/, 1)[0]
    ?.replaceAll(/\{[^}/]*\}|:[a-z_]\w*|<[^>/]*>|\[[^\]/]*\]/gi, '{}')
    .replace(/(?<=.)\/+$/, '')
  return (plain ?? path).toLowerCase()
}

/** Without marks, kind words, arguments, and types; lower case. */
function plainName(text: string): string {
  return text
    .replaceAll(/[`*]/g, '')
    .replace(WORDS, '')
    .replace(/(?<=\S)\s*\(.*$/s, '')
    .replace(/(?<=[\w\])])\s*[:=]\s.*$/s, '')
    .replace(/^<\/?([\w.:-]+)[^>]*\/?>$/, '$1')
    .replace(/(?<=\w)<.*>$/, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()
}

/** `use` of `router.use`, `router::use`, `Router#use`; the same where there is but one part, and for file names. */
function lastPart(name: string): string {
  if (/\s|^\.|\//.test(name)) return name
  return name.split(/\.|::|#|->/).at(-1) || name
}
