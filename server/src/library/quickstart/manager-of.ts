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
