import childProcess from 'node:child_process'
import dgram from 'node:dgram'
import dns from 'node:dns'
import dnsPromises from 'node:dns/promises'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import os from 'node:os'
import process from 'node:process'
import v8 from 'node:v8'

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

/**
 * Permanently disables functions that no child program needs: network, name resolution, signals, process priorities and
 * V8 flags. Node's permission model (`--permission`) covers files, programs, threads, addons, WASI and the debugger.
 * Neither restricts native code.
 */
export function lockDown(): void {
  // They use sockets and open on first use.
  void process.stdin
  void process.stdout
  void process.stderr
  const noNetwork = refuseWith('This process has no network.')
  for (const module of [dgram, dns, dnsPromises]) refuseAll(module, noNetwork)
  for (const { prototype } of [net.Socket, net.Server]) refuseOn(prototype, REFUSED_ON_SOCKETS, noNetwork)
  refuseHandle(process.stderr, noNetwork)
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

/** The handle class of a pipe stream can also connect and listen. */
function refuseHandle(stream: object, refuse: () => never): void {
  const { _handle: handle } = stream as { _handle?: object }
  if (handle) refuseOn(Object.getPrototypeOf(handle) as object, REFUSED_ON_SOCKETS, refuse)
}

function isFunction(target: object, name: string): boolean {
  return typeof (target as Record<string, unknown>)[name] === 'function'
}
