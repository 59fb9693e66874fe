/**
 * Names of variants by kind. Synonyms share an entry, canonical name first. Without a preference the first name in this
 * order wins, so that all steps are for the same variant.
 */
const KINDS: readonly (readonly [kind: string, names: readonly (readonly string[])[]])[] = [
  [
    'system',
    [
      ['linux', 'snap', 'bash'],
      ['debian', 'ubuntu', 'apt'],
      ['redhat', 'red hat', 'rhel', 'centos', 'fedora', 'dnf', 'yum', 'rocky', 'almalinux'],
      ['suse', 'opensuse', 'sles', 'zypper'],
      ['arch', 'pacman'],
      ['alpine', 'apk'],
      ['unix'],
      ['macos', 'mac', 'os x', 'osx', 'mac os', 'darwin', 'homebrew', 'brew', 'apple', 'zsh'],
      ['windows', 'win', 'win32', 'powershell', 'cmd', 'chocolatey', 'choco', 'winget', 'scoop'],
      ['docker', 'docker compose', 'container'],
      ['kubernetes', 'helm'],
      ['freebsd'],
      ['openbsd'],
      ['netbsd'],
      ['android'],
      ['ios'],
    ],
  ],
  [
    'origin',
    [
      ['from package', 'from packages', 'from binary', 'from binaries', 'binary package', 'binary packages'],
      ['from source', 'from sources', 'from ports', 'from tarball'],
    ],
  ],
  ['manager', [['npm'], ['yarn'], ['pnpm'], ['bun'], ['deno'], ['cdn']]],
  ['python manager', [['pip'], ['uv'], ['poetry'], ['pipx'], ['conda'], ['pipenv']]],
  ['build tool', [['maven'], ['gradle', 'gradle kotlin', 'gradle groovy'], ['sbt']]],
  [
    'language',
    [
      ['python'],
      ['javascript', 'js'],
      ['typescript', 'ts'],
      ['node.js', 'node', 'nodejs'],
      ['java'],
      ['kotlin'],
      ['go', 'golang'],
      ['ruby'],
      ['php'],
      ['rust'],
      ['c#', '.net', 'csharp'],
      ['c++', 'cpp'],
      ['swift'],
      ['curl', 'http', 'rest'],
      ['cli', 'shell', 'command line'],
    ],
  ],
  [
    'framework',
    [
      ['react'],
      ['vue'],
      ['svelte'],
      ['angular'],
      ['next.js', 'nextjs'],
      ['nuxt'],
      ['solid'],
      ['preact'],
      ['expo', 'react native'],
    ],
  ],
  ['cloud', [['aws'], ['gcp', 'google cloud'], ['azure']]],
]
export const NAMES = new Map(
  KINDS.flatMap(([kind, names]) =>
    names.flatMap((words) => words.map((word) => [word, { kind, name: words[0] ?? word }] as const)),
  ),
)
/** Place of each name among those of its kind. */
export const ORDER = new Map(KINDS.flatMap(([, names]) => names.map(([name], at) => [name, at] as const)))

const ARTICLES = new Set(['a', 'an', 'the'])
const DISTRIBUTIONS: ReadonlySet<string> = new Set(['debian', 'redhat', 'suse', 'arch', 'alpine'])

/** Variant names mentioned in a topic. */
export function namesIn(topic: string): Set<string> {
  const words = wordsOf(topic)
  const names = new Set<string>()
  for (let at = 0; at < words.length; at++) {
    const pair = NAMES.get(words.slice(at, at + 2).join(' '))
    const known = pair ?? NAMES.get(words[at] ?? '')
    if (known) names.add(known.name)
    // `React Native` is not `React`.
    if (pair && at + 1 < words.length) at++
  }
  return names
}

/** Operating systems and platforms named in a text. `Arch Linux` names only the distribution, and `Unix` none. */
export function systemsIn(text: string): Set<string> {
  const names = [...namesIn(text)].filter((name) => NAMES.get(name)?.kind === 'system' && name !== 'unix')
  return new Set(names.some((name) => DISTRIBUTIONS.has(name)) ? names.filter((name) => name !== 'linux') : names)
}

/** Systems that follow instructions for `Unix`. macOS mostly has its own. */
const UNIXES: ReadonlySet<string> = new Set([...DISTRIBUTIONS, 'linux', 'freebsd', 'openbsd', 'netbsd'])

/**
 * How well names answer the wanted ones: 2 for the same name, 1 for Linux and one of its distributions or for Unix and
 * one of its kind, else 0.
 */
export function agreement(names: Iterable<string>, wanted: ReadonlySet<string>): 0 | 1 | 2 {
  const all = [...names]
  if (all.some((name) => wanted.has(name))) return 2
  if (all.includes('unix') && [...wanted].some((name) => UNIXES.has(name))) return 1
  const isKin = all.includes('linux')
    ? all.length === 1 && [...wanted].some((name) => DISTRIBUTIONS.has(name))
    : wanted.has('linux') && all.some((name) => DISTRIBUTIONS.has(name))
  return isKin ? 1 : 0
}

/** Words of a label in lower case, without articles. */
export function wordsOf(label: string): string[] {
  return label
    .toLowerCase()
    .split(/[\s,/&|()[\]`:_-]+/)
    .map((word) => word.replace(/[.!?]$/, ''))
    .filter((word) => word !== '' && !ARTICLES.has(word))
}

/** Package managers and shells by the program that a command runs. */
const PROGRAMS = new Map([
  ['npm', 'npm'],
  ['npx', 'npm'],
  ['yarn', 'yarn'],
  ['pnpm', 'pnpm'],
  ['pnpx', 'pnpm'],
  ['bun', 'bun'],
  ['bunx', 'bun'],
  ['deno', 'deno'],
  ['pip', 'pip'],
  ['pip3', 'pip'],
  ['uv', 'uv'],
  ['uvx', 'uv'],
  ['poetry', 'poetry'],
  ['pipx', 'pipx'],
  ['conda', 'conda'],
  ['apt', 'debian'],
  ['apt-get', 'debian'],
  ['dnf', 'redhat'],
  ['yum', 'redhat'],
  ['zypper', 'suse'],
  ['pacman', 'arch'],
  ['apk', 'alpine'],
  ['snap', 'linux'],
  ['brew', 'macos'],
  ['winget', 'windows'],
  ['choco', 'windows'],
  ['scoop', 'windows'],
  ['irm', 'windows'],
  ['iwr', 'windows'],
  ['docker', 'docker'],
])

/** Lines at the start of a block that are read. */
const MOST_LINES = 5

/** The variant that the first command of a block is for. Null if the command says nothing about it. */
export function managerOf(code: string): string | null {
  const lines = code.split('\n', MOST_LINES)
  const command = lines.find((line) => line.trim() !== '' && !line.trim().startsWith('#')) ?? ''
  const [program = ''] = command
    .trim()
    .replace(/^[$>%] /, '')
    .replace(/^sudo /, '')
    .split(/\s/, 1)
  // An installer that is piped into a shell is for Linux and macOS.
  if (program === 'curl' && /\|\s?(?:sh|bash|zsh)\b/.test(command)) return 'linux'
  return PROGRAMS.get(program.toLowerCase()) ?? null
}
