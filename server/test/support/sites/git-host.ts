import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export type GitHost = AsyncDisposable & {
  url: string
  /** Requests in order: method and path without query. */
  requests: string[]
  /** User and password that it asks for, as in an address. Default: none. */
  user?: string
  /** Commits these files to a branch, which is created if missing. Returns the commit. */
  commit: (files: Record<string, string>, branch?: string) => string
  git: (...args: string[]) => string
}

/** Git's programs, or null if git is not installed. */
export function findGit(): { backend: string } | null {
  try {
    const folder = execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim()
    return { backend: join(folder, 'git-http-backend') }
  } catch {
    process.stderr.write('\nSKIPPED: git is not installed, and a git host is made of it.\n\n')
    return null
  }
}

/** A repository at `/acme/widgets.git`, served by git's `http-backend` (CGI, RFC 3875). */
export async function startGitHost({ backend }: { backend: string }): Promise<GitHost> {
  const root = mkdtempSync(join(tmpdir(), 'docent-git-'))
  const work = join(root, 'work')
  mkdirSync(work)
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', work, '-c', 'user.name=a', '-c', 'user.email=a@example.test', ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  git('init', '-q', '-b', 'main')
  execFileSync('git', ['clone', '-q', '--bare', work, join(root, 'acme/widgets.git')], { stdio: 'ignore' })
  const requests: string[] = []
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://git.test')
    requests.push(`${request.method} ${pathname}`)
    if (host.user !== undefined && request.headers.authorization !== `Basic ${btoa(host.user)}`)
      return void response.writeHead(401, { 'www-authenticate': 'Basic' }).end()
    const cgi = spawn(backend, {
      env: {
        GIT_PROJECT_ROOT: root,
        GIT_HTTP_EXPORT_ALL: '1',
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
        PATH_INFO: pathname,
        QUERY_STRING: search.slice(1),
        REQUEST_METHOD: request.method ?? 'GET',
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        CONTENT_LENGTH: request.headers['content-length'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    request.pipe(cgi.stdin)
    cgi.stdin.on('error', () => undefined)
    const chunks: Buffer[] = []
    cgi.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    cgi.on('close', () => {
      const answer = Buffer.concat(chunks)
      const end = answer.indexOf('\r\n\r\n')
      const headers = answer
        .toString('latin1', 0, end)
        .split('\r\n')
        .map((line) => line.split(': ', 2))
      const status = Number.parseInt(headers.find(([name]) => name === 'Status')?.[1] ?? '200', 10)
      const sent = headers.filter(([name]) => name !== 'Status').map(([name = '', value = '']) => [name, value])
      response.writeHead(status, Object.fromEntries(sent)).end(answer.subarray(end + 4))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host: GitHost = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    git,
    commit(files, branch = 'main') {
      git('checkout', '-q', '-B', branch)
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(work, path)), { recursive: true })
        writeFileSync(join(work, path), text)
      }
      git('add', '-A')
      git('commit', '-q', '-m', 'more')
      git('push', '-q', '-f', join(root, 'acme/widgets.git'), `${branch}:${branch}`)
      return git('rev-parse', 'HEAD')
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      rmSync(root, { recursive: true, force: true })
    },
  }
  return host
}
