import { connect } from 'node:net'

/** Milliseconds for a connection. npm itself tries for minutes, and says nothing meanwhile. */
const CONNECT_MS = 8_000

/**
 * The host that npm asks, its proxy if it has one, and why it cannot be reached. Null if it can, or is no host.
 *
 * @param {{registry: string, proxy: string}} settings of npm
 * @returns {Promise<{host: string, code: string} | null>}
 */
export async function findUnreachable({ registry, proxy }) {
  const address = proxy || registry
  // Node 20 has no URL.parse.
  if (!URL.canParse(address)) return null
  const url = new URL(address)
  if (url.hostname === '') return null
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  const code = await failureOf(url.hostname.replace(/^\[|\]$/g, ''), port)
  return code === null ? null : { host: url.host, code }
}

/**
 * @param {string} host
 * @param {number} port
 * @returns {Promise<string | null>} an error code, or null after a connection
 */
function failureOf(host, port) {
  return new Promise((resolve) => {
    const socket = connect({ host, port })
    // A look-up of a name has no timeout of its own.
    const timer = setTimeout(() => end('ETIMEDOUT'), CONNECT_MS)
    /** @param {string | null} code */
    const end = (code) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(code)
    }
    socket.once('connect', () => end(null))
    socket.once('error', (/** @type {NodeJS.ErrnoException} */ error) => end(error.code ?? error.message))
  })
}
