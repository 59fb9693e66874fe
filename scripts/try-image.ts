/**
 * Runs the steps of the Dockerfile in a clean folder without a container runtime, starts the service from it as another
 * user, and prints sizes: `node scripts/try-image.ts [--keep]`. Needs npm and its registry. Steps that install system
 * packages are left out, and this system's Node stands for that of the image.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { type Stage, readCopy, readDockerfile, readEnv } from './image/read-dockerfile.ts'
import { readIgnored } from './image/read-ignored.ts'

const root = join(import.meta.dirname, '..')
const USER = 10001
/** Alpine 3.22 with libstdc++, uncompressed, in megabytes. */
const BASE_MB = 12

const folder = mkdtempSync(join(tmpdir(), 'docent-image-'))
chmodSync(folder, 0o755)
try {
  const [build, image] = readDockerfile(readFileSync(join(root, 'Dockerfile'), 'utf8'))
  if (!build || !image) throw new Error('The Dockerfile does not have two stages')
  const app = join(folder, 'app')
  buildIn(app, build)
  report(app)
  await start(app, image)
} finally {
  if (process.argv.includes('--keep')) say(`kept ${folder}`)
  else rmSync(folder, { recursive: true, force: true })
}

function buildIn(app: string, { instructions }: Stage): void {
  const isIgnored = readIgnored(readFileSync(join(root, '.dockerignore'), 'utf8'))
  const filter = (path: string) => path === root || !isIgnored(relative(root, path))
  mkdirSync(app)
  for (const instruction of instructions) {
    const copy = readCopy(instruction)
    for (const source of copy?.sources ?? []) {
      const to = copy?.to.endsWith('/') ? join(copy.to, source.split('/').at(-1) ?? '') : (copy?.to ?? '')
      cpSync(join(root, source), join(app, to), { recursive: true, filter })
    }
    if (instruction.name !== 'RUN') continue
    say(instruction.args)
    const { status } = spawnSync('sh', ['-c', instruction.args], { cwd: app, stdio: ['ignore', 'ignore', 'inherit'] })
    if (status !== 0) throw new Error(`The step failed: ${instruction.args}`)
  }
}

function report(app: string): void {
  const program = megabytes(app)
  const node = Math.round(statSync(process.execPath).size / 1_000_000)
  say(`program ${program} MB, Node ${node} MB, system about ${BASE_MB} MB`)
  say(`image about ${program + node + BASE_MB} MB`)
}

/** Starts the service with the variables of the image, checks its health, and stops it. */
async function start(app: string, image: Stage): Promise<void> {
  const data = join(folder, 'data')
  const isRoot = process.getuid?.() === 0
  const owner = isRoot ? { uid: USER, gid: USER } : {}
  mkdirSync(data)
  if (isRoot) chownSync(data, USER, USER)
  const env = {
    ...readEnv(image),
    PATH: [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
    NODE_COMPILE_CACHE: join(data, 'compile-cache'),
    DOCENT_HOST: '127.0.0.1',
    DOCENT_DATA_DIR: data,
    DOCENT_PORT: String(await freePort()),
  }
  const begun = performance.now()
  const service = spawn(join(app, 'deploy/docent'), ['serve'], {
    cwd: data,
    env,
    ...owner,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    await once(service.stdout, 'data')
    say(`ready after ${Math.round(performance.now() - begun)} ms`)
    const health = image.instructions.find(({ name }) => name === 'HEALTHCHECK')?.args.split(' CMD ')[1] ?? 'false'
    for (const command of [health, `${join(app, 'deploy/docent')} doctor`]) {
      const { status, stdout } = spawnSync('sh', ['-c', command], { env, ...owner, encoding: 'utf8' })
      say(`${command}: ${status}\n${stdout}`)
      if (status !== 0) throw new Error(`This failed: ${command}`)
    }
  } finally {
    service.kill('SIGTERM')
  }
  const [code] = await once(service, 'exit')
  if (code !== 0) throw new Error(`The service ended with ${String(code)}`)
}

async function freePort(): Promise<number> {
  await using server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

function megabytes(path: string): number {
  const { stdout } = spawnSync('du', ['-sk', path], { encoding: 'utf8' })
  return Math.round((Number.parseInt(stdout, 10) * 1024) / 1_000_000)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
