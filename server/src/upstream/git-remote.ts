import type { NetClient, NetRequest, NetResponse } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import { UpstreamError } from './upstream-error.ts'

const SIGNATURE = 'PACK'
const PACK_BAND = 1
const ERROR_BAND = 3

export type GitRemote = {
  /** Commit ids by full reference name, including `HEAD`. Tags are peeled to their commits. */
  refs: ReadonlyMap<string, string>
  /** The branch that `HEAD` points to, if the host reports it. */
  defaultBranch: string | null
  /** Fetches a pack with one commit and its files, without history, and without large files if supported. */
  fetchPack(commit: string): Promise<Uint8Array<ArrayBuffer>>
}

type Deps = {
  fetch: NetClient['fetch']
  limits?: Partial<typeof LIMITS>
}

/** Reference lists have about 50 MB on the largest hosts, typically a few. Hosts build a pack while sending it. */
const LIMITS = { refsBytes: 32 << 20, packBytes: 128 << 20, packMs: 10 * 60_000 }
const COUNTING_MS = 45_000

/** Larger files of a repository are never read. */
const MAX_BLOB = '8m'
/** Many hosts ask for a name and a password where there is no repository, too. */
const HIDDEN =
  'does not show the repository to everybody: it is private, or there is none. For a private one at a GitLab, Gitea or Forgejo server, link an account that can read it.'
const OBJECT_ID = /^[\da-f]{40}$/

/**
 * Opens the repository at a clone address over git's smart HTTP protocol, version 2 and earlier
 * (https://git-scm.com/docs/http-protocol, https://git-scm.com/docs/protocol-v2). Null if there is no git host. Throws
 * `UpstreamError`: `refused` for a missing or invalid credential, otherwise `failed`.
 */
export async function openGitRemote(deps: Deps, cloneUrl: string): Promise<GitRemote | null> {
  const ask = askWith(deps)
  const { refsBytes, packBytes, packMs } = { ...LIMITS, ...deps.limits }
  const answer = await askForRefs(deps, cloneUrl)
  if (answer === null) return null
  // Further requests go to the redirect target.
  const base = answer.url.replace(/\/info\/refs(\?.*)?$/s, '')
  const post = async (lines: string, limits: NetRequest) => {
    const body = { type: 'application/x-git-upload-pack-request', text: lines }
    const headers = { accept: 'application/x-git-upload-pack-result' }
    const response = await ask(`${base}/git-upload-pack`, { ...limits, headers, body, acceptRedirect: () => false })
    if (response.status === 200) return response.bytes
    throw new UpstreamError('failed', `${new URL(base).host} answered ${response.status} when it was asked for a pack.`)
  }
  const advertised = readAdvertisement(answer.bytes)
  if (advertised.capabilities.get('object-format') === 'sha256') {
    throw new UpstreamError('failed', 'The repository names its objects by SHA-256, which is not read.')
  }
  const { version, capabilities } = advertised
  const { refs, defaultBranch } = version === 2 ? readRefs(await post(LIST_REFS, { maxBytes: refsBytes })) : advertised
  const request = version === 2 ? packRequest2 : packRequest1
  return {
    refs,
    defaultBranch,
    async fetchPack(commit) {
      // While it counts objects, a host sends little more than keep-alives.
      const limits = { maxBytes: packBytes, totalMs: packMs, slowAfterMs: COUNTING_MS }
      return readPack(await post(request(commit, capabilities), limits))
    },
  }
}

/** The advertisement of a repository. Null if there is no git host. Throws like `openGitRemote`. */
export async function askForRefs(deps: Deps, cloneUrl: string): Promise<NetResponse | null> {
  const maxBytes = deps.limits?.refsBytes ?? LIMITS.refsBytes
  const answer = await askWith(deps)(`${cloneUrl}/info/refs?service=git-upload-pack`, { maxBytes })
  if (answer.status === 401 || answer.status === 403) {
    throw new UpstreamError('refused', `${new URL(cloneUrl).host} ${HIDDEN}`)
  }
  const type = answer.headers['content-type'] ?? ''
  return answer.status === 200 && type.startsWith('application/x-git-upload-pack-advertisement') ? answer : null
}

function askWith({ fetch }: Deps) {
  return async (url: string, request: NetRequest): Promise<NetResponse> => {
    try {
      return await fetch(url, { ...request, headers: { 'git-protocol': 'version=2', ...request.headers } })
    } catch (error) {
      if (!(error instanceof NetError) || error.reason !== 'too_large' || error.transient) throw error
      const most = (request.maxBytes ?? LIMITS.packBytes) >> 20
      throw new UpstreamError('failed', `The repository is larger than ${most} MB, which is as much as is read.`, {
        cause: error,
      })
    }
  }
}

type Refs = Pick<GitRemote, 'refs' | 'defaultBranch'>
/** Version 2 lists capabilities. Earlier ones list their references, with the capabilities on the first. */
function readAdvertisement(bytes: Uint8Array): Refs & { version: 1 | 2; capabilities: Map<string, string> } {
  const lines = [...readPackets(bytes)].map(packetText)
  const [first = '', ...rest] = lines[0]?.startsWith('# service=') ? lines.slice(1) : lines
  if (first === 'version 2') {
    return { version: 2, capabilities: capabilitiesOf(rest), refs: new Map(), defaultBranch: null }
  }
  const told = first === 'version 1' ? rest : [first, ...rest]
  const [, after = ''] = (told[0] ?? '').split('\0')
  const capabilities = after.split(' ')
  const head = capabilities.find((one) => one.startsWith('symref=HEAD:'))?.slice('symref=HEAD:'.length)
  const refs = new Map<string, string>()
  for (const line of told) {
    const [id = '', name = ''] = (line.split('\0')[0] ?? '').split(' ')
    // `^{}` marks the object that the preceding tag points to.
    if (OBJECT_ID.test(id) && !/^0+$/.test(id)) refs.set(name.replace(/\^\{\}$/, ''), id)
  }
  return { version: 1, capabilities: capabilitiesOf(capabilities), refs, defaultBranch: branchName(head) }
}

function capabilitiesOf(words: string[]): Map<string, string> {
  return new Map(
    words.map((word): [string, string] => {
      const [name = '', ...value] = word.split('=')
      return [name, value.join('=')]
    }),
  )
}

const LIST_REFS = [
  pktLine('command=ls-refs\n'),
  '0001',
  ...['peel', 'symrefs', 'ref-prefix HEAD', 'ref-prefix refs/heads/', 'ref-prefix refs/tags/'].map((line) =>
    pktLine(`${line}\n`),
  ),
  '0000',
].join('')

function readRefs(bytes: Uint8Array): Refs {
  const refs = new Map<string, string>()
  let defaultBranch: string | null = null
  for (const packet of readPackets(bytes)) {
    const [id = '', name = '', ...attributes] = packetText(packet).split(' ')
    const valueOf = (key: string) => attributes.find((one) => one.startsWith(`${key}:`))?.slice(key.length + 1)
    const commit = valueOf('peeled') ?? id
    if (OBJECT_ID.test(commit)) refs.set(name, commit)
    if (name === 'HEAD') defaultBranch = branchName(valueOf('symref-target'))
  }
  return { refs, defaultBranch }
}

function branchName(ref: string | undefined): string | null {
  return ref?.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : null
}

function packRequest2(commit: string, capabilities: Map<string, string>): string {
  const canFilter = capabilities.get('fetch')?.split(' ').includes('filter') ?? false
  const lines = [`want ${commit}`, 'deepen 1', 'no-progress', 'ofs-delta', 'done']
  if (canFilter) lines.splice(2, 0, `filter blob:limit=${MAX_BLOB}`)
  return [pktLine('command=fetch\n'), '0001', ...lines.map((line) => pktLine(`${line}\n`)), '0000'].join('')
}

function packRequest1(commit: string, capabilities: Map<string, string>): string {
  const wanted = ['ofs-delta', 'no-progress', 'side-band-64k', 'side-band', 'shallow', 'filter']
  const known = wanted.filter((name) => capabilities.has(name))
  return [
    pktLine(`want ${commit} ${known.join(' ')}\n`),
    ...(known.includes('shallow') ? [pktLine('deepen 1\n')] : []),
    ...(known.includes('filter') ? [pktLine(`filter blob:limit=${MAX_BLOB}\n`)] : []),
    '0000',
    pktLine('done\n'),
  ].join('')
}

/** Extracts the pack: in side-bands, or bare at the end. Throws `UpstreamError` with the host's message. */
function readPack(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = []
  for (const packet of readPackets(bytes)) {
    const band = packet[0]
    if (band === PACK_BAND) parts.push(packet.subarray(1))
    else if (startsWithPack(packet)) parts.push(packet)
    else if (band === ERROR_BAND) throw refused(packetText(packet.subarray(1)))
    else if (packetText(packet).startsWith('ERR ')) throw refused(packetText(packet).slice(4))
  }
  const pack = Buffer.concat(parts)
  if (!startsWithPack(pack)) {
    throw new UpstreamError('failed', 'The host did not answer with a pack of the repository.')
  }
  // Avoids a copy: a pack can have a hundred megabytes.
  return new Uint8Array(pack.buffer, pack.byteOffset, pack.byteLength)
}

const startsWithPack = (bytes: Buffer): boolean => bytes.toString('latin1', 0, 4) === SIGNATURE

function refused(said: string): UpstreamError {
  return new UpstreamError('failed', `The git host refused the pack. It says: "${said.slice(0, 200)}"`)
}

/** Frames a line for git: four hexadecimal digits of length, including themselves (gitprotocol-common). */
function pktLine(text: string): string {
  return (Buffer.byteLength(text) + 4).toString(16).padStart(4, '0') + text
}

/** Yields payloads without flushes and delimiters, and a bare pack at the end. Throws `UpstreamError` `failed`. */
function* readPackets(bytes: Uint8Array): Generator<Buffer> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0; at < buffer.length;) {
    const digits = buffer.toString('latin1', at, at + 4)
    if (digits === SIGNATURE) {
      yield buffer.subarray(at)
      return
    }
    if (/^000[0-2]$/.test(digits)) {
      at += 4
      continue
    }
    const length = /^[\da-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : 0
    if (length < 4 || at + length > buffer.length) {
      throw new UpstreamError('failed', 'The host did not answer as git hosts do.')
    }
    yield buffer.subarray(at + 4, at + length)
    at += length
  }
}

function packetText(packet: Buffer): string {
  return packet.toString().replace(/\n$/, '')
}
