import { createSocket } from 'node:dgram'
import { PUBLIC_V4, PUBLIC_V6 } from './public-addresses.ts'

/** IPv4 and IPv6 addresses of a name; null if it does not exist. */
type Records = { a: string[]; aaaa: string[] } | null

/**
 * A name server for names under `.test`, on every address and port 53. `rb2-10-0-0-1.test` resolves to a public address
 * for three answers, then to 10.0.0.1, with a TTL of zero. Returns the requested names.
 */
export async function startNameServer(): Promise<Set<string>> {
  const answers = new Map<string, number>()
  const asked = new Set<string>()
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => socket.send(answer(query, answers, asked), from.port, from.address))
  await new Promise<void>((resolve) => socket.bind(53, resolve))
  return asked
}

const TYPE_A = 1
const TYPE_AAAA = 28

/** RFC 1035, 4.1: header, question, and records, each with a pointer to the question's name. */
function answer(query: Buffer, answers: Map<string, number>, asked: Set<string>): Buffer {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  const type = query.readUInt16BE(at + 1)
  const question = query.subarray(12, at + 5)
  const name = labels.join('.').toLowerCase()
  asked.add(name)
  const records = lookUp(name, type, answers)
  const data = type === TYPE_A ? records?.a : type === TYPE_AAAA ? records?.aaaa : []
  const header = Buffer.alloc(12)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(records ? 0x8580 : 0x8583, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(data?.length ?? 0, 6)
  return Buffer.concat([header, question, ...(data ?? []).map((address) => record(type, address))])
}

function record(type: number, address: string): Buffer {
  const bytes = type === TYPE_A ? v4(address) : v6(address)
  const head = Buffer.from([0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length])
  return Buffer.concat([head, bytes])
}

/** Names that contain an address, by their prefix. */
const BY_KIND: Record<string, (address: string) => Records> = {
  a: only,
  multi: (address) => ({ a: [PUBLIC_V4, address], aaaa: [] }),
  map6: (address) => ({ a: [], aaaa: [`::ffff:${hex(address)}`] }),
  nat64: (address) => ({ a: [], aaaa: [`64:ff9b::${hex(address)}`] }),
  six: (address) => ({ a: [], aaaa: [`2002:${hex(address)}::1`] }),
}

function lookUp(name: string, type: number, answers: Map<string, number>): Records {
  const [, kind = '', after, quad = ''] = /^([a-z]+\d*?)(\d+)?-(\d+-\d+-\d+-\d+)\.test$/.exec(name) ?? []
  const address = quad.replaceAll('-', '.')
  const carried = BY_KIND[`${kind}${after ?? ''}`]
  if (carried) return carried(address)
  if (kind === 'rb') {
    const given = answers.get(name) ?? 0
    if (type === TYPE_A) answers.set(name, given + 1)
    return only(given <= Number(after) ? PUBLIC_V4 : address)
  }
  const nip = /(?:^|\.)(\d+[.-]\d+[.-]\d+[.-]\d+)\.nip\.test$/.exec(name)?.[1]
  if (nip) return only(nip.replaceAll('-', '.'))
  if (/(?:^|\.)public2?\.test$|^xn--bcher-kva\.test$|^claude\.ai$|^chatgpt\.com$/.test(name))
    return { a: [PUBLIC_V4], aaaa: [PUBLIC_V6] }
  return LOCAL[name] ? only(LOCAL[name]) : null
}

const LOCAL: Record<string, string> = {
  'loopback.test': '127.0.0.1',
  localhost: '127.0.0.1',
  'foo.localhost': '127.0.0.1',
  'localhost.localdomain': '127.0.0.1',
  'ip6-localhost': '127.0.0.1',
  'ip6-loopback': '127.0.0.1',
  metadata: '169.254.169.254',
  'metadata.google.internal': '169.254.169.254',
  'kubernetes.default.svc': '10.96.0.1',
}

function only(address: string): Records {
  return { a: [address], aaaa: [] }
}

function v4(address: string): Buffer {
  return Buffer.from(address.split('.').map(Number))
}

/** Two groups of an IPv6 address that contain an IPv4 address. */
function hex(address: string): string {
  return v4(address)
    .toString('hex')
    .replace(/(.{4})/, '$1:')
}

function v6(address: string): Buffer {
  const [head = '', tail] = address.split('::')
  const groups = (text: string) => text.split(':').filter(Boolean)
  const rest = tail === undefined ? [] : groups(tail)
  const zeros = Array.from({ length: 8 - groups(head).length - rest.length }, () => '0')
  return Buffer.from([...groups(head), ...zeros, ...rest].map((group) => group.padStart(4, '0')).join(''), 'hex')
}
