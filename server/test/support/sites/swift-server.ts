import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3'
import { freePort } from '../lib/free-port.ts'

const KINDS = ['account', 'container', 'object'] as const
const FILTERS = 'catch_errors cache listing_formats s3api tempauth copy slo dlo'
const CREDENTIALS = { accessKeyId: 'docent:tester', secretAccessKey: 'testing' }

/** Whether Debian's Swift is installed. Says what is skipped if it is not. */
export function hasSwift(): boolean {
  const isInstalled = ['proxy', ...KINDS].every((kind) => existsSync(`/usr/bin/swift-${kind}-server`))
  if (!isInstalled)
    process.stderr.write(
      '\nSKIPPED: objects in a bucket of OpenStack Swift. Run: apt-get install --no-install-recommends swift-proxy swift-account swift-container swift-object\n\n',
    )
  return isInstalled
}

/** Starts OpenStack Swift with its S3 interface and the bucket `bucket`, without privileges, in a temporary folder. */
export async function startSwift() {
  const folder = mkdtempSync(join(tmpdir(), 'docent-swift-'))
  const processes: ChildProcess[] = []
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  const start = (kind: string) => {
    const options = { cwd: folder, env: { ...process.env, SWIFT_DIR: folder }, stdio: 'ignore' } as const
    processes.push(spawn(`/usr/bin/swift-${kind}-server`, [join(folder, `${kind}.conf`)], options))
  }
  mkdirSync(join(folder, 'devices/one'), { recursive: true })
  write(
    'swift.conf',
    '[swift-hash]\nswift_hash_path_suffix = a\nswift_hash_path_prefix = b\n[storage-policy:0]\nname = only\ndefault = yes\n',
  )
  const common = (port: number) =>
    `[DEFAULT]\nswift_dir = ${folder}\nbind_ip = 127.0.0.1\nbind_port = ${port}\nworkers = 0\nuser = ${userInfo().username}\n`
  for (const kind of KINDS) {
    const port = await freePort()
    const ring = (...args: string[]) =>
      execFileSync('/usr/bin/swift-ring-builder', [`${kind}.builder`, ...args], { cwd: folder, stdio: 'pipe' })
    ring('create', '4', '1', '1')
    ring('add', `r1z1-127.0.0.1:${port}/one`, '1')
    ring('rebalance')
    const places = `devices = ${folder}/devices\nmount_check = false\nrecon_cache_path = ${folder}\nfallocate_reserve = 0\n`
    write(
      `${kind}.conf`,
      `${common(port)}${places}[pipeline:main]\npipeline = ${kind}-server\n[app:${kind}-server]\nuse = egg:swift#${kind}\n`,
    )
    start(kind)
  }
  const port = await freePort()
  const given: Record<string, string> = {
    // Nothing listens there. Swift needs the setting, and works without an answer.
    cache: 'use = egg:swift#memcache\nmemcache_servers = 127.0.0.1:9',
    s3api: 'use = egg:swift#s3api\nlocation = us-east-1',
    tempauth: 'use = egg:swift#tempauth\nuser_docent_tester = testing .admin',
  }
  const filters = FILTERS.split(' ').map((name) => `[filter:${name}]\n${given[name] ?? `use = egg:swift#${name}`}\n`)
  const pipeline = `[pipeline:main]\npipeline = ${FILTERS} proxy-server\n[app:proxy-server]\nuse = egg:swift#proxy\naccount_autocreate = true\n`
  write('proxy.conf', common(port) + pipeline + filters.join(''))
  start('proxy')
  await createBucket({ endpoint: `http://127.0.0.1:${port}`, credentials: CREDENTIALS }, processes)
  return {
    port,
    credentials: CREDENTIALS,
    async [Symbol.asyncDispose]() {
      for (const child of processes) {
        child.kill('SIGKILL')
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Waits until the servers take an object, which is some seconds. Throws if one of them ends. */
export async function createBucket(
  at: Pick<S3ClientConfig, 'endpoint' | 'credentials'>,
  processes: readonly ChildProcess[],
): Promise<void> {
  const settings = { ...at, region: 'us-east-1', forcePathStyle: true }
  const client = new S3Client({ ...settings, requestChecksumCalculation: 'WHEN_REQUIRED' })
  const object = { Bucket: 'bucket', Key: 'first' }
  const write = async () => {
    await client.send(new CreateBucketCommand({ Bucket: 'bucket' }))
    await client.send(new PutObjectCommand({ ...object, Body: 'a' }))
    await client.send(new DeleteObjectCommand(object))
  }
  for (;;) {
    const isWritten = await write().then(
      () => true,
      () => false,
    )
    if (isWritten) return client.destroy()
    const ended = processes.find(({ exitCode }) => exitCode !== null)
    if (ended) throw new Error(`${ended.spawnargs.join(' ')} ended with ${ended.exitCode}`)
    await sleep(200)
  }
}
