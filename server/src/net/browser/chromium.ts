import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Readable, Writable } from 'node:stream'
import { differences } from '#lib/operating-system.ts'
import { BrowserError, type Message, readMessages, writeMessage, type Send } from './protocol.ts'
import { browserFlags, endProcess, limitMemory, makeProfile } from './browser-process.ts'

/**
 * Starts the browser through a shell, which limits the memory of each process (in KiB; not address space, because
 * Chromium reserves much of it). If the system allows it, the shell also enters a network namespace without
 * connections. All child processes inherit both.
 */
const START = `
ulimit -d "$1" || exit 96; isolate=$2; shift 2
if [ "$isolate" = yes ]; then
  for how in --net '--user --map-current-user --net'; do
    unshare $how true 2>/dev/null && exec unshare $how "$@"
  done
fi
exec "$@"`

const PROCESS_MEMORY_KIB = 1 << 20
/** Starting takes about a second, and several seconds on a loaded machine. */
const START_MS = 20_000
const CLOSE_MS = 2_000
const LAST_WORDS = 4_000
/** Chromium's messages if it cannot create user namespaces for its sandbox. */
const NO_SANDBOX = /no usable sandbox|SUID sandbox helper/i
const WHY_NO_SANDBOX =
  'It has no sandbox here, because the system lets the user of the service make no user namespaces. The documentation of the settings says how to allow it, under "Pages that need JavaScript".'
/** Niceness, of 20 steps below normal. Request handling goes first. */
const BACKGROUND = 10

export type ChromiumOptions = {
  program: string
  userAgent: string
  /** If false, only the command-line switches block the network. For tests of the switches. */
  isolate?: boolean
}

export type Session = AsyncDisposable & {
  send: Send
}

export type Chromium = Pick<ChromiumPipe, 'pid' | 'ended' | 'send' | 'attach' | typeof Symbol.asyncDispose>

/** True if the browser can use its sandbox. It refuses to start with it as root. */
export const hasSandbox = (): boolean => process.getuid?.() !== 0

/**
 * Starts headless Chromium, controlled over two pipes. No port is opened. When this process ends for any reason, the
 * pipes close and the browser ends. Throws `BrowserError` `start`.
 */
export async function startChromium({ program, userAgent, isolate = true }: ChromiumOptions): Promise<Chromium> {
  const profile = await makeProfile()
  const flags = browserFlags({ profile: profile.path, userAgent, sandbox: hasSandbox() })
  const given = ['-c', START, 'sh', String(PROCESS_MEMORY_KIB), isolate ? 'yes' : 'no', program, ...flags]
  const child = spawn('/bin/sh', given, {
    // A separate process group, to be killed as a whole. The environment is empty, because ours has secrets.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    cwd: profile.path,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', HOME: profile.path, TMPDIR: profile.path },
  })
  const chromium = new ChromiumPipe(child, profile)
  const lastWords = hearLastWords(child)
  const late = `${program} did not start within ${START_MS / 1000} s.`
  const slow = setTimeout(() => chromium.fail('start', late), START_MS)
  try {
    await chromium.send('Browser.getVersion')
    return chromium
  } catch (cause) {
    await chromium[Symbol.asyncDispose]()
    const why = NO_SANDBOX.test(await lastWords()) ? WHY_NO_SANDBOX : (cause as Error).message
    throw new BrowserError('start', `The browser could not be started. ${why}`, { cause })
  } finally {
    clearTimeout(slow)
  }
}

/** Collects the end of the standard error, available after the process has ended. */
function hearLastWords({ stderr }: ChildProcess): () => Promise<string> {
  let words = ''
  const ended = stderr ? once(stderr, 'close') : Promise.resolve()
  stderr?.setEncoding('utf8').on('data', (text: string) => (words = (words + text).slice(-LAST_WORDS)))
  return async () => {
    await Promise.race([ended, sleep(CLOSE_MS, undefined, { ref: false })])
    return words
  }
}

class ChromiumPipe {
  readonly pid: number
  /** Resolves with the reason when the process has ended or is unusable. */
  readonly ended: Promise<BrowserError>
  readonly send: Send
  readonly #child: ChildProcess
  readonly #profile: AsyncDisposable
  readonly #input: Writable
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>()
  readonly #listeners = new Map<string, (event: Message) => void>()
  readonly #end: (error: BrowserError) => void
  readonly #endWatch: () => void
  #over: BrowserError | null = null
  #lastId = 0

  constructor(child: ChildProcess, profile: AsyncDisposable) {
    const { promise, resolve } = Promise.withResolvers<BrowserError>()
    this.ended = promise
    this.#end = resolve
    this.#child = child
    this.#profile = profile
    this.pid = child.pid ?? 0
    this.#input = child.stdio[3] as Writable
    this.send = this.#sender({})
    const output = child.stdio[4] as Readable
    child.on('error', (error) => this.fail('crash', error.message))
    child.on('exit', (code, signal) => this.fail('crash', `The browser ended by itself (${signal ?? `code ${code}`}).`))
    // Pipe errors are errors of the process at the other end.
    this.#input.on('error', () => this.fail('crash', 'The browser closed its pipe.'))
    output.on('error', () => this.fail('crash', 'The browser closed its pipe.'))
    if (child.pid !== undefined) stepBack(child.pid)
    this.#endWatch = child.pid === undefined ? () => undefined : limitMemory(child.pid)
    readMessages(
      output,
      (message) => this.#receive(message),
      (why) => this.fail('crash', why),
    )
  }

  fail(reason: BrowserError['reason'], why: string): void {
    if (this.#over) return
    this.#over = new BrowserError(reason, why)
    this.#endWatch()
    for (const { reject } of this.#waiting.values()) reject(this.#over)
    this.#waiting.clear()
    kill(this.#child)
    this.#end(this.#over)
  }

  async attach(targetId: string, onEvent: (event: Message) => void): Promise<Session> {
    const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true })
    this.#listeners.set(sessionId, onEvent)
    return {
      send: this.#sender({ sessionId }),
      [Symbol.asyncDispose]: async () => void this.#listeners.delete(sessionId),
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const child = this.#child
    const gone = child.exitCode !== null || child.signalCode !== null || child.pid === undefined
    const exit = gone ? Promise.resolve() : once(child, 'exit')
    if (!this.#over) void this.send('Browser.close').catch(() => undefined)
    const deadline = setTimeout(() => kill(child), CLOSE_MS)
    await exit
    clearTimeout(deadline)
    // Kills the helpers too. One may be busy with a page that never ends.
    kill(child)
    this.fail('crash', 'The browser was closed.')
    await this.#profile[Symbol.asyncDispose]()
  }

  #receive(message: Message): void {
    if (message.id === undefined) {
      this.#listeners.get(message.sessionId ?? '')?.(message)
      return
    }
    const asked = this.#waiting.get(message.id)
    this.#waiting.delete(message.id)
    if (message.error) asked?.reject(new BrowserError('page', `The browser refused: ${message.error.message}`))
    else asked?.resolve(message.result)
  }

  #sender(session: object): Send {
    return async (method, params = {}) => {
      if (this.#over) throw this.#over
      const asked = Promise.withResolvers<unknown>()
      this.#waiting.set(++this.#lastId, asked)
      writeMessage(this.#input, { id: this.#lastId, method, params, ...session })
      // The protocol determines the type of the response.
      return (await asked.promise) as never
    }
  }
}

function stepBack(pid: number): void {
  try {
    setPriority(pid, BACKGROUND)
  } catch {
    // It ended immediately. The exit event reports that.
  }
}

function kill({ pid }: ChildProcess): void {
  if (pid !== undefined) endProcess(differences.hasProcessGroups ? -pid : pid)
}
