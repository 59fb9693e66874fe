/** Keywords before a name. */
const WORDS =
  /^(?:(?:export|default|public|pub|unsafe|extern|typedef|record|annotation|crate|keyword|macro|primitive type|trait alias|derive macro|attribute macro|static|async|awaitable|coroutine|abstract|final|new|classmethod|staticmethod|abstractmethod|exception|class|function|interface|type|method|const|enum|struct|trait|def|fn|func|module|namespace|package|property|attribute|component|hook|directive|option|command|endpoint|schema|table|pragma|query|mutation|subscription|input|scalar|union|model|message) +)+(?=[^\s(])/i

const ENDPOINT = /\b(GET|PUT|POST|DELETE|PATCH|HEAD|OPTIONS|TRACE|QUERY)\s+(?:https?:\/\/[^/\s]+)?(\/\S*)/i

/** A signature with the type first: `int sum(int a, int b)`. */
const TYPED = /^[\w:<>,*&\s[\]]*[\s*&]([a-z_][\w:]*)\((?!s\))/i

/** A command-line option at the start of a heading: `-q`, `--depth <n>`, `--[no-]tags`, `+trace`. */
const OPTION = /^(?:--?\w|\+[a-z])[\w-]*/

/** Words with a value behind them: `timeout http-request <timeout>`, `pop [--index] [<stash>]`. */
const VALUED = /^([a-z][\w.-]*(?: [a-z][\w.-]*){0,3}) ?[<[{]/

/** An option with its command before it: `create --to PATH`, `remote add -t <branch>`. */
const COMMAND_OPTION = /^((?:[a-z][\w.-]* ){1,4})(--?\w[\w-]*)(?:[ =]\S+)?$/

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options']

const ARGUMENTS = /(?<=\S)(?<!operator)\s*\(.*/s

/** An identifier by its spelling: `journal_mode`, `schema.mode`, `journalMode`. */
const SPELT = /^(?=[\w.]+$)(?:.*(?:\w_\w|\w\.[a-zA-Z]|[a-z][A-Z]))/
/** A name without marks: `journal_mode`, `Router.use`. */
const IDENTIFIER = /^[a-z_$][\w$]*(?:\.[a-z_$][\w$]*)*$/i

/** The kind of a name before it: `Class: Pool`, `Event: 'close'`, `Parameter: PoolOptions`. */
const KIND_LABEL =
  /^(?:class|command|constant|directive|enum|event|field|function|interface|method|module|object|option|param|parameter|property|setting|struct|type|variable): (?=['"`]?[\w$.@-]+['"`]?(?:[([<]| [&|]|$))/i

/** Section numbers: `20.4. Tanks`, `(5) BUSY`, `3. Tanks`. */
const NUMBERING = /^(?:\(\d+\)|\d+(?:\.\d+)*\.)\s+/

/** Dash between a name and its purpose. Names have few words. */
const PURPOSE = /(?<!\s)\s+[\u2013\u2014]\s+/
const MOST_WORDS = 4
/** Titles of manual pages: `htpasswd - Manage user files`. Lower case only, because `Linux - Install` names no command. */
const MANUAL_PAGE = /^([a-z][\w.+-]*(?:\(\w+\))?) - \S/

/** A command of a program, in lower case only: `borg prune`, `docker image ls`, and `git-log` of a manual page. */
const SUBCOMMAND = /^[a-z][a-z0-9]{1,15} (?:[a-z]{2,20} )?([a-z][a-z0-9-]{1,30})$/
const SUBCOMMAND_PAGE = /^[a-z][a-z0-9]{1,15}-([a-z][a-z0-9-]{1,30})(?:\(\w+\))? [-–—] \S/

/** The same as somebody asks for it, with what it is a command of. */
const COMMAND = /^([a-z][a-z0-9]{1,15}(?: [a-z]{2,20})?) ([a-z][a-z0-9-]{1,30})$/

/** Longer headings are sentences. */
const LONGEST = 120

/** Suffixes added by documentation generators to page titles: `sf::Sprite Class Reference`, `QString Class`. */
const KIND_AFTER =
  /(?<!\s)\s+(?:class|concept|enum|exception|file|interface|module|namespace|protocol|struct|union)(?: template)?(?: reference)?$/i
/** `KeepAlive Directive`. Only after a single word, because a longer heading may be a sentence. */
const ONE_WORD_KIND = /^(?!(?:a|an|the|this|your) )(\S+) (?:command|directive|function|macro|method|statement)$/i
/** `Apache Module mod_rewrite`: three words name an identifier if the second one is its kind. */
const KIND_BEFORE = /^(?:extension|library|module|package|plugin)$/i
/** Page titles of rustdoc: `Vec in std::vec`. */
const IN_MODULE = /^(\S+) in ([\w:]+)$/

/** Words without marks, the form of most headings. They are one name, unless they say the kind of one. */
const SENTENCE = /^[A-Z][a-z]+(?: [A-Za-z][a-z]*)+$/
const HAS_KIND = [WORDS, KIND_AFTER, ONE_WORD_KIND, IN_MODULE, / flags /]

/** True for words without marks, of which the first is capitalised. */
export function isSentence(text: string): boolean {
  return text.length <= LONGEST && SENTENCE.test(text)
}

/**
 * Lookup keys of the names in a heading or title, the whole name first. Examples: `GET /users/{id}` for "Get a user:
 * GET /users/{id}"; `router.use` and `use` for "Router.use(path, handler)"; `user` for "User (schema)";
 * `qstring.append` and `append` for "QString &QString::append(QChar ch)". Keys are in lower case with parts joined by
 * dots. Empty for sentences.
 */
export function nameKeys(heading: string): string[] {
  // Most names in tables and lists are one identifier.
  if (heading.length <= LONGEST && IDENTIFIER.test(heading)) return endsOf(heading.toLowerCase())
  const text = heading.replaceAll('\\', '').replace(NUMBERING, '').replace(KIND_LABEL, '').trim()
  if (text === '') return []
  if (isSentence(text) && !HAS_KIND.some((kind) => kind.test(text))) return [text.toLowerCase()]
  const endpoint = endpointKey(text)
  if (endpoint !== null) {
    const operation = text.slice(0, ENDPOINT.exec(text)?.index).replace(/:\s*$/, '')
    return operation === '' ? [endpoint] : [endpoint, operation.toLowerCase()]
  }
  const options = optionKeys(text)
  if (options.length > 0) return options
  // A signature may be longer than a sentence because of its parameters.
  const declared = declaredName(text)
  if (declared === null && text.replace(ARGUMENTS, '').length > LONGEST) return []
  const keys = new Set(endsOf(plainName(declared ?? text)))
  // `json — JSON encoder and decoder`, `CREATE INDEX — define a new index`, `git-log(1) — Show commit logs`.
  const [named = '', purpose] = text.split(PURPOSE, 2)
  if (purpose !== undefined && named.split(' ').length <= MOST_WORDS) keys.add(plainName(named))
  const [, manualPage] = MANUAL_PAGE.exec(text) ?? []
  if (manualPage !== undefined) keys.add(plainName(manualPage))
  const [, valued] = VALUED.exec(text) ?? []
  if (valued !== undefined) keys.add(plainName(valued))
  const [, command = '', option] = COMMAND_OPTION.exec(text) ?? []
  if (option !== undefined) [`${command}${option}`, option].forEach((key) => keys.add(key))
  const subcommand = subcommandOf(text)
  if (subcommand !== null) keys.add(subcommand)
  const identifier = identifierOf(text.split(';', 1)[0] ?? '')
  if (identifier !== null) keys.add(endsOf(identifier).at(-1) ?? '')
  const typed = declared === null && text.includes('(') ? TYPED.exec(text)?.[1] : undefined
  if (typed !== undefined) keys.add(typed.toLowerCase())
  if (text.includes('`')) for (const [, span = ''] of text.matchAll(/`([^`]+)`/g)) keys.add(plainName(span))
  keys.delete('')
  return [...keys]
}

/** The own name of a command in a title: `prune` of `borg prune`, `log` of `git-log(1) — Show commit logs`. Or null. */
export function subcommandOf(title: string): string | null {
  const [, ofPage] = SUBCOMMAND_PAGE.exec(title) ?? []
  const [, own] = SUBCOMMAND.exec(title) ?? []
  // `fire command` is the command `fire`.
  return ofPage ?? (own !== undefined && plainName(title) === title ? own : null)
}

/** The identifier at the end of a phrase of two words: `journal_mode` in `PRAGMA journal_mode`. */
function identifierOf(text: string): string | null {
  const words = text.replaceAll(/[`*]/g, '').replace(ARGUMENTS, '').trim().split(/\s+/)
  const last = words.at(-1) ?? ''
  const isNamed = words.length === 2 || (words.length === 3 && KIND_BEFORE.test(words[1] ?? ''))
  return isNamed && SPELT.test(last) ? last.toLowerCase() : null
}

/** Options listed in a heading, without their arguments. Empty if it does not begin with an option. */
function optionKeys(text: string): string[] {
  // Marks can be before it.
  if (!'-+[`*'.includes(text[0] ?? '')) return []
  const plain = text.replaceAll(/[`*]/g, '').replaceAll('[no-]', '')
  if (!/^(?:-|\+[a-z])/.test(plain)) return []
  return plain.split(/,\s+/).flatMap((part) => OPTION.exec(part)?.[0].toLowerCase() ?? [])
}

/** Lookup keys of a name: in each meaning, of its last part, and of the owner of that (`router` of `router.use`). */
export type AskedKeys = {
  whole: string[]
  part: string[]
  owner: string | null
  /** Set if the part is looked up on the pages of its owner alone: `pop` of `git stash`. */
  isCommand?: true
}

/** Lookup keys of a caller's query. A path without a method gets every method. */
export function askedKeys(name: string): AskedKeys {
  const endpoint = endpointKey(name)
  if (endpoint !== null) return { whole: [endpoint], part: [], owner: null }
  const path = /^\/\S+$/.exec(name.trim())
  if (path) {
    const key = plainPath(name.trim())
    return { whole: METHODS.map((method) => `${method} ${key}`), part: [], owner: null }
  }
  // `-a, --all`, `--exclude PATTERN`
  const options = optionKeys(name)
  if (options.length > 0) return { whole: options, part: [], owner: null }
  const whole = plainName(declaredName(name) ?? name.replace(KIND_LABEL, ''))
  const command = COMMAND.exec(name)
  // Manual pages write `git-stash`.
  if (command) {
    const [, program = '', own = ''] = command
    const hyphened = `${program} ${own}`.replaceAll(' ', '-')
    return { whole: [whole, hyphened], part: [own], owner: program.replaceAll(' ', '-'), isCommand: true }
  }
  // `git rebase --autosquash` is documented on the page of the command, as `--autosquash`.
  const option = /\s(--?\w[\w-]*)$/.exec(whole)?.[1]
  const part = option ?? identifierOf(name) ?? endsOf(whole).at(-1) ?? ''
  if (part === '' || part === whole) return { whole: whole === '' ? [] : [whole], part: [], owner: null }
  return { whole: [whole], part: [part], owner: whole.endsWith(`.${part}`) ? whole.slice(0, -part.length - 1) : null }
}

/** True if two names are equal or one is a qualified form of the other: `std.vec.vec` and `vec`. */
export function isSameName(name: string, owner: string): boolean {
  return name === owner || name.endsWith(`.${owner}`) || owner.endsWith(`.${name}`)
}

/** Key of an endpoint: method, and path with anonymous parameters. Null for other texts. */
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

/** Strips markup, keywords, arguments and types. Lower case, parts joined by dots. */
function plainName(text: string): string {
  const plain = text
    .replaceAll(/`|(?<!operator ?)\*/g, '')
    .replace(WORDS, '')
    .replace(KIND_AFTER, '')
    .replace(ONE_WORD_KIND, '$1')
    .replace(/ flags \S+$/, '')
    .replace(IN_MODULE, '$2::$1')
    .replace(ARGUMENTS, '')
    .replace(/(?<=[\w\])])\s*[:=]\s.*$/s, '')
    .replace(/^<\/?([\w.:-]+)(?![\w.:-])[^>]*>$/, '$1')
    .replace(/(?<=\w)(?<!operator) ?<.*$/s, (rest) => (rest.endsWith('>') ? '' : rest))
    .replace(/(?<=\w)!$/, '')
    .replace(/^(['"])(.*)\1$/, '$2')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase()
  return isPath(plain) ? plain : plain.replaceAll(/(?<=\w)(?:::|#|->)(?=[\w~])/g, '.')
}

/** Suffixes of a dotted name: `router.use` and `use`. File names stay whole. */
function endsOf(name: string): string[] {
  if (isPath(name)) return [name]
  const parts = name.split(/\.(?=[\w~])/)
  return parts.map((_, at) => parts.slice(at).join('.'))
}

function isPath(name: string): boolean {
  return /\s|^\.|\//.test(name)
}

/** Hash of a name as searched: FNV-1a, 32 bits, over UTF-16 units. */
export function nameHash(key: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** Longer texts are not declarations. */
const LONGEST_DECLARATION = 1_000

/** The declared name: `drain` for `pub fn drain<R>(&mut self)`, qualified by its class in C++. Null for other texts. */
export function declaredName(text: string): string | null {
  const at = text.indexOf('(')
  if (at < 0 || text.length > LONGEST_DECLARATION) return null
  const operator = /(?:^|[\s*&])((?:\w+::)*operator\s?(?:\(\)|\[\]|[^\s\w(]{1,3}|[\w:]+[\s*&]*))\s?\(/.exec(text)?.[1]
  if (operator !== undefined) return operator
  const head = text
    .slice(0, at)
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/<[^<>]*>/g, '')
    .trimEnd()
  const name = head.slice(nameStart(head))
  if (name === '' || name.endsWith('operator')) return null
  return name.includes('::') || /\b(?:fn|func|def|fun|function)\s+$/.test(head.slice(0, -name.length)) ? name : null
}

/** Start of the name at the end of a text: `a::~B`, `pkg.run`. Equals the text length if there is none. */
function nameStart(text: string): number {
  let start = text.length
  for (let end = start; ;) {
    const word = wordStart(text, end)
    if (word === end) return start
    start = text[word - 1] === '~' ? word - 1 : word
    end = text.startsWith('::', start - 2) ? start - 2 : text[start - 1] === '.' ? start - 1 : -1
    if (end < 0) return start
  }
}

function wordStart(text: string, end: number): number {
  let start = end
  while (start > 0 && /[\w$]/.test(text[start - 1] ?? '')) start--
  return start
}
