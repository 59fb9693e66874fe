import { declaredName } from '../analyse/declared-name.ts'

/** What stands before a name and says what it names. */
const WORDS =
  /^(?:(?:export|default|public|pub|unsafe|extern|typedef|record|annotation|crate|keyword|macro|primitive type|trait alias|derive macro|attribute macro|static|async|awaitable|coroutine|abstract|final|new|classmethod|staticmethod|abstractmethod|exception|class|function|interface|type|method|const|enum|struct|trait|def|fn|func|module|namespace|package|property|attribute|component|hook|directive|option|command|endpoint|schema|table|query|mutation|subscription|input|scalar|union|model|message) +)+(?=[^\s(])/i

const ENDPOINT = /\b(GET|PUT|POST|DELETE|PATCH|HEAD|OPTIONS|TRACE|QUERY)\s+(?:https?:\/\/[^/\s]+)?(\/\S*)/i

/** A signature in a language that says the type first: `int sum(int a, int b)`. */
const TYPED = /^[\w:<>,*&\s[\]]*[\s*&]([a-z_][\w:]*)\((?!s\))/i

/** An option of a command, with which its heading begins: `-q`, `--depth <n>`, `--[no-]tags`. */
const OPTION = /^--?\w[\w-]*/

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options']

const ARGUMENTS = /(?<=\S)(?<!operator)\s*\(.*/s

/** Numbers of sections, as of `20.4. Tanks`, `(5) BUSY`, `3. Tanks`. */
const NUMBERING = /^(?:\(\d+\)|\d+(?:\.\d+)*\.)\s+/

/** Between a name and what it is for; names have few words. */
const PURPOSE = /(?<!\s)\s+[\u2013\u2014]\s+/
const MOST_WORDS = 4

/** Longer headings are sentences. */
const LONGEST = 120

/** What generators add to the name of a thing in the title of its page: `sf::Sprite Class Reference`, `QString Class`. */
const KIND_AFTER =
  /(?<!\s)\s+(?:class|concept|enum|exception|file|interface|module|namespace|protocol|struct|union)(?: template)?(?: reference)?$/i
/** `Vec in std::vec`, which is how rustdoc titles a page. */
const IN_MODULE = /^(\S+) in ([\w:]+)$/

/**
 * The keys under which what a heading or a title names is looked up, the whole name first: `GET /users/{id}` of "Get a
 * user: GET /users/{id}", `router.use` and `use` of "Router.use(path, handler)", `user` of "User (schema)",
 * `qstring.append` and `append` of "QString &QString::append(QChar ch)". Lower case, parts joined by dots. Empty for
 * sentences.
 */
export function nameKeys(heading: string): string[] {
  const text = heading.replaceAll('\\', '').replace(NUMBERING, '').trim()
  if (text === '') return []
  const endpoint = endpointKey(text)
  if (endpoint !== null) {
    const operation = text.slice(0, ENDPOINT.exec(text)?.index).replace(/:\s*$/, '')
    return operation === '' ? [endpoint] : [endpoint, operation.toLowerCase()]
  }
  const options = optionKeys(text)
  if (options.length > 0) return options
  // Signatures have many parameters and are no sentences.
  const declared = declaredName(text)
  if (declared === null && text.replace(ARGUMENTS, '').length > LONGEST) return []
  const keys = new Set(endsOf(plainName(declared ?? text)))
  // `json — JSON encoder and decoder`, `CREATE INDEX — define a new index`, `git-log(1) — Show commit logs`.
  const [named = '', purpose] = text.split(PURPOSE, 2)
  if (purpose !== undefined && named.split(' ').length <= MOST_WORDS) keys.add(plainName(named))
  const identifier = identifierOf(text.split(';', 1)[0] ?? '')
  if (identifier !== null) keys.add(endsOf(identifier).at(-1) ?? '')
  const typed = declared === null ? TYPED.exec(text)?.[1] : undefined
  if (typed !== undefined) keys.add(typed.toLowerCase())
  for (const [, span = ''] of text.matchAll(/`([^`]+)`/g)) keys.add(plainName(span))
  keys.delete('')
  return [...keys]
}

/** The name that a few words end in and are about: `journal_mode` of `PRAGMA journal_mode`. */
function identifierOf(text: string): string | null {
  const words = text.replaceAll(/[`*]/g, '').replace(ARGUMENTS, '').trim().split(/\s+/)
  const last = words.at(-1) ?? ''
  return words.length === 2 && isIdentifier(last) ? last.toLowerCase() : null
}

/** Told from words by how it is written: `journal_mode`, `schema.mode`, `journalMode`. */
function isIdentifier(word: string): boolean {
  return /^[\w.]+$/.test(word) && (/\w_\w|\w\.[a-z]/i.test(word) || /[a-z][A-Z]/.test(word))
}

/** Options that a heading lists, without what they take; empty where it does not begin with one. */
function optionKeys(text: string): string[] {
  const plain = text.replaceAll(/[`*]/g, '').replaceAll('[no-]', '')
  if (!plain.startsWith('-')) return []
  return plain.split(/,\s+/).flatMap((part) => OPTION.exec(part)?.[0].toLowerCase() ?? [])
}

/**
 * What to look up for a name: the whole of it, in each way it may be meant, its last part, and what that is then a part
 * of (`router` of `router.use`), or null.
 */
export type AskedKeys = { whole: string[]; part: string[]; owner: string | null }

/** The keys to look up for what a caller asks. A path alone is asked for with every method. */
export function askedKeys(name: string): AskedKeys {
  const endpoint = endpointKey(name)
  if (endpoint !== null) return { whole: [endpoint], part: [], owner: null }
  const path = /^\/\S+$/.exec(name.trim())
  if (path) {
    const key = plainPath(name.trim())
    return { whole: METHODS.map((method) => `${method} ${key}`), part: [], owner: null }
  }
  const whole = plainName(declaredName(name) ?? name)
  // `git rebase --autosquash` is told of on the page of the command, as `--autosquash`.
  const option = /\s(--?\w[\w-]*)$/.exec(whole)?.[1]
  const part = option ?? identifierOf(name) ?? endsOf(whole).at(-1) ?? ''
  if (part === '' || part === whole) return { whole: whole === '' ? [] : [whole], part: [], owner: null }
  return { whole: [whole], part: [part], owner: whole.endsWith(`.${part}`) ? whole.slice(0, -part.length - 1) : null }
}

/** Whether a name is what `owner` says, or one of the two is the end of the other: `std.vec.vec` and `vec`. */
export function isSameName(name: string, owner: string): boolean {
  return name === owner || name.endsWith(`.${owner}`) || owner.endsWith(`.${name}`)
}

/** Method and path, the parameters of the path without their names, or null. */
function endpointKey(text: string): string | null {
  const found = ENDPOINT.exec(text)
  return found ? `${found[1]?.toLowerCase()} ${plainPath(found[2] ?? '')}` : null
}

function plainPath(path: string): string {
  const plain = path
    .split(/[?#]/, 1)[0]
    ?.replaceAll(/\{[^}/]{0,100}\}|:[a-z_]\w*|<[^>/]{0,100}>|\[[^\]/]{0,100}\]/gi, '{}')
    .replace(/(?<=[^/]|^\/)\/+$/, '')
  return (plain ?? path).toLowerCase()
}

/** Without marks, kind words, arguments, and types; lower case, its parts joined by dots. */
function plainName(text: string): string {
  const plain = text
    .replaceAll(/`|(?<!operator ?)\*/g, '')
    .replace(WORDS, '')
    .replace(KIND_AFTER, '')
    .replace(/ flags \S+$/, '')
    .replace(IN_MODULE, '$2::$1')
    .replace(ARGUMENTS, '')
    .replace(/(?<=[\w\])])\s*[:=]\s.*$/s, '')
    .replace(/^<\/?([\w.:-]+)(?![\w.:-])[^>]*>$/, '$1')
    .replace(/(?<=\w)(?<!operator) ?<.*$/s, (rest) => (rest.endsWith('>') ? '' : rest))
    .replace(/(?<=\w)!$/, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()
  return isPath(plain) ? plain : plain.replaceAll(/(?<=\w)(?:::|#|->)(?=[\w~])/g, '.')
}

/** `router.use` and `use`; the same where there is but one part, and for file names. */
function endsOf(name: string): string[] {
  if (isPath(name)) return [name]
  const parts = name.split(/\.(?=[\w~])/)
  return parts.map((_, at) => parts.slice(at).join('.'))
}

function isPath(name: string): boolean {
  return /\s|^\.|\//.test(name)
}
