import childProcess from 'node:child_process'
import dgram from 'node:dgram'
import dns from 'node:dns'
import dnsPromises from 'node:dns/promises'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import os from 'node:os'
import process from 'node:process'
import v8 from 'node:v8'

/** Functions of modules that reach beyond this process and that Node's permission model does not cover in every version. */
const REFUSED_METHODS = {
  // `_debugProcess` sends a signal, which opens the debugger of the process it names.
  process: ['kill', '_kill', '_debugProcess', '_debugEnd', 'setuid', 'setgid', 'seteuid', 'setegid', 'setgroups'],
  os: ['setPriority'],
  // A limit of the heap that the process can raise is none.
  v8: ['setFlagsFromString', 'setHeapSnapshotNearHeapLimit'],
} as const

/** Methods of sockets, servers and their handles that open a way to the network or to a Unix socket. */
const REFUSED_ON_SOCKETS = ['connect', 'listen', '_listen2', 'bind', 'bind6', 'open', 'connect6']

/**
 * Takes from all code of this process, for good, what it needs neither to read a document nor to answer: the network,
 * name resolution, signals, priorities of processes and flags of V8. Node's permission model (`--permission`) covers
 * files, programs, threads, addons, WASI and the debugger. Native code is held by neither.
 */
export function lockDown(): void {
  // They use sockets and are opened with the first use.
  void process.stdin
  void process.stdout
  void process.stderr
  const noNetwork = refuseWith('This process has no network.')
  for (const module of [dgram, dns, dnsPromises]) refuseAll(module, noNetwork)
  for (const { prototype } of [net.Socket, net.Server]) refuseOn(prototype, REFUSED_ON_SOCKETS, noNetwork)
  refuseHandle(process.stderr, noNetwork)
  refuseAll(net, noNetwork, ['isIP', 'isIPv4', 'isIPv6'])
  const notAllowed = refuseWith('This process may not do that.')
  // `new ChildProcess()` has a handle that can send signals without a process having been started.
  refuseAll(childProcess, notAllowed)
  refuseOn(process, REFUSED_METHODS.process, notAllowed)
  refuseOn(os, REFUSED_METHODS.os, notAllowed)
  refuseOn(v8, REFUSED_METHODS.v8, notAllowed)
  syncBuiltinESMExports()
}

/** A function, for calls and for `new`, that throws. */
function refuseWith(message: string) {
  return function refuse(): never {
    throw new Error(message)
  }
}

/** Replaces every function of a module's exports, but those that are `kept`. */
function refuseAll(module: object, refuse: () => never, kept: readonly string[] = []): void {
  refuseOn(
    module,
    Object.keys(module).filter((name) => !kept.includes(name) && isFunction(module, name)),
    refuse,
  )
}

function refuseOn(target: object, names: readonly string[], refuse: () => never): void {
  for (const name of names) {
    if (isFunction(target, name)) Object.defineProperty(target, name, { value: refuse, enumerable: true })
  }
}

/** A stream over a pipe has a handle whose class connects and listens as well. */
function refuseHandle(stream: object, refuse: () => never): void {
  const { _handle: handle } = stream as { _handle?: object }
  if (handle) refuseOn(Object.getPrototypeOf(handle) as object, REFUSED_ON_SOCKETS, refuse)
}

function isFunction(target: object, name: string): boolean {
  return typeof (target as Record<string, unknown>)[name] === 'function'
}
