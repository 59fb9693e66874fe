import { flushCompileCache, getCompileCacheDir, syncBuiltinESMExports } from 'node:module'
import os, { getPriority, setPriority } from 'node:os'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import childProcess from 'node:child_process'
import dgram from 'node:dgram'
import dns from 'node:dns'
import dnsPromises from 'node:dns/promises'
import net from 'node:net'
import process from 'node:process'
import v8 from 'node:v8'
import { dropPermission } from './isolation.ts'

/** Niceness. On a loaded machine, processes at normal priority still get about nine tenths of the processor. */
const BACKGROUND = 10

/** Answers tasks (`openChildProcess`) one at a time, at low priority and locked down. `answer` must not throw. */
export function serveChild(answer: (task: never) => unknown): void {
  yieldToService()
  keepCompiledCode()
  let turn = endWithParent().then(lockDown)
  process.on('message', (task) => {
    turn = turn.then(async () => {
      const given = await answer(task as never)
      await new Promise((sent) => process.send?.(given, sent))
    })
  })
}

/** The answer of a program: the result of a task, or the exception of a bug. */
export type TaskAnswer<Result> = { ok: true; value: Result } | { ok: false; error: unknown }

/** Like `serveChild`, with a function that may throw. An exception concerns its task only, and the process goes on. */
export function serveTasks(run: (task: never) => unknown): void {
  serveChild(async (task: never): Promise<TaskAnswer<unknown>> => {
    try {
      return { ok: true, value: await run(task) }
    } catch (error) {
      return { ok: false, error }
    }
  })
}

/** The service already runs at a lower priority, which the child inherits. The system refuses to raise it. */
function yieldToService(): void {
  if (getPriority() < BACKGROUND) setPriority(BACKGROUND)
}

/** Stores the compile cache for later processes, then drops the write permission. */
function keepCompiledCode(): void {
  if (getCompileCacheDir() === undefined || process.permission === undefined) return
  flushCompileCache()
  dropPermission('fs.write')
}

/** Ends the process when its parent changes. A thread, since a document can block the main one: 18 MB. */
const WATCH = `
const { workerData: parent } = require('node:worker_threads')
setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL') }, 1000)`
/** Thread limits in megabytes: slightly above the start size. */
const LIMITS = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 }

/** Ends this process with its parent, if it may have a thread for that (`hasShell`). No other can start later. */
async function endWithParent(): Promise<void> {
  if (!process.permission?.has('worker')) return
  const watch = new Worker(WATCH, { eval: true, env: {}, workerData: process.ppid, resourceLimits: LIMITS })
  await once(watch, 'online')
  watch.unref()
  dropPermission('worker')
}

/** Functions that reach beyond this process, which Node's permission model does not cover in every version. */
const REFUSED_METHODS = {
  // `_debugProcess` sends a signal that opens the debugger of another process.
  process: ['kill', '_kill', '_debugProcess', '_debugEnd', 'setuid', 'setgid', 'seteuid', 'setegid', 'setgroups'],
  os: ['setPriority'],
  // A process that can raise its heap limit has none.
  v8: ['setFlagsFromString', 'setHeapSnapshotNearHeapLimit'],
} as const

/** Methods of sockets, servers and their handles that open a network or Unix socket connection. */
const REFUSED_ON_SOCKETS = ['connect', 'listen', '_listen2', 'bind', 'bind6', 'open', 'connect6']

/** Disables network, signals, priorities and V8 flags, which `--permission` leaves. Does not restrict native code. */
function lockDown(): void {
  // They use sockets and open on first use.
  void process.stdin
  void process.stdout
  void process.stderr
  const noNetwork = refuseWith('This process has no network.')
  for (const module of [dgram, dns, dnsPromises]) refuseAll(module, noNetwork)
  for (const { prototype } of [net.Socket, net.Server]) refuseOn(prototype, REFUSED_ON_SOCKETS, noNetwork)
  // The handle class of a pipe stream can also connect and listen.
  const { _handle: pipe } = process.stderr as { _handle?: object }
  if (pipe) refuseOn(Object.getPrototypeOf(pipe) as object, REFUSED_ON_SOCKETS, noNetwork)
  refuseAll(net, noNetwork, ['isIP', 'isIPv4', 'isIPv6'])
  const notAllowed = refuseWith('This process may not do that.')
  // The handle of `new ChildProcess()` can send signals without a started process.
  refuseAll(childProcess, notAllowed)
  refuseOn(process, REFUSED_METHODS.process, notAllowed)
  refuseOn(os, REFUSED_METHODS.os, notAllowed)
  refuseOn(v8, REFUSED_METHODS.v8, notAllowed)
  syncBuiltinESMExports()
}

/** A function that throws, with and without `new`. */
function refuseWith(message: string) {
  return function refuse(): never {
    throw new Error(message)
  }
}

/** Replaces every exported function of a module, except those in `kept`. */
function refuseAll(module: object, refuse: () => never, kept: readonly string[] = []): void {
  const names = Object.keys(module).filter((name) => !kept.includes(name))
  refuseOn(module, names, refuse)
}

function refuseOn(target: object, names: readonly string[], refuse: () => never): void {
  for (const name of names) {
    const isFunction = typeof (target as Record<string, unknown>)[name] === 'function'
    if (isFunction) Object.defineProperty(target, name, { value: refuse, enumerable: true })
  }
}

/** Yields the bytes of a task's payload as they arrive (`TaskProcess.post`). */
export async function* readPayload(): AsyncGenerator<Buffer<ArrayBuffer>> {
  for await (const piece of process.stdin) yield piece as Buffer<ArrayBuffer>
}

/** Reads the whole payload of `size` bytes. */
export async function readWholePayload(size: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(size)
  let at = 0
  for await (const piece of readPayload()) {
    bytes.set(piece.subarray(0, size - at), at)
    at += Math.min(piece.byteLength, size - at)
  }
  return bytes.subarray(0, at)
}
