import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../lib/free-port.ts'
import { createBucket } from './swift-server.ts'

const CREDENTIALS = { accessKeyId: 'docent', secretAccessKey: 'testing' }

/** Whether Debian's gateway of Ceph is installed. Says what is skipped if it is not. */
export function hasRados(): boolean {
  const isInstalled = ['ceph-mon', 'ceph-osd', 'radosgw'].every((name) => existsSync(`/usr/bin/${name}`))
  if (!isInstalled)
    process.stderr.write(
      '\nSKIPPED: objects in a bucket of Ceph. Run: apt-get install --no-install-recommends radosgw ceph-mon ceph-osd\n\n',
    )
  return isInstalled
}

/** Starts Ceph in memory, with one monitor and one disk, its S3 gateway, and the bucket `bucket`. */
export async function startRados() {
  const folder = mkdtempSync(join(tmpdir(), 'docent-rados-'))
  const processes: ChildProcess[] = []
  for (const name of ['mon', 'osd', 'rgw']) mkdirSync(join(folder, name))
  const [monitorPort, port] = [await freePort(), await freePort()]
  const [cluster, disk, keys] = [randomUUID(), randomUUID(), join(folder, 'keyring')]
  const settings = {
    fsid: cluster,
    'mon host': `v2:127.0.0.1:${monitorPort}`,
    'public addr': '127.0.0.1',
    'osd pool default size': 1,
    'osd pool default pg num': 8,
    'mon allow pool size one': true,
    'mon max pg per osd': 1000,
    'mon data avail crit': 1,
    'osd crush chooseleaf type': 0,
    'osd objectstore': 'memstore',
    'memstore device bytes': 2 ** 30,
    'mon data': join(folder, 'mon'),
    'osd data': join(folder, 'osd'),
    'rgw data': join(folder, 'rgw'),
    'run dir': folder,
    'log file': '/dev/null',
    'admin socket': '',
    keyring: keys,
    'rgw frontends': `beast endpoint=127.0.0.1:${port}`,
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`)
  writeFileSync(join(folder, 'ceph.conf'), `[global]\n${lines.join('')}`)
  const common = ['-c', join(folder, 'ceph.conf')]
  const run = (program: string, ...args: string[]) =>
    execFileSync(`/usr/bin/${program}`, args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' })
  const start = (program: string, ...args: string[]) =>
    processes.push(spawn(`/usr/bin/${program}`, [...common, ...args, '-f'], { cwd: folder, stdio: 'ignore' }))

  run('ceph-authtool', '--create-keyring', keys, '--gen-key', '-n', 'client.admin', ...capsOf('mon', 'osd', 'mgr'))
  run('ceph-authtool', keys, '--gen-key', '-n', 'mon.', ...capsOf('mon'))
  run('monmaptool', '--create', '--fsid', cluster, '--addv', 'a', `[v2:127.0.0.1:${monitorPort}]`, 'monmap')
  run('ceph-mon', ...common, '--mkfs', '-i', 'a', '--monmap', 'monmap')
  start('ceph-mon', '-i', 'a')
  run('ceph', ...common, 'osd', 'new', disk)
  const key = run('ceph', ...common, 'auth', 'get-or-create', 'osd.0', 'mon', 'allow profile osd', 'osd', 'allow *')
  writeFileSync(keys, key, { flag: 'a' })
  run('ceph-osd', ...common, '-i', '0', '--mkfs', '--osd-uuid', disk)
  start('ceph-osd', '-i', '0')
  start('radosgw', '-n', 'client.admin')
  const user = ['--uid=docent', '--display-name=Docent', '--access-key=docent', '--secret-key=testing']
  run('radosgw-admin', ...common, 'user', 'create', ...user)
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

const capsOf = (...services: string[]) => services.flatMap((service) => ['--cap', service, 'allow *'])
